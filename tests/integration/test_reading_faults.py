"""A parser that hangs or crashes costs one file of a batch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import open_folder
from tests.shelf import write

FAULTY_READERS = Path(__file__).parents[1] / "faulty_readers"

FILES = {
    "1.txt": "The berth fee is 40 crowns.",
    "2.txt": "FAULT for_ever",
    "3.txt": "The crane fee is 60 crowns.",
    "4.txt": "FAULT segfault",
    "5.txt": "The quay fee is 80 crowns.",
}


def test_ing_13_of_five_files_one_that_hangs_and_one_that_crashes_fail_and_a_second_run_adds_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(FAULTY_READERS)
    files = write(tmp_path / "files", FILES)
    with open_folder(tmp_path / "store", read={"timeout_s": 1.0}) as prism:
        report = prism.ingest(files)
        assert [file.status for file in report.files] == ["added", "failed", "added", "failed", "added"]
        assert "read.timeout_s" in report.files[1].reason
        assert "crashed on this file (signal 11)" in report.files[3].reason
        again = prism.ingest(files)
        assert [file.status for file in again.files] == [
            "unchanged", "failed", "unchanged", "failed", "unchanged",
        ]  # fmt: skip
        assert prism.status().active_leaves == 3
        assert prism.status().consistent
        # What failed comes in when the fault is mended.
        files[1].path.write_text("The tug fee is 90 crowns.")
        assert prism.resume(report.job_id, retry_failed=True).count("added") == 1


def test_a_job_cancelled_while_a_reader_hangs_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(FAULTY_READERS)
    files = write(tmp_path / "files", FILES)
    with open_folder(tmp_path / "store") as prism:

        def stop(progress) -> None:
            if progress.page == 17:
                prism.cancel(progress.job_id)

        report = prism.ingest(files, stop)
        assert [file.status for file in report.files] == ["added", *["cancelled"] * 4]
        assert report.seconds < 30
