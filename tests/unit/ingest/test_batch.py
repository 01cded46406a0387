from __future__ import annotations

from pathlib import Path

import pytest

from prism.errors import NotFoundError
from prism.ingest.batch import ingest_batch
from prism.ingest.pipeline import IngestParts
from prism.stores.storage import Storage
from prism.types import IngestProgress, IngestReport


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
