"""Sets of files: pages or documents are judged, and files that are not there are told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from eval.datasets.pages import is_paged, read_pages
from prism.errors import UsageError

QUERIES = [{"_id": "q1", "text": "How much?"}, {"_id": "q2", "text": "What?"}]


def lines(file: Path, rows: Sequence[Mapping[str, str]]) -> None:
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files are named, one is there; pages are judged."""
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "a.pdf").write_bytes(b"a")
    lines(tmp_path / "files.jsonl", [{"key": "A", "file": "a.pdf"}, {"key": "B", "file": "b.pdf"}])
    lines(tmp_path / "queries.jsonl", QUERIES)
    (tmp_path / "qrels.tsv").write_text("q\tc\ts\nq1\tA#p2\t1\nq1\tB#p1\t1\nq2\tB#p3\t1\n")
    return tmp_path


def test_a_set_is_known_by_its_files(folder: Path) -> None:
    assert is_paged(folder)
    (folder / "files.jsonl").unlink()
    assert not is_paged(folder)


def test_pages_of_files_that_are_there_are_gold(folder: Path) -> None:
    dataset = read_pages(folder)
    assert dataset.key_of == {"a.pdf": "A"}
    assert [source.name for source in dataset.sources] == ["a.pdf"]
    first, second = dataset.questions
    assert (first.unit, first.grades, first.unscorable) == ("page", {"A#p2": 1}, "")
    assert second.unscorable == "the files that answer it are not in this collection"
    assert dataset.notes == ("1 of 2 files are not there.",)


def test_whole_documents_may_be_judged(folder: Path) -> None:
    (folder / "files.jsonl").unlink()
    lines(folder / "documents.jsonl", [{"_id": "A", "file": "a.pdf"}])
    (folder / "qrels_docs.tsv").write_text("q\tc\ts\nq1\tA\t1\n")
    dataset = read_pages(folder)
    assert dataset.questions[0].unit == "document"
    assert dataset.questions[0].grades == {"A": 1}
    assert dataset.notes == ()


def test_the_fingerprint_is_of_the_files_too(folder: Path) -> None:
    before = read_pages(folder).fingerprint
    (folder / "pdfs" / "a.pdf").write_bytes(b"another")
    assert read_pages(folder).fingerprint != before


def test_a_row_without_key_is_refused(folder: Path) -> None:
    lines(folder / "files.jsonl", [{"file": "a.pdf"}])
    with pytest.raises(UsageError, match=r"files\.jsonl: a file lacks 'key'. Wanted: key and file"):
        read_pages(folder)


def test_no_file_at_all_is_refused(folder: Path) -> None:
    (folder / "pdfs" / "a.pdf").unlink()
    with pytest.raises(UsageError, match=r"pdfs: none of the files that files\.jsonl names"):
        read_pages(folder)


def test_missing_judgements_are_refused(folder: Path) -> None:
    (folder / "qrels.tsv").unlink()
    with pytest.raises(UsageError, match=r"qrels\.tsv: cannot be read"):
        read_pages(folder)
