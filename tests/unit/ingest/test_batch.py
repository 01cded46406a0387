from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from prism.errors import ModelCallError, NotFoundError, StoreError
from prism.ingest.batch import ingest_batch, resume_job
from prism.ingest.discover import discover
from prism.ingest.pipeline import IngestParts
from prism.ingest.walk import CANNOT_BE_OPENED, Skipped
from prism.stores.jobs import Jobs
from prism.stores.storage import Storage
from prism.types import IngestProgress, IngestReport, JobInfo, Source
from tests.fakes import LetterEmbedder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    (made / "sub").mkdir(parents=True)
    (made / "a.txt").write_text("Alpha rule.")
    (made / "sub" / "b.txt").write_text("Beta rule.")
    (made / "c.pdf").write_bytes(b"%PDF-1.7 truncated")
    (made / ".hidden.txt").write_text("Hidden rule.")
    return made


@pytest.fixture
def run(parts: IngestParts, storage: Storage):
    def ingest(*given, prune: bool = False, on_progress=None) -> IngestReport:
        return ingest_batch(given, parts, storage.jobs, on_progress, prune=prune)

    return ingest


def statuses(report: IngestReport) -> dict[str, str]:
    return {file.document: file.status for file in report.files}


def test_ing_13_one_bad_file_does_not_stop_the_rest_and_a_second_run_adds_nothing(run, folder: Path) -> None:
    wanted = {"a.txt": "added", "c.pdf": "failed", "sub/b.txt": "added", ".hidden.txt": "skipped"}
    assert statuses(run(folder)) == wanted
    again = run(folder)
    assert statuses(again) == {**wanted, "a.txt": "unchanged", "sub/b.txt": "unchanged"}
    assert (again.count("added"), again.count("failed"), again.count("skipped")) == (0, 1, 1)


def test_a_path_that_does_not_exist_stops_the_batch_before_it_begins(
    run, folder: Path, storage: Storage
) -> None:
    with pytest.raises(NotFoundError, match="nowhere"):
        run(folder, folder / "nowhere")
    assert storage.catalogue.documents("default") == []
    assert storage.jobs.of_workspace("default") == ()


def test_the_job_tells_what_became_of_each_file(run, folder: Path, storage: Storage) -> None:
    run(folder)
    (job,) = storage.jobs.of_workspace("default")
    assert (job.state, job.finished_at is None) == ("done", False)
    assert {file.document: file.status for file in job.files} == {
        "a.txt": "added",
        "c.pdf": "failed",
        "sub/b.txt": "added",
    }
    assert next(file.reason for file in job.files if file.status == "failed")


def test_an_interrupted_job_shows_how_far_it_came(run, folder: Path, storage: Storage) -> None:
    def stop(progress: IngestProgress) -> None:
        if progress.files_done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(folder, on_progress=stop)
    (job,) = storage.jobs.of_workspace("default")
    assert job.state == "interrupted"
    assert [file.status for file in job.files] == ["interrupted", "waiting", "waiting"]
    assert [info.document for info in storage.catalogue.documents("default")] == ["a.txt"]


def test_pruning_deletes_what_was_not_given_and_undo_is_possible(run, folder: Path, storage: Storage) -> None:
    run(folder)
    (folder / "a.txt").unlink()
    run(folder, prune=True)
    assert {info.document: info.status for info in storage.catalogue.documents("default")} == {
        "a.txt": "deleted",
        "sub/b.txt": "active",
    }


def test_what_is_to_be_pruned_is_told_before_it_goes(
    run, folder: Path, storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    run(folder)
    (folder / "a.txt").unlink()
    report = run(folder, prune=True)
    assert "1 document whose file is gone is deleted (--prune; undo brings it back): a.txt" in caplog.text
    assert [(file.document, file.reason) for file in report.files if file.document_id and file.reason] == [
        ("sub/b.txt", "already indexed"),
        ("a.txt", "its file is gone, so deleted (--prune); undo brings it back"),
    ]


def test_pruning_keeps_uploads_other_folders_and_files_that_are_merely_left_out(
    run, folder: Path, storage: Storage, three: list[Source], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (other := tmp_path / "other").mkdir()
    (other / "d.txt").write_text("Delta rule.")
    run(folder, other, *three)
    shutil.rmtree(three[0].path.parent)
    (other / "d.txt").unlink()
    everything = {"a.txt", "sub/b.txt", "d.txt", "one.txt", "two.txt", "three.txt"}
    run(folder / "sub", prune=True)
    assert set(active(storage)) == {*everything, "b.txt"}
    run(folder / "a.txt", prune=True)
    assert "no folder was given" in caplog.text
    run(f"{folder}/*.txt", prune=True)
    assert set(active(storage)) == {*everything, "b.txt"}
    run(folder, prune=True)
    assert set(active(storage)) == {*everything, "b.txt"}
    (other / "e.txt").write_text("Epsilon rule.")
    run(other, prune=True)
    assert set(active(storage)) == {*everything, "b.txt", "e.txt"} - {"d.txt"}


def test_pruning_keeps_a_document_whose_file_cannot_be_read_now(run, folder: Path, storage: Storage) -> None:
    run(folder)
    (folder / "a.txt").write_bytes(bytes(range(256)) * 10)
    report = run(folder, prune=True)
    assert statuses(report)["a.txt"] == "failed"
    assert {info.status for info in storage.catalogue.documents("default")} == {"active"}


def test_nothing_given_is_an_empty_report(run) -> None:
    assert run().files == ()


def test_progress_counts_the_files(run, folder: Path) -> None:
    told: list[IngestProgress] = []
    run(folder, on_progress=told.append)
    assert (told[0].files_done, told[-1].files_done, told[-1].files_total) == (0, 3, 3)


# ── cancelled and resumed ───────────────────────────────────────────────────────────────────────


class Counting(LetterEmbedder):
    """Counts the texts embedded; `stop_at` calls `stop` when so many have been asked for."""

    def __init__(self, stop_at: int = 0, stop: Callable[[], object] = lambda: None) -> None:
        self.texts, self._stop_at, self._stop = 0, stop_at, stop

    def embed(self, texts, on_batch=None):
        vectors = super().embed(texts)
        for _ in texts:
            self.texts += 1
            if self.texts == self._stop_at:
                self._stop()
            if on_batch is not None:
                on_batch(self.texts)
        return vectors


@pytest.fixture
def three(tmp_path: Path) -> list[Source]:
    """Three uploads of one leaf each, in a folder that goes away."""
    (folder := tmp_path / "upload").mkdir()
    sources = []
    for name in ("one", "two", "three"):
        path = folder / f"tmp-{name}"
        path.write_text(f"The cap is {name}.")
        sources.append(Source(path, f"{name}.txt"))
    return sources


@pytest.fixture
def jobs(storage: Storage) -> Jobs:
    return storage.jobs


def only_job(jobs: Jobs) -> JobInfo:
    (job,) = jobs.of_workspace("default")
    return job


def stopping(parts: IngestParts, at: int, stop: Callable[[], object]) -> IngestParts:
    return replace(parts, embedder=Counting(at, stop))


def interrupt() -> None:
    raise KeyboardInterrupt


def go_on(job: JobInfo, parts: IngestParts, jobs: Jobs, *, retry_failed: bool = False) -> IngestReport:
    return resume_job(job, parts, jobs, None, retry_failed=retry_failed, sleep=pytest.fail)


def active(storage: Storage) -> list[str]:
    return [item.document for item in storage.catalogue.documents("default") if item.status == "active"]


def test_a_cancelled_job_keeps_what_is_done_gives_up_what_is_at_hand_and_leaves_the_rest(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    cancelling = stopping(parts, 2, lambda: jobs.cancel(only_job(jobs).job_id))
    report = ingest_batch(three, cancelling, jobs, None, prune=False)

    assert [file.status for file in report.files] == ["added", "cancelled", "cancelled"]
    job = only_job(jobs)
    assert (job.state, job.job_id) == ("cancelled", report.job_id)
    assert [file.status for file in job.files] == ["added", "cancelled", "cancelled"]
    assert active(storage) == ["one.txt"]
    assert storage.active("default").vectors.count() == 1


def test_a_cancelled_update_leaves_the_old_version_answering(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    ingest_batch(three[:1], parts, jobs, None, prune=False)
    three[0].path.write_text("The cap is four.")
    cancelling = stopping(parts, 1, lambda: jobs.cancel(jobs.of_workspace("default")[0].job_id))
    assert ingest_batch(three[:1], cancelling, jobs, None, prune=False).count("cancelled") == 1
    (info,) = storage.catalogue.documents("default")
    assert info.status == "active"
    assert storage.catalogue.text(info.document_id, info.generation) == "The cap is one."


def test_a_cancelled_job_prunes_nothing(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    folder = three[0].path.parent
    ingest_batch([folder], parts, jobs, None, prune=False)
    three[2].path.unlink()
    three[0].path.write_text("The cap is five.")
    cancelling = stopping(parts, 1, lambda: jobs.cancel(jobs.of_workspace("default")[0].job_id))
    ingest_batch([folder], cancelling, jobs, None, prune=True)
    assert active(storage) == ["tmp-one", "tmp-three", "tmp-two"]


def test_ing_45_a_stopped_job_goes_on_with_what_it_has_left_and_no_more(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        ingest_batch(three, stopping(parts, 2, interrupt), jobs, None, prune=False)
    job = only_job(jobs)
    assert [file.status for file in job.files] == ["added", "interrupted", "waiting"]

    counting = replace(parts, embedder=Counting())
    report = go_on(job, counting, jobs)

    assert [(file.document, file.status) for file in report.files] == [
        ("two.txt", "added"),
        ("three.txt", "added"),
    ]
    assert counting.embedder.texts == 2
    assert only_job(jobs).state == "done"
    assert only_job(jobs).count("added") == 3
    assert storage.active("default").vectors.count() == 3
    assert go_on(only_job(jobs), parts, jobs).files == ()
    assert only_job(jobs).state == "done"


def test_a_cancelled_job_goes_on_when_it_is_named(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    cancelling = stopping(parts, 1, lambda: jobs.cancel(only_job(jobs).job_id))
    ingest_batch(three, cancelling, jobs, None, prune=False)
    assert go_on(only_job(jobs), parts, jobs).count("added") == 3
    assert only_job(jobs).state == "done"


def test_an_upload_whose_temporary_file_is_gone_is_read_from_the_copy_kept(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        ingest_batch(three, stopping(parts, 1, interrupt), jobs, None, prune=False)
    paths = [str(source.path) for source in three]
    shutil.rmtree(three[0].path.parent)

    report = go_on(only_job(jobs), parts, jobs)

    assert [file.status for file in report.files] == ["added", "failed", "failed"]
    assert [file.path for file in report.files] == paths
    assert "Give the file again" in report.files[1].reason
    assert "tmp-two" in report.files[1].reason
    assert active(storage) == ["one.txt"]
    assert storage.catalogue.documents("default")[0].title == "one"


def test_a_copy_that_was_kept_before_the_job_is_not_taken_for_the_file_given(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    ingest_batch(three[:1], parts, jobs, None, prune=False)
    three[0].path.write_text("The cap is four.")
    # Cut short before anything of the new file was kept.
    with pytest.raises(KeyboardInterrupt):
        ingest_batch(three[:1], parts, jobs, lambda progress: interrupt(), prune=False)
    three[0].path.unlink()

    (file,) = go_on(jobs.of_workspace("default")[0], parts, jobs).files
    assert (file.status, "Give the file again" in file.reason) == ("failed", True)
    assert active(storage) == ["one.txt"]


def test_a_file_that_came_in_just_before_the_crash_is_found_unchanged(
    parts: IngestParts, jobs: Jobs, three: list[Source]
) -> None:
    def stop(progress: IngestProgress) -> None:
        if progress.stage == "done":
            interrupt()

    with pytest.raises(KeyboardInterrupt):
        ingest_batch(three[:1], parts, jobs, stop, prune=False)
    three[0].path.unlink()
    assert [file.status for file in go_on(only_job(jobs), parts, jobs).files] == ["unchanged"]


def test_ing_46_a_rate_limit_that_passes_costs_a_wait_and_nothing_else(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    failures = [ModelCallError("429"), ModelCallError("429")]
    slept: list[float] = []

    def stop() -> None:
        if failures:
            raise failures.pop()

    class Flaky(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            stop()
            return super().embed(texts, on_batch)

    flaky = replace(parts, embedder=Flaky())
    report = ingest_batch(three, flaky, jobs, None, prune=False, sleep=slept.append)
    assert report.count("added") == 3
    assert sum(slept) == pytest.approx(0.5 + 1)
    assert storage.active("default").vectors.count() == 3


def test_ing_46_a_rate_limit_that_stays_fails_the_file_by_name_and_a_retry_brings_it_in(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    class Limited(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise ModelCallError("429: too many requests")

    limited = replace(parts, embedder=Limited())
    report = ingest_batch(three[:1], limited, jobs, None, prune=False, sleep=lambda _: None)
    assert [(file.document, file.status) for file in report.files] == [("one.txt", "failed")]
    assert "429" in report.files[0].reason
    assert storage.active("default").vectors.count() == 0

    assert go_on(only_job(jobs), parts, jobs).files == ()
    assert go_on(only_job(jobs), parts, jobs, retry_failed=True).count("added") == 1
    assert go_on(only_job(jobs), parts, jobs, retry_failed=True).files == ()
    assert active(storage) == ["one.txt"]


def test_an_error_that_is_no_files_own_ends_the_job_and_is_kept(
    parts: IngestParts, storage: Storage, jobs: Jobs, three: list[Source]
) -> None:
    def tell(progress: IngestProgress) -> None:
        if progress.files_done == 1:
            raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="disk is full"):
        ingest_batch(three, parts, jobs, tell, prune=False)
    job = only_job(jobs)
    assert (job.state, job.reason) == ("failed", "the disk is full")
    assert go_on(job, parts, jobs).count("added") == 2
    assert (only_job(jobs).state, only_job(jobs).reason) == ("done", "")
    assert len(active(storage)) == 3


def test_the_first_error_is_shown_when_the_end_cannot_be_recorded_either(
    parts: IngestParts, jobs: Jobs, three: list[Source], monkeypatch: pytest.MonkeyPatch, caplog
) -> None:
    def broken(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(jobs, "finish", broken)
    with pytest.raises(KeyboardInterrupt):
        ingest_batch(three, stopping(parts, 1, interrupt), jobs, None, prune=False)
    assert "could not be recorded" in caplog.text


def test_what_is_deleted_while_it_waits_is_passed_over(
    parts: IngestParts, jobs: Jobs, storage: Storage, three: list[Source]
) -> None:
    withdrawing = stopping(parts, 1, lambda: jobs.withdraw("default", "two.txt"))
    told: list[IngestProgress] = []
    report = ingest_batch(three, withdrawing, jobs, told.append, prune=False)
    assert [file.status for file in report.files] == ["added", "skipped", "added"]
    assert told[-1].files_done == 3
    assert only_job(jobs).count("skipped") == 1


def test_what_is_pruned_does_not_come_back_when_an_older_job_goes_on(
    parts: IngestParts, jobs: Jobs, storage: Storage, three: list[Source]
) -> None:
    folder = three[0].path.parent
    ingest_batch([folder], parts, jobs, None, prune=False)
    three[1].path.write_text("The cap is five.")
    with pytest.raises(KeyboardInterrupt):
        ingest_batch([three[1].path], stopping(parts, 1, interrupt), jobs, None, prune=False)
    old = jobs.of_workspace("default")[0]
    three[1].path.unlink()
    ingest_batch([folder], parts, jobs, None, prune=True)
    updated = jobs.get(old.job_id)
    assert updated is not None
    assert go_on(updated, parts, jobs).files == ()
    assert active(storage) == ["tmp-one", "tmp-three"]


def test_pruning_deletes_nothing_when_nothing_is_there_to_be_seen(
    run, folder: Path, storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    run(folder)
    shutil.rmtree(folder)
    folder.mkdir()
    assert statuses(run(folder, prune=True)) == {"docs": "skipped"}
    assert {info.status for info in storage.catalogue.documents("default")} == {"active"}
    assert "nothing was deleted" in caplog.text


def test_pruning_deletes_nothing_when_a_folder_cannot_be_opened(
    run, folder: Path, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(folder)
    hidden = Skipped(folder / "sub", f"the folder {CANNOT_BE_OPENED} (Permission denied)")

    def without_sub(*given: object) -> tuple[list[Source], list[Skipped]]:
        sources, skipped = discover(*given)
        return [source for source in sources if source.name == "a.txt"], [*skipped, hidden]

    monkeypatch.setattr("prism.ingest.batch.discover", without_sub)
    assert statuses(run(folder, prune=True))["sub"] == "skipped"
    assert {info.status for info in storage.catalogue.documents("default")} == {"active"}
