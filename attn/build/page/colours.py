"""The page's colours: those of figures and films, in both themes, as properties of a style sheet."""

from __future__ import annotations

from attn.build.subjects import Subjects
from attn.picture import palette

ROLES = ("paper", "ink", "muted", "rule", "faint", "context", "origin", "target")


def sheet(subjects: Subjects) -> str:
    """--paper, --ink and so on, and --story0 for the first word of the story's vocabulary; dark where the system is."""
    traces = {"story": subjects.story, "sentence": subjects.sentence}
    light, dark = (_properties(traces, name) for name in ("light", "dark"))
    return f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def of_word(subject: str, trace, word: str) -> str | None:
    """The property that holds a word's colour; None where its subject has no vocabulary with that word."""
    try:
        return f"--{subject}{trace.model.index(word)}"
    except (AttributeError, ValueError):
        return None


def _properties(traces: dict, name: str) -> str:
    with palette.themed(name) as theme:
        found = {f"--{role}": getattr(theme, role) for role in ROLES}
        for subject, trace in traces.items():
            for word in trace.model.vocabulary:
                found[of_word(subject, trace, word)] = palette.word_colour(trace, word)
    return " ".join(f"{key}: {value};" for key, value in found.items())
