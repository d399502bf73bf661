"""Processes that work side by side: each task is done once, what is told is heard, none is left behind."""

import os
import signal
from multiprocessing import active_children

import pytest

from attn.build.workers import spread


def square(number, tell):
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if tell:
        tell("half")
    return number**2


def test_each_task_is_done_once_and_what_is_told_is_heard():
    heard = []
    found = list(spread(square, range(5), 2, lambda *news: heard.append(news)))
    assert sorted(found) == [(number, number**2) for number in range(5)]
    assert sorted(heard) == [(number, "half") for number in range(5)]
    assert not active_children()


def test_a_process_that_is_killed_is_one_error_and_the_others_end():
    with pytest.raises(ChildProcessError, match="ended from outside"):
        list(spread(square, [1, -1, 2, 3], 2, None))
    assert not active_children()


def test_who_stops_listening_leaves_no_process():
    found = spread(square, range(100), 2, None)
    next(found)
    found.close()
    assert not active_children()
