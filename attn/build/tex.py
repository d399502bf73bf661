"""Words in TeX, printed as they are: no mark of TeX's means anything, no two of them become a dash or a quote.

What is made needs no package and may be read by pdfLaTeX, XeLaTeX and LuaLaTeX. Two letters may still be cast in one,
as in any print (fi).
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from attn.core import numerals

# Stands at the head of a file that has words in it, and may do so more than once.
HEAD = r"""
% Words stand here as they are, for pdfLaTeX, XeLaTeX and LuaLaTeX, and no package is needed. A character that the
% document's font or encoding lacks is no error. In its place stands the letter without its accent, a Greek letter of
% mathematics, or else its number, as [U+05E9]; load a font, or an encoding, that has it.
\def\attnOT{OT1}%
\def\attnSign#1#2{\expandafter\ifx\csname f@encoding\endcsname\attnOT
{\fontfamily{cmtt}\selectfont\char#2 }\else{#1}\fi}%
\ifx\Umathchar\undefined
\protected\def\attnLetter#1#2#3{{\expandafter\def\csname TextSymbolUnavailable\endcsname##1\attnEnd{#3}%
\expandafter\def\csname UTFviii@undefined@err\endcsname##1{#3}\let\attnEnd\relax#1\attnEnd}}%
\else
\protected\def\attnLetter#1#2#3{\iffontchar\font"#2 #1\else#3\fi}%
\fi
""".lstrip()
SIGNS = {  # what TeX's oldest text fonts lack, and where its typewriter has it
    '"': ("quotedbl", 34), "'": ("quotesingle", 13), "`": ("asciigrave", 18), "<": ("less", 60), ">": ("greater", 62),
    "\\": ("backslash", 92), "^": ("asciicircum", 94), "_": ("underscore", 95), "~": ("asciitilde", 126),
    "{": ("braceleft", 123), "|": ("bar", 124), "}": ("braceright", 125),
}  # fmt: skip
MATHS = {numerals.MINUS: "-", "×": r"\times", "·": r"\cdot", "√": r"\surd", "∞": r"\infty", "≠": r"\neq",
         **{up: f"^{{{c}}}" for up, c in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True)}}  # fmt: skip
WRITTEN = {c: rf"\attnSign\text{name}{{{code}}}" for c, (name, code) in SIGNS.items()}
WRITTEN |= {c: rf"\ensuremath{{{formula}}}" for c, formula in MATHS.items()} | {c: f"\\{c}" for c in "$&%#"}
DOUBLED = "-,<>"  # what is another character where it comes twice
MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"  # accents that every encoding has
PLAIN = "“”‘’–—…ßæÆœŒøØłŁ"  # beyond ASCII, and in every encoding
_SMALL = r"\alpha \beta \gamma \delta \epsilon \zeta \eta \theta \iota \kappa \lambda \mu \nu \xi o \pi \rho \varsigma"
_SMALL += r" \sigma \tau \upsilon \phi \chi \psi \omega"
_CAPITAL = r"A B \Gamma \Delta E Z H \Theta I K \Lambda M N \Xi O \Pi P \Sigma T \Upsilon \Phi X \Psi \Omega"
GREEK = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", _SMALL.split(), strict=True))
GREEK |= dict(zip("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", _CAPITAL.split(), strict=True))
QUOTES = {"„": ",,", "‚": ",", "«": "<<", "»": ">>", "‹": "<", "›": ">"}


def literal(words: str) -> str:
    """`words` as TeX prints them literally; what is made needs HEAD before it."""
    words = unicodedata.normalize("NFC", words)
    apart = (r"\kern0pt " if a == b and a in DOUBLED else "" for a, b in pairwise(f" {words}"))
    return "".join(gap + _written(c) for gap, c in zip(apart, words, strict=True))


def _written(c: str) -> str:
    if c in WRITTEN:
        return WRITTEN[c]
    letter, *marks = list(unicodedata.normalize("NFD", c))
    if c.isascii() or c in PLAIN or (letter.isascii() and c < "\u0180" and set(marks) <= set(MARKS)):
        return c
    return rf"\attnLetter{{{c}}}{{{ord(c):04X}}}{{{_stand_in(c)}}}"


def _stand_in(c: str) -> str:
    """What stands for a character that the document cannot print."""
    if c in GREEK:
        return rf"\ensuremath{{{GREEK[c]}}}"
    if c in QUOTES:
        return literal(QUOTES[c])
    letter = unicodedata.normalize("NFD", c)[0]
    if letter == c:
        return f"[U+{ord(c):04X}]"
    return literal(letter) if letter.isascii() else _stand_in(letter)
