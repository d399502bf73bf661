"""The README: its picture is the one the shipped weights give, its links lead somewhere, its commands exist."""

import re

from attn.build.assets import ROOT, Asset
from attn.build.figure import figure as published
from attn.build.settings import Settings
from attn.core import weights
from attn.core.reading import Reading
from attn.picture.drawn import picture

README = (ROOT / "README.md").read_text("utf-8")


def test_the_picture_is_what_the_shipped_weights_give():
    trace = Reading(picture(weights.load(ROOT / "attn/weights/you.toml")))
    files = published(Asset("figures", "step7_context"), trace, Settings(formats=("svg",)))
    assert (ROOT / ".docs/step7_context.svg").read_bytes() == files["svg"], "cp output/figures/step7_context.svg .docs/"


def test_every_link_leads_to_a_file_or_a_heading():
    headings = re.findall(r"^#+ (.*)$", README, re.M)
    anchors = {"#" + re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target in anchors or (ROOT / target).is_file(), target


def test_every_target_and_path_that_is_named_exists():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^    make ([a-z]+)\b", README, re.M):
        assert re.search(rf"^## {target} |^## {target}$", makefile, re.M) or target == "output", target
    for path in re.findall(r"`((?:attn|figures|scenes|tests)/[\w./*]+)`", README):
        assert "NAME" in path or list(ROOT.glob(path)), path
