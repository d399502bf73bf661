"""The pictures there are, found by their files' names, and the code each one is made of, found by its imports.

A file in figures/ or scenes/ whose name does not start with an underscore is an asset; its name is the command's and
the output's name. There is no list of assets and no list of dependencies.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from attn.core.errors import WeightsError, nearest
from attn.picture.sizes import WIDTHS, Size, size

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = {"figures": "figures", "videos": "scenes"}  # where the assets of each kind live
MAKERS = {"figures": "attn.build.figure", "videos": "attn.build.film", "joined": "attn.build.whole"}
PINS = ROOT / ".constraints.txt"
SUBJECTS = (
    "story",
    "sentence",
    "lookup",
)  # in the order in which they are told; attn.build.subjects says what they are
# The order in which one tells of pictures that are no steps, where it is not that of their names.
TOLD = ("sentence_matrix", "qkv", "row_wise", "mechanism", "symmetry", "lookup", "lookup_attention", "lookup_training")
SOURCE_FILES = ("*.py", "*.html", "*.css", "*.js", "*.typ")


class Mistake(Exception):
    """A picture's file is not as it should be; str() is one line: file, what was found, what is expected."""


@dataclass(frozen=True)
class Asset:
    """One picture: a figure or a film."""

    kind: str  # figures or videos: the folder in output/
    name: str

    @property
    def module(self) -> str:
        return f"{PACKAGES[self.kind]}.{self.name}"

    @property
    def summary(self) -> str:
        """The first line of its file's docstring."""
        tree = parsed(self.module)
        return (ast.get_docstring(tree) or "").partition("\n")[0]

    @property
    def subject(self) -> str:
        """What it is drawn from: its file's constant SUBJECT (see attn.build.subjects), "story" where there is none."""
        return self._constant("SUBJECT", "story")

    @property
    def partial(self) -> bool:
        """Whether it can be drawn from a part of its subject (attn.build.subjects): its file's constant PARTIAL."""
        return self._constant("PARTIAL", False)

    @property
    def widths(self) -> tuple[str, ...]:
        """The widths it is arranged for (attn.picture.sizes.WIDTHS), its own first: its file's constant WIDTHS."""
        return self._constant("WIDTHS", ("page",))

    def size(self, wanted: float | None) -> Size:
        """`wanted` millimetres, arranged as for the nearest narrower of its widths; its own where it has but that."""
        own = size(self.widths[0])
        if wanted is None or len(self.widths) == 1:
            return own
        fitting = [name for name in self.widths if WIDTHS[name] <= wanted]
        return Size(wanted, max(fitting, key=WIDTHS.__getitem__, default=min(self.widths, key=WIDTHS.__getitem__)))

    @property
    def parts(self) -> list[Asset]:
        """The clips it is joined from, in order, where its file says PARTS = "steps"; none if it is drawn itself."""
        return steps() if self._constant("PARTS", None) == "steps" else []

    def _constant(self, name: str, default):
        for node in parsed(self.module).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
                return ast.literal_eval(node.value)
        return default

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


def parsed(module: str) -> ast.Module:
    """What a module of the project says. Raises Mistake where it is not Python."""
    file = file_of(module)
    try:
        return _parsed(file.read_bytes())
    except (SyntaxError, ValueError) as error:
        number = getattr(error, "lineno", None)
        line = f", line {number}" if number else ""
        raise Mistake(f"{file.relative_to(ROOT)}{line}: {getattr(error, 'msg', error)}") from None


@lru_cache(256)  # each file is asked for several constants
def _parsed(source: bytes) -> ast.Module:
    return ast.parse(source)


def assets(kind: str) -> list[Asset]:
    """Every asset of a kind, by name."""
    files = (ROOT / PACKAGES[kind]).glob("[!_]*.py")
    return sorted((Asset(kind, file.stem) for file in files), key=lambda asset: asset.name)


def steps() -> list[Asset]:
    """The films that go on from one another, in order: what a scene's `after` names goes before it.

    Of several such rows the longest.
    """
    before = {asset.name: _before(asset) for asset in assets("videos")}
    rows = []
    for name in before:
        row = [name]
        while (name := before.get(name)) and name not in row:
            row.insert(0, name)
        rows.append(row)
    return [Asset("videos", name) for name in max(rows, key=len, default=[])]


def in_order(*kinds: str) -> list[Asset]:
    """All assets of some kinds as one tells of them: by subject, and in each the films' steps in their order first.

    What is joined from others stands before all.
    """
    names = [*(step.name for step in steps()), *TOLD]
    place = {name: i for i, name in enumerate(names)}

    def key(asset: Asset) -> tuple:
        return not asset.parts, SUBJECTS.index(asset.subject), place.get(asset.name, len(names)), asset.name

    return sorted((asset for kind in kinds for asset in assets(kind)), key=key)


def _before(asset: Asset) -> str | None:
    """The name of the film that a scene goes on from: the module of the class that its class names as `after`."""
    tree = parsed(asset.module)
    modules = {
        alias.asname or alias.name: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for scene in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for node in scene.body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "after":
                return (modules.get(getattr(node.value, "id", "")) or "").rpartition(".")[2] or None
    return None


def named(kind: str, names) -> list[Asset]:
    """The assets of a kind called `names`; all of them if there are no names.

    Raises WeightsError for a name that is none, with the nearest that is.
    """
    known = {asset.name: asset for asset in assets(kind)}
    for name in names:
        if name not in known:
            hint = nearest(name, known) or f"; there are {', '.join(known)}"
            raise WeightsError(kind, f'there is no "{name}"{hint}')
    return [known[name] for name in dict.fromkeys(names)] if names else list(known.values())


def source_files() -> list[Path]:
    """Every file of the project's code."""
    packages = [ROOT / package for package in ("attn", *PACKAGES.values())]
    return [file for package in packages for pattern in SOURCE_FILES for file in package.rglob(pattern)]


def file_of(module: str) -> Path | None:
    """The file of a module of this project, or None for any other module."""
    base = ROOT.joinpath(*module.split("."))
    if module.partition(".")[0] not in ("attn", *PACKAGES.values()):
        return None
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)


class Code:
    """The project's source, read once. `cache` keeps what parsing found, by content, from one run to the next."""

    def __init__(self, cache: dict[str, list] | None = None):
        self.cache = {} if cache is None else cache

    def digest(self, asset: Asset) -> str:
        """sha256 over all code that `asset` is made of: its module, its maker, whatever these import, the pins.

        Comments and layout do not count.
        """
        total = hashlib.sha256(self._pins)
        for module in sorted(self.modules(asset.module, MAKERS["joined" if asset.parts else asset.kind])):
            total.update(f"{module}={self._parsed(module)[0]}\n".encode())
        return total.hexdigest()

    def modules(self, *roots: str) -> set[str]:
        """The project's modules that `roots` need, themselves among them, through any number of imports.

        What the project's own package offers to those who import it makes no picture.
        """
        found: set[str] = set()
        waiting = list(roots)
        while waiting:
            module = waiting.pop()
            if module not in found and file_of(module):
                found.add(module)
                imports = [] if module == "attn" else self._parsed(module)[1]
                waiting += [module.rpartition(".")[0], *imports]
        return found

    @cached_property
    def _pins(self) -> bytes:
        return PINS.read_bytes() if PINS.is_file() else b""

    def _parsed(self, module: str) -> list[Any]:
        """[digest of what the module says, names it may import]: a list, as JSON keeps it."""
        source = file_of(module).read_bytes()
        key = f"{module} {hashlib.sha256(source).hexdigest()}"
        if key not in self.cache:
            tree = parsed(module)
            said = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
            self.cache[key] = [said, sorted(set(_imports(tree, module)))]
        return self.cache[key]


def _imports(tree: ast.AST, module: str) -> Iterator[str]:
    """The names that imports anywhere in `tree` ask for; `from a import b` asks for a and, perhaps, a.b."""
    package = module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
