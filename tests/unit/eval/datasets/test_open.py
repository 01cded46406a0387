"""The form of a set is told by what lies there; a part of it is spread evenly."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.datasets.open import open_dataset, part_of
from prism.errors import UsageError
from tests.unit.eval.datasets.test_beir import written as write_beir
from tests.unit.eval.datasets.test_quotes import written as write_quotes

QUESTIONS = tuple(
    LabelledQuestion(str(number), "?", language="hi" if number % 2 else "en") for number in range(10)
)
DATASET = Dataset("ten", (), QUESTIONS, {}, "f00d")


def ids(dataset: Dataset) -> str:
    return "".join(question.question_id for question in dataset.questions)


def test_a_corpus_is_written_where_it_is_told(tmp_path: Path) -> None:
    dataset = open_dataset(write_beir(tmp_path / "set"), tmp_path / "work")
    assert dataset.units == ("document",)
    assert all(source.path.is_relative_to(tmp_path / "work") for source in dataset.sources)


def test_a_folder_of_quotes_and_one_of_pages_are_known(tmp_path: Path) -> None:
    assert open_dataset(write_quotes(tmp_path), tmp_path / "work").name == tmp_path.name
    pages = tmp_path / "pages"
    (pages / "pdfs").mkdir(parents=True)
    (pages / "pdfs" / "a.pdf").write_text("x")
    (pages / "files.jsonl").write_text('{"key": "A", "file": "a.pdf"}')
    (pages / "queries.jsonl").write_text('{"_id": "1", "text": "?"}')
    (pages / "qrels.tsv").write_text("q\tc\ts\n1\tA#p1\t1")
    assert open_dataset(pages, tmp_path / "work").units == ("page",)


def test_a_file_of_questions_needs_its_documents(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("question,source\nWhat?,a\n")
    with pytest.raises(UsageError, match=r"mine\.csv: name the folder of the documents.*--documents"):
        open_dataset(file, tmp_path / "work")
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "a.txt").write_text("x")
    assert open_dataset(file, tmp_path / "work", tmp_path / "documents").name == "mine"


def test_a_folder_holds_its_documents_itself(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--documents goes with a file of questions"):
        open_dataset(write_quotes(tmp_path), tmp_path / "work", tmp_path)


def test_nothing_there_and_another_form_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: no such folder or file"):
        open_dataset(tmp_path / "none", tmp_path / "work")
    with pytest.raises(UsageError, match=r"not a labelled set. Wanted: corpus\.jsonl"):
        open_dataset(tmp_path, tmp_path / "work")


def test_a_part_is_spread_evenly_over_the_file() -> None:
    # Places 0, 10 // 4 = 2, 20 // 4 = 5, 30 // 4 = 7.
    assert ids(part_of(DATASET, limit=4)) == "0257"


@pytest.mark.parametrize("limit", [None, 10, 11])
def test_a_limit_beyond_the_file_leaves_all(limit: int | None) -> None:
    assert part_of(DATASET, limit=limit) == DATASET


def test_a_language_is_chosen_before_the_limit() -> None:
    assert ids(part_of(DATASET, language="hi")) == "13579"
    # Of 1 3 5 7 9 the places 0 and 5 // 2 = 2.
    assert ids(part_of(DATASET, language="hi", limit=2)) == "15"


def test_a_part_keeps_the_whole_corpus() -> None:
    part = part_of(DATASET, limit=1)
    assert (part.sources, part.fingerprint) == (DATASET.sources, DATASET.fingerprint)


def test_a_language_that_no_question_is_in_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"ten: no question in 'de'. Languages: en, hi"):
        part_of(DATASET, language="de")


def test_a_set_without_questions_is_refused() -> None:
    with pytest.raises(UsageError, match="none: it has no questions"):
        part_of(Dataset("none", (), (), {}, ""))
