from __future__ import annotations

import signal
import threading

import pytest

from prism.ctrl_c import CtrlC
from prism.types import IngestProgress

PROGRESS = IngestProgress("embedding", "a.txt", 0, 1, 1, 1.0, None, job_id="job")


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_first_cancels_the_job_under_way_and_the_second_stops_at_once() -> None:
    cancelled: list[str] = []
    told: list[IngestProgress] = []
    with CtrlC(cancelled.append, told.append) as watched:
        watched.update(PROGRESS)
        press()
        assert (cancelled, told) == (["job"], [PROGRESS])
        with pytest.raises(KeyboardInterrupt):
            press()
    assert cancelled == ["job"]


def test_before_a_job_has_begun_there_is_nothing_to_cancel() -> None:
    with CtrlC(pytest.fail, lambda _: None), pytest.raises(KeyboardInterrupt):
        press()


def test_afterwards_ctrl_c_means_what_it_did() -> None:
    before = signal.getsignal(signal.SIGINT)
    with CtrlC(lambda _: None, lambda _: None):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_nothing_is_watched() -> None:
    before, seen = signal.getsignal(signal.SIGINT), []

    def run() -> None:
        with CtrlC(lambda _: None, lambda _: None):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_ctrl_c_that_is_ignored_stays_ignored() -> None:
    before, cancelled = signal.signal(signal.SIGINT, signal.SIG_IGN), []
    try:
        with CtrlC(cancelled.append, lambda _: None) as watch:
            watch.update(PROGRESS)
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert cancelled == []
