from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from prism.engine import Prism
from prism.errors import NotFoundError
from prism.types import IngestProgress, JobInfo
from tests.fakes import LetterEmbedder

FILES = {"locker.txt": "Locker code is 4471.", "leave.txt": "Annual leave is fifteen days."}


def interrupt_at(files_done: int) -> Callable[[IngestProgress], None]:
    def tell(progress: IngestProgress) -> None:
        if progress.files_done == files_done:
            raise KeyboardInterrupt

    return tell


def interrupted(prism: Prism, add, files=FILES, at: int = 0, **options) -> JobInfo:
    """A job stopped after `at` files."""
    with pytest.raises(KeyboardInterrupt):
        add(prism, files, on_progress=interrupt_at(at), **options)
    return prism.jobs(options.get("workspace"))[0]


def test_ing_45_a_stopped_ingest_is_gone_on_with_after_a_restart(open_prism, add) -> None:
    interrupted(open_prism(), add, at=1)
    prism = open_prism()
    (job,) = prism.jobs()
    assert (job.state, [file.status for file in job.files]) == ("interrupted", ["interrupted", "waiting"])

    told: list[IngestProgress] = []
    report = prism.resume(on_progress=told.append)

    assert [file.status for file in report.files] == ["unchanged", "added"]
    assert report.job_id == job.job_id
    assert {item.job_id for item in told} == {job.job_id}
    assert prism.jobs()[0].state == "done"
    assert [info.status for info in prism.documents()] == ["active", "active"]
    assert prism.resume().files == ()
    assert prism.status().consistent


def test_every_stopped_job_is_gone_on_with_oldest_first_but_not_a_cancelled_one(prism: Prism, add) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        last = interrupted(prism, add, {name: f"Words of {name}."})
    prism.cancel(last.job_id)
    assert [(file.document, file.status) for file in prism.resume().files] == [
        ("a.txt", "added"),
        ("b.txt", "added"),
    ]
    assert [job.state for job in prism.jobs()] == ["cancelled", "done", "done"]
    assert prism.resume(last.job_id[:8]).count("added") == 1
    assert prism.jobs()[0].state == "done"


def test_cancelling_one_of_several_jobs_leaves_the_others_for_later(prism: Prism, add) -> None:
    for name in ("a.txt", "b.txt"):
        interrupted(prism, add, {name: f"Words of {name}."})
    report = prism.resume(on_progress=lambda progress: prism.cancel(progress.job_id))
    assert [(file.document, file.status) for file in report.files] == [("a.txt", "cancelled")]
    assert [job.state for job in prism.jobs()] == ["interrupted", "cancelled"]


def test_a_job_is_cancelled_from_another_thread_after_the_leaves_at_hand(open_prism, add) -> None:
    under_way, go_on = threading.Event(), threading.Event()

    class Slow(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            under_way.set()
            assert go_on.wait(30)
            return super().embed(texts, on_batch)

    prism = open_prism(embedder=Slow())

    def cancel() -> None:
        assert under_way.wait(30)
        prism.cancel(prism.jobs()[0].job_id)
        go_on.set()

    thread = threading.Thread(target=cancel)
    thread.start()
    report = add(prism, FILES)
    thread.join()
    assert [file.status for file in report.files] == ["cancelled", "cancelled"]
    assert prism.jobs()[0].state == "cancelled"
    assert {info.status for info in prism.documents()} == {"interrupted"}
    assert prism.resume(report.job_id).count("added") == 2


def test_an_embedder_that_tells_nothing_in_between_is_stopped_all_the_same(open_prism, add) -> None:
    opened: list[Prism] = []

    class Silent(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            opened[0].cancel(opened[0].jobs()[0].job_id)
            return super().embed(texts)

    opened.append(open_prism(embedder=Silent()))
    assert [file.status for file in add(opened[0], FILES).files] == ["cancelled", "cancelled"]


def test_jobs_stay_in_their_workspace(prism: Prism, add) -> None:
    job = interrupted(prism, add, workspace="other")
    assert prism.jobs() == ()
    assert prism.resume().files == ()
    with pytest.raises(NotFoundError, match="prism jobs"):
        prism.resume(job.job_id)
    assert prism.resume(job.job_id, workspace="other").count("added") == 2
    assert len(prism.documents("other")) == 2


@pytest.mark.parametrize("name", ["", "unknown", "abc", "\ud835"])
def test_a_job_that_is_not_there_is_told_so(prism: Prism, add, name: str) -> None:
    interrupted(prism, add)
    for call in (prism.resume, prism.cancel):
        with pytest.raises(NotFoundError, match="prism jobs"):
            call(name)


@pytest.mark.parametrize("how", ["delete", "purge"])
def test_a_document_deleted_after_its_update_was_stopped_does_not_come_back(
    prism: Prism, add, how: str
) -> None:
    add(prism, {"locker.txt": "Locker code is 4471."})
    interrupted(prism, add, {"locker.txt": "Locker code is 9999."})
    getattr(prism, how)("locker.txt")
    assert prism.resume().files == ()
    assert prism.resume(prism.jobs()[0].job_id, retry_failed=True).files == ()
    assert [info for info in prism.documents() if info.status == "active"] == []


def test_ing_45_an_interrupted_document_can_be_deleted_and_stays_away(open_prism, add) -> None:
    class Stopping(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise KeyboardInterrupt

    prism = open_prism(embedder=Stopping())
    with pytest.raises(KeyboardInterrupt):
        add(prism, FILES)
    prism = open_prism()
    assert [(info.document, info.status) for info in prism.documents()] == [("locker.txt", "interrupted")]
    prism.delete("locker.txt")
    assert prism.documents() == []
    assert [file.document for file in prism.resume().files] == ["leave.txt"]


def test_an_older_job_does_not_put_its_file_over_a_newer_one(prism: Prism, add) -> None:
    old = interrupted(prism, add, {"locker.txt": "Locker code is 1111."})
    assert add(prism, {"locker.txt": "Locker code is 2222."}).count("added") == 1
    assert prism.resume(old.job_id).files == ()
    assert [job.state for job in prism.jobs()] == ["done", "done"]


def test_what_failed_is_tried_again_on_request(open_prism, add) -> None:
    class Failing(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise RuntimeError("a fault of ours")

    job_id = add(open_prism(embedder=Failing()), FILES).job_id
    prism = open_prism()
    assert prism.resume(job_id).files == ()
    assert prism.resume(job_id, retry_failed=True).count("added") == 2


def test_a_job_whose_end_could_not_be_recorded_is_gone_on_with_in_the_same_process(
    prism: Prism, add, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(prism._storage.jobs, "finish", broken)
        interrupted(prism, add)
    assert prism.jobs()[0].state == "running"
    assert prism.resume().count("added") == 2


def test_only_the_latest_jobs_are_kept(open_prism, add) -> None:
    prism = open_prism(**{"ingest.keep_jobs": 2})
    for _ in range(3):
        last = add(prism, FILES).job_id
    latest, _ = prism.jobs()
    assert latest.job_id == last


def test_the_async_twins_do_the_same(prism: Prism, add) -> None:
    job = interrupted(prism, add)
    asyncio.run(prism.acancel(job.job_id))
    assert prism.jobs()[0].state == "cancelled"
    assert asyncio.run(prism.aresume(job.job_id)).count("added") == 2
