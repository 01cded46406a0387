from __future__ import annotations

import pytest

from prism.ingest import progress as module
from prism.ingest.progress import Cancelled, Progress
from prism.types import IngestProgress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch):
    """A clock that stands still until it is set."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])

    def set_to(seconds: float) -> None:
        now[0] = 100.0 + seconds

    return set_to


def test_files_leaves_rate_and_time_left_are_told(clock) -> None:
    told: list[IngestProgress] = []
    progress = Progress([300, 100], told.append)

    progress.reading("a.txt")
    clock(2)
    progress.embedding(10)
    progress.storing()
    clock(3)
    progress.finished(12)
    progress.reading("b.txt")
    clock(4)
    progress.embedding(8)

    assert [item.stage for item in told] == [
        "reading",
        "embedding",
        "storing",
        "done",
        "reading",
        "embedding",
    ]
    assert [item.document for item in told] == ["a.txt"] * 4 + ["b.txt"] * 2
    assert [item.files_done for item in told] == [0, 0, 0, 1, 1, 1]
    assert {item.files_total for item in told} == {2}
    assert told[1].leaves_per_s == 5.0  # 10 leaves in 2 s
    assert told[1].seconds_left is None  # no file done yet
    assert told[3].seconds_left == pytest.approx(1.0)  # 300 bytes took 3 s, 100 are left
    assert (told[5].leaves_done, told[5].leaves_per_s) == (20, 5.0)  # 12 and 8 in 4 s


def test_leaves_that_were_there_already_do_not_count_as_work(clock) -> None:
    told: list[IngestProgress] = []
    progress = Progress([1], told.append)
    progress.reading("a.txt")
    clock(1)
    progress.finished(500)
    assert (told[-1].leaves_done, told[-1].seconds_left) == (0, 0.0)


def test_a_file_that_failed_counts_as_done_without_its_leaves(clock) -> None:
    told: list[IngestProgress] = []
    progress = Progress([1, 1], told.append)
    progress.reading("a.txt")
    progress.embedding(7)
    progress.finished(0)
    assert (told[-1].files_done, told[-1].leaves_done) == (1, 0)


def test_files_of_no_bytes_give_no_time_left(clock) -> None:
    told: list[IngestProgress] = []
    progress = Progress([0, 0], told.append)
    progress.reading("a.txt")
    progress.finished(0)
    assert told[-1].seconds_left is None


def test_nobody_need_listen() -> None:
    progress = Progress([1], None)
    progress.reading("a.txt")
    progress.finished(1)


def test_a_cancelled_job_is_noticed_at_the_next_leaves_and_the_job_is_named() -> None:
    told: list[IngestProgress] = []
    cancelled = [False]
    progress = Progress([1], told.append, job_id="job", is_cancelled=lambda: cancelled[0])
    progress.reading("a.txt")
    progress.embedding(1)
    cancelled[0] = True
    with pytest.raises(Cancelled):
        progress.embedding(2)
    assert [item.leaves_done for item in told] == [0, 1, 2]
    assert {item.job_id for item in told} == {"job"}


def test_being_cancelled_is_no_error_that_a_handler_of_errors_would_catch() -> None:
    assert not issubclass(Cancelled, Exception)


def test_pages_are_told_ten_times_a_second_and_the_last_one_always(clock) -> None:
    told: list[IngestProgress] = []
    progress = Progress([300], told.append)
    progress.reading("a.pdf")
    for page, second in enumerate((1, 1.05, 1.09, 1.11, 1.15, 1.16), 1):
        clock(second)
        progress.page(page, 6)
    progress.embedding(3)
    assert [(item.stage, item.page, item.pages) for item in told] == [
        ("reading", 0, 0),
        ("reading", 1, 6),
        ("reading", 4, 6),
        ("reading", 6, 6),
        ("embedding", 0, 0),
    ]


def test_a_cancelled_job_is_noticed_at_the_next_page() -> None:
    with pytest.raises(Cancelled):
        Progress([1], None, is_cancelled=lambda: True).page(1, 9)
