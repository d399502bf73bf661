"""Data flows one way: weights file, trace, picture and texts, figures and scenes, what makes them; so do imports."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from attn.build.assets import PACKAGES, ROOT

TOOLKITS = {"matplotlib", "manim", "PIL", "av", "cairo", "pymupdf"}
FLOORS = {  # each room may use itself and those named; the entrance may use all
    "attn": (),
    "attn.core": ("attn",),
    "attn.picture": ("attn", "attn.core"),
    "attn.texts": ("attn", "attn.core", "attn.picture"),
    "attn.lab": ("attn", "attn.core", "attn.picture"),
    "attn.build": ("attn", "attn.core", "attn.picture", "attn.texts", "attn.lab", "figures", "scenes"),
    "figures": ("attn", "attn.core", "attn.picture", "attn.texts", "attn.build"),
    "scenes": ("attn", "attn.core", "attn.picture", "attn.texts", "attn.build", "attn.lab"),
}
FILES = [file for package in ("attn", *PACKAGES.values()) for file in sorted((ROOT / package).rglob("*.py"))]
ENTRANCES = [ROOT / "attn" / name for name in ("cli.py", "api.py", "__init__.py")]


def room(module: str) -> str:
    """The room in which a module lives."""
    return max((name for name in FLOORS if f"{module}.".startswith(f"{name}.")), key=len)


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that imports anywhere in `tree` name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their package"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_floors_look_down_only(file):
    ours = [
        name
        for name in imported(ast.parse(file.read_bytes()))
        if name.partition(".")[0] in ("attn", "figures", "scenes")
    ]
    here = room(module_of(file))
    assert file in ENTRANCES or {room(name) for name in ours} <= {here, *FLOORS[here]}


@pytest.mark.parametrize("file", [f for f in FILES if f.is_relative_to(ROOT / "attn")], ids=module_of)
def test_numbers_and_words_need_no_drawing_toolkit(file):
    assert not {name.partition(".")[0] for name in imported(ast.parse(file.read_bytes()))} & TOOLKITS


def test_the_commands_for_numbers_load_no_drawing_toolkit():
    code = (
        "import sys; from click.testing import CliRunner; from attn.cli import main; "
        "r = CliRunner().invoke(main, ['trace', sys.argv[1]]); assert r.exit_code == 0, r.output; "
        f"print(sorted({TOOLKITS} & set(sys.modules)))"
    )
    weights = str(ROOT / "attn/weights/you.toml")
    done = subprocess.run([sys.executable, "-c", code, weights], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
