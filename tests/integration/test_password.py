"""`prism ingest --password`: tried on every locked file, kept nowhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from prism import IngestReport, Prism
from tests.crash import open_folder
from tests.processes import run_prism

PASSWORD = "Zitronenfalter-7"  # noqa: S105
OTHER = "another"


def locked(text: str, password: str = PASSWORD) -> bytes:
    data = io.BytesIO()
    canvas = Canvas(data, encrypt=password)
    canvas.drawString(72, 720, text)
    canvas.save()
    return data.getvalue()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (folder := tmp_path / "docs").mkdir()
    (folder / "a.pdf").write_bytes(locked("The berth fee is 40 crowns."))
    (folder / "b.pdf").write_bytes(locked("The crane fee is 60 crowns.", OTHER))
    (folder / "c.txt").write_text("The quay fee is 80 crowns.")
    return folder


def statuses(report: IngestReport) -> list[str]:
    return [file.status for file in report.files]


def assert_kept_nowhere(folder: Path) -> None:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    for file in files:
        assert PASSWORD.encode() not in file.read_bytes(), file


def ask(prism: Prism) -> str:
    return " ".join(passage.text for passage in prism.retrieve("berth fee").passages)


def test_ing_11_a_password_opens_what_it_fits_and_is_kept_nowhere(
    tmp_path: Path, docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with open_folder(tmp_path / "store") as prism:
        report = prism.ingest(docs)
        assert statuses(report) == ["failed", "failed", "added"]
        assert "password protected" in report.files[0].reason
        report = prism.ingest(docs, password=PASSWORD)
        assert statuses(report) == ["added", "failed", "unchanged"]
        assert "the password given does not open it" in report.files[1].reason
        assert "berth fee is 40" in ask(prism)
        # A job that goes on needs it again: it was not kept.
        assert statuses(prism.resume(report.job_id, retry_failed=True)) == ["failed"]
        assert statuses(prism.resume(report.job_id, retry_failed=True, password=OTHER)) == ["added"]
        assert PASSWORD not in repr(prism.jobs())
    assert_kept_nowhere(tmp_path / "store")
    assert PASSWORD not in caplog.text


def test_the_password_is_read_from_a_pipe(tmp_path: Path, docs: Path) -> None:
    ended = run_prism("--json", "ingest", "--password", "docs", folder=tmp_path, typed=f"{PASSWORD}\n")
    assert ended.code == 1
    assert [file["status"] for file in ended.json["files"]] == ["added", "failed", "added"]
    assert PASSWORD not in ended.out + ended.err
    assert run_prism("ingest", "docs", "--password", folder=tmp_path).code == 2
