"""Captions, labels and alternative texts of all figures, ready to include: for LaTeX, for Typst, for Markdown.

They are gathered from the JSON files beside the figures. Every text is literal: nothing in it is markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from attn.build.numbers import ordinal
from attn.build.tex import HEAD, literal

MARKDOWN = re.compile(r"""([\\`*_{}<>#+!|&$~^"'-]|[.,](?=[.,]))""")  # and what some mend
BRACKETS = {ord(bracket): f"&#{ord(bracket)};" for bracket in "[]"}  # in some dialects \[ and \( begin a formula


def tex(records: list[dict]) -> str:
    """A macro a figure, \\attnFigStepSevenContext, that makes the whole figure; and its parts: ...Caption and ...Alt.

    Needs graphicx (2021 or newer for alt=); \\graphicspath says where the PDFs are. The label is fig:NAME.
    """
    lines = [
        "% Made from the figures' records; \\input it, then write \\attnFigStepSevenContext where the figure goes.",
        *HEAD.splitlines(),
    ]
    for record in records:
        macro = f"\\attnFig{macro_name(record['name'])}"
        lines += [
            f"\\def{macro}Caption{{{literal(record['caption'])}}}",
            f"\\def{macro}Alt{{{literal(record['alt'])}}}",
            f"\\def{macro}{{\\begin{{figure}}\\centering\\includegraphics[alt={{{macro}Alt}}]{{{record['name']}.pdf}}"
            f"\\caption{{{macro}Caption}}\\label{{fig:{record['name']}}}\\end{{figure}}}}",
        ]
    return "\n".join(lines) + "\n"


def typ(records: list[dict]) -> str:
    """A Typst file with a function a figure: #import "captions.typ": step7_context, then #step7_context() <fig:…>."""
    lines = ['// Made from the figures\' records. #import "captions.typ": step7_context, then #step7_context()']
    for record in records:
        alt, caption = (_quoted(record[key]) for key in ("alt", "caption"))
        picture = f'image("{record["name"]}.svg", alt: {alt}, ..options)'
        lines.append(f"#let {record['name']}(..options) = figure({picture}, caption: {caption})")
    return "\n".join(lines) + "\n"


def md(records: list[dict]) -> str:
    """A Markdown section a figure: the picture with its alternative text, then the caption."""
    parts = [
        f"## {escaped(record['title'])}\n\n![{escaped(record['alt'])}]({record['name']}.svg)\n\n"
        f"{escaped(record['caption'])}\n"
        for record in records
    ]
    return "\n".join(parts)


WRITERS: dict[str, Callable[[list[dict]], str]] = {"tex": tex, "typ": typ, "md": md}


def macro_name(name: str) -> str:
    """step7_context as StepSevenContext: letters alone."""
    parts = re.findall(r"[a-z]+|\d+", name.lower())
    return "".join(p.capitalize() if p.isalpha() else ("Zero" if p == "0" else ordinal(int(p) - 1)) for p in parts)


def _quoted(text: str) -> str:
    """A Typst string literal."""
    return json.dumps(text, ensure_ascii=False)


def escaped(text: str) -> str:
    """Text whose every mark of Markdown is escaped."""
    return MARKDOWN.sub(r"\\\1", text).translate(BRACKETS)
