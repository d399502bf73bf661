"""Data flows one way: weights file, trace, look, drawing. So do the imports."""

import ast
import subprocess
import sys

import pytest

from attn.build.assets import ROOT

TOOLKITS = {"matplotlib", "manim", "PIL", "av", "cairo", "pymupdf"}
ALLOWED = {"attn": {"attn"}, "figures": {"figures", "attn"}, "scenes": {"scenes", "attn"}}
FILES = [file for package in ALLOWED for file in sorted((ROOT / package).glob("*.py"))]


def imported(tree: ast.AST) -> set[str]:
    """The top-level packages that imports anywhere in `tree` name."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their package"
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_no_package_imports_against_the_direction(file):
    package = file.parent.name
    assert imported(ast.parse(file.read_bytes())) & set(ALLOWED) <= ALLOWED[package]


@pytest.mark.parametrize("file", [f for f in FILES if f.parent.name == "attn"], ids=lambda file: file.name)
def test_numbers_and_words_need_no_drawing_toolkit(file):
    assert not imported(ast.parse(file.read_bytes())) & TOOLKITS


def test_the_commands_for_numbers_load_no_drawing_toolkit():
    code = (
        "import sys; from click.testing import CliRunner; from attn.cli import main; "
        "r = CliRunner().invoke(main, ['trace', sys.argv[1]]); assert r.exit_code == 0, r.output; "
        f"print(sorted({TOOLKITS} & set(sys.modules)))"
    )
    weights = str(ROOT / "attn/weights/you.toml")
    done = subprocess.run([sys.executable, "-c", code, weights], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
