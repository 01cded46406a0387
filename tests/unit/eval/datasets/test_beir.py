"""A corpus in one file becomes documents with names, and questions know their gold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.beir import is_beir, read_beir
from prism.errors import UsageError
from prism.ingest.discover import source_key

CORPUS = [
    {"_id": "d1", "title": "Fees", "text": "Ten rupees."},
    {"_id": "d2", "title": "", "text": "No title."},
    {"_id": "d3", "title": "Terms", "text": "Terms of use."},
]
QUERIES = [
    {"_id": "q1", "text": "How much?", "type": "fact", "lang": "en", "answers": ["ten"]},
    {"_id": "q2", "text": "What is not judged?"},
    {"_id": "q3", "text": "What is elsewhere?"},
    {"_id": "q4", "text": "What is nowhere?", "answerable": False, "context_id": "d3"},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq1\tgone\t1\nq3\tgone\t1\n"


def written(
    folder: Path, corpus: list[dict[str, Any]] | None = None, queries: Any = None, qrels: str = QRELS
) -> Path:
    files = {"corpus.jsonl": corpus or CORPUS, "queries.jsonl": queries or QUERIES}
    folder.mkdir(exist_ok=True)
    for name, rows in files.items():
        (folder / name).write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    (folder / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_a_set_is_known_by_its_files(tmp_path: Path) -> None:
    assert not is_beir(tmp_path)
    assert is_beir(written(tmp_path))


def test_entries_become_documents_by_their_title(tmp_path: Path) -> None:
    dataset = read_beir(written(tmp_path / "set"), tmp_path / "work")
    assert dataset.key_of == {"000000/Fees.txt": "d1", "000001/-.txt": "d2", "000002/Terms.txt": "d3"}
    texts = [source.path.read_text(encoding="utf-8") for source in dataset.sources]
    assert texts == ["Fees\n\nTen rupees.", "No title.", "Terms of use."]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("a/b \\ c\td", "a b c d"),
        ("..", ".."),
        ("नियम " * 60, ("नियम " * 60)[:120].strip()),
        ("re\u0301sume\u0301", "résumé"),
        ("C: drive", "C: drive"),
    ],
)
def test_a_title_names_a_file_that_the_engine_calls_the_same(tmp_path: Path, title: str, name: str) -> None:
    corpus = [{"_id": "d1", "title": title, "text": "x"}]
    dataset = read_beir(written(tmp_path / "set", corpus), tmp_path / "work")
    (source,) = dataset.sources
    assert source.name == source_key(source.name) == f"000000/{name}.txt"
    assert dataset.key_of == {source.name: "d1"}


def test_questions_have_the_gold_that_is_there(tmp_path: Path) -> None:
    first, second, third, fourth = read_beir(written(tmp_path / "set"), tmp_path / "work").questions
    assert first.grades == {"d1": 2, "d2": 0}
    assert (first.kind, first.language, first.answers, first.answerable) == ("fact", "en", ("ten",), True)
    assert first.unscorable == ""
    assert (second.answerable, second.unscorable) == (None, "nothing is judged relevant to it")
    assert (third.answerable, third.grades) == (True, {})
    assert third.unscorable == "its documents are not in this corpus"
    assert (fourth.answerable, fourth.unscorable, fourth.about) == (False, "", "d3")
    assert first.about == ""


def test_written_documents_are_written_once(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    first = read_beir(folder, tmp_path / "work")
    before = [source.path.stat().st_mtime_ns for source in first.sources]
    again = read_beir(folder, tmp_path / "work")
    assert again == first
    assert [source.path.stat().st_mtime_ns for source in again.sources] == before


def test_a_document_that_was_spoiled_is_written_again(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    read_beir(folder, tmp_path / "work").sources[0].path.write_text("half", encoding="utf-8")
    assert read_beir(folder, tmp_path / "work").sources[0].path.read_text() == "Fees\n\nTen rupees."


def test_another_corpus_lies_elsewhere(tmp_path: Path) -> None:
    first = read_beir(written(tmp_path / "set"), tmp_path / "work")
    second = read_beir(written(tmp_path / "set", CORPUS[:1]), tmp_path / "work")
    assert second.fingerprint != first.fingerprint
    assert second.sources[0].path.parent != first.sources[0].path.parent


def test_judgements_may_lie_in_a_folder_of_their_own(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    (folder / "qrels").mkdir()
    (folder / "qrels.tsv").rename(folder / "qrels" / "test.tsv")
    assert read_beir(folder, tmp_path / "work").questions[0].grades == {"d1": 2, "d2": 0}


def test_missing_judgements_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    (folder / "qrels.tsv").unlink()
    with pytest.raises(UsageError, match=r"set: no judgements. Wanted: .*qrels\.tsv or .*test\.tsv"):
        read_beir(folder, tmp_path / "work")


@pytest.mark.parametrize("lacks", ["_id", "text"])
def test_entries_and_questions_that_lack_something_are_refused(tmp_path: Path, lacks: str) -> None:
    short = [{name: "x" for name in ("_id", "text") if name != lacks}]
    with pytest.raises(UsageError, match=rf"corpus\.jsonl: an entry lacks '{lacks}'"):
        read_beir(written(tmp_path / "set", short), tmp_path / "work")
    with pytest.raises(UsageError, match=rf"queries\.jsonl: a question lacks '{lacks}'"):
        read_beir(written(tmp_path / "set", queries=short), tmp_path / "work")
