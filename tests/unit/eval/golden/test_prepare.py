"""The documents as they were before."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.golden import prepare
from eval.golden.prepare import DOCUMENTS, EDITS, EXTRA_NAME, Edit, prepared, write_older
from prism import FileReport, IngestReport, Prism, Settings, UsageError


def test_two_documents_read_otherwise_and_there_is_one_more(tmp_path: Path) -> None:
    write_older(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} - {path.name for path in DOCUMENTS.iterdir()} == {
        EXTRA_NAME
    }
    differing = {
        path.name for path in DOCUMENTS.iterdir() if path.read_bytes() != (tmp_path / path.name).read_bytes()
    }
    assert differing == {edit.document for edit in EDITS}
    assert len(differing) == 2


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.before[:30])
def test_the_older_wording_stands_in_the_place_of_the_present_one(tmp_path: Path, edit: Edit) -> None:
    write_older(tmp_path)
    older = (tmp_path / edit.document).read_text(encoding="utf-8")
    assert (older.count(edit.before), older.count(edit.now)) == (1, 0)


def test_a_wording_that_is_gone_from_the_documents_is_an_error_with_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "EDITS", (Edit("faq.md", "nobody wrote this", ""),))
    with pytest.raises(UsageError, match=r"faq\.md does not hold 'nobody wrote this' once\. Change EDITS"):
        write_older(tmp_path)


class Unreading:
    """An engine that reads no file."""

    def __enter__(self) -> Unreading:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def ingest(self, folder: Path) -> IngestReport:
        failed = FileReport("faq.md", "faq.md", None, "failed", "too many pages", 0, 0, (), 0.0)
        return IngestReport((failed,), 0.0)


def test_documents_that_do_not_come_in_are_an_error_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Prism, "open", lambda *given, **options: Unreading())
    with (
        pytest.raises(UsageError, match=r"not as \{'added': 15\} \(faq\.md: too many pages\)"),
        prepared(tmp_path, Settings()),
    ):
        pass
