"""What a lecturer says to a film: its beats, and the script beside it, to be read aloud while it plays."""

from __future__ import annotations

from collections.abc import Sequence

from attn.build.captions import escaped
from scenes._kit.captions import SPOKEN, Told

Record = dict  # a film's JSON (attn.build.publish.sidecar)


def beats(told: Sequence[Told], fps: int) -> list[dict]:
    """The beats of a film as its JSON lists them: start and end in seconds, and what is seen."""
    return [{"start": round(one.start / fps, 3), "end": round(one.end / fps, 3), "seen": one.caption} for one in told]


def shifted(found: Sequence[dict], seconds: float) -> list[dict]:
    """Beats of a film that starts later, as a part of another."""
    return [one | {key: round(one[key] + seconds, 3) for key in ("start", "end")} for one in found]


def script(record: Record) -> bytes:
    """A film's script in Markdown, from its JSON: each beat with its time, under its chapter if there are chapters."""
    chapters = {chapter["start"]: chapter["title"] for chapter in record.get("chapters", [])}
    lines = [
        f"# {escaped(record['title'])}",
        f"To be read aloud at {SPOKEN} words a minute, {_minutes(record['beats'][-1]['end'])} in all.",
    ]
    for beat in record["beats"]:
        if beat["start"] in chapters:
            lines.append(f"## {escaped(chapters[beat['start']])}")
        lines.append(f"**{_minutes(beat['start'])}**  {escaped(beat['seen'])}")
    return ("\n\n".join([*lines, "## Background", escaped(record["caption"])]) + "\n").encode()


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
