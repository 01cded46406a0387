"""The sample collection is what its README says: complete, reproducible, and its gold quotes are there."""

from __future__ import annotations

import csv
import importlib.util
import json
import zipfile
from pathlib import Path
from types import ModuleType

import docx
import pypdfium2
import pytest
from bs4 import BeautifulSoup

SAMPLE = Path(__file__).parents[4] / "eval" / "datasets" / "sample"
DOCUMENTS = sorted((SAMPLE / "documents").iterdir())
QUESTIONS = [
    json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]


def text_of(path: Path) -> str:
    """What a reader of the document sees, by an independent library, with single spaces."""
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as pdf:
            text = " ".join(page.get_textpage().get_text_range() for page in pdf)
    elif path.suffix == ".docx":
        document = docx.Document(str(path))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        text = " ".join([paragraph.text for paragraph in document.paragraphs] + cells)
    elif path.suffix == ".html":
        text = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").get_text(" ")
    else:
        text = path.read_text(encoding="utf-8")
    return " ".join(text.split())


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_documents", SAMPLE / "build_documents.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_at_least_ten_documents_of_every_kind_we_read() -> None:
    assert len(DOCUMENTS) >= 10
    assert {path.suffix for path in DOCUMENTS} == {".md", ".txt", ".csv", ".html", ".pdf", ".docx"}


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_built_documents_are_the_committed_ones(builder: ModuleType, tmp_path: Path) -> None:
    builder.main(tmp_path)
    pdf, word = "settlement-handbook.pdf", "hr-policy.docx"
    assert (tmp_path / pdf).read_bytes() == (SAMPLE / "documents" / pdf).read_bytes()
    assert parts(tmp_path / word) == parts(SAMPLE / "documents" / word)


def test_the_pdf_prints_other_page_labels_than_sheet_numbers() -> None:
    with pypdfium2.PdfDocument(SAMPLE / "documents" / "settlement-handbook.pdf") as pdf:
        assert [pdf.get_page_label(index) for index in range(len(pdf))] == [
            "i",
            "ii",
            "1",
            "2",
            "3",
            "4",
            "5",
        ]


def test_every_csv_row_has_as_many_cells_as_its_header() -> None:
    for name, delimiter in (("fees.csv", ","), ("settlement-centres.csv", ";")):
        with (SAMPLE / "documents" / name).open(encoding="utf-8", newline="") as file:
            widths = {len(row) for row in csv.reader(file, delimiter=delimiter)}
        assert len(widths) == 1, name


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_gold_quotes_stand_in_their_documents(question: dict) -> None:
    assert question["answerable"] == bool(question["gold"]) == bool(question["answer"])
    for gold in question["gold"]:
        assert gold["quote"] in text_of(SAMPLE / "documents" / gold["document"])


def test_question_ids_are_unique_and_follow_ups_name_an_earlier_question() -> None:
    ids = [question["id"] for question in QUESTIONS]
    assert len(set(ids)) == len(ids)
    for place, question in enumerate(QUESTIONS):
        assert (question["kind"] == "follow-up") == ("follows" in question)
        assert question.get("follows", ids[0]) in ids[: place + 1]
