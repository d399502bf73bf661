"""Words with marks of TeX, Typst and Markdown in them, and those of the cases: each must come out as it is."""

import tomllib

from attn.build.assets import ROOT

MARKED = (
    '"', '"q"', "''q''", "``q``", "`x`", "don't", "a--b", "a---b", "-->", "--- ,,, <<< >>>", "<<x>>", ",,x", "?`x",
    "!`x", "$x_1$", "50%", "a_b", "<b>&", "#1", r"\alpha", "{w}", "~^|", "A|B", "fi ff ffi", "[l]", "*@=+/[]();:.",
    "*s*", "...", "1.", "==m==", "êtes", "ß", "œuvre", "są", "e\u0301te\u0302s", "αβΩ", "x²⁻¹", "√∞", "×", "a·b",
    "“x”", "it’s",
)  # fmt: skip
FOREIGN = ("ж", "שלום", "سلام", "漢")  # not in TeX's fonts
CASES = tuple(
    word
    for file in sorted((ROOT / "tests/cases/good").glob("*.toml"))
    for word in tomllib.loads(file.read_text("utf-8-sig"))["model"]["vocabulary"]
)
WORDS = tuple(dict.fromkeys(MARKED + FOREIGN + CASES))
