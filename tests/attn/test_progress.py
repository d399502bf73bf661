"""What a run says of itself: on a terminal, elsewhere, and where it is to be quiet."""

import io

import pytest

from attn.build.progress import FEW, Course, Line, clock, summary


class Terminal(io.StringIO):
    def isatty(self):
        return True


def said(stream, quiet=False) -> str:
    line = Line(stream, quiet, width=40)
    line.tick("a line that changes and is too long for this terminal")
    line.tick("shorter")
    line.remark("for somebody who watches")
    line.say("for everybody")
    return stream.getvalue()


def test_elsewhere_than_on_a_terminal_only_what_stays_is_said():
    assert said(io.StringIO()) == "attn: for everybody\n"


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_quiet_is_silent(stream):
    assert said(stream(), quiet=True) == ""


def test_on_a_terminal_the_changing_line_fits_and_is_taken_away():
    text = said(Terminal())
    shown = text.replace("\n", "\r").split("\r")
    assert all(len(piece) < 40 for piece in shown)
    assert text.endswith("\r" + "attn: for somebody who watches\nattn: for everybody\n")


def test_a_course_counts_and_foretells():
    now = [0.0]
    course = Course({"a": 1, "b": 3}, clock=lambda: now[0])
    now[0] = 10.0
    course.heard("b", 2, 1 / 3)
    assert course.line() == "0 of 2, about 30 s left; b beat 2, 33 %"
    course.done("a")
    assert course.share == 0.5 and course.count() == "1 of 2, about 10 s left"
    course.done("b")
    course.heard("b", 3, 0.9)  # news that comes late
    course.done("joined")  # what was no part of the course
    assert course.line() == "2 of 2" and course.share == 1


def test_a_summary_names_few_and_counts_many():
    assert summary(["figures/b", "figures/a"], 3) == "2 made; 3 up to date: figures/a, figures/b"
    assert summary(["figures/a"] * (FEW + 1), 0) == f"{FEW + 1} made"


def test_lengths_of_time():
    assert clock(12.4) == "12 s" and clock(200) == "3 min 20 s"
