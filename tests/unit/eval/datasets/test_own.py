"""A person's own questions: each way to label them works, or is refused by file, row and next step."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from eval.datasets.columns import EXPLAINED
from eval.datasets.dataset import Dataset, LabelledQuestion, PageName, Quote
from eval.datasets.own import read_own
from prism.errors import UsageError

Read = Callable[..., Dataset]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents: two at the top, two of one name in folders."""
    documents = tmp_path / "documents"
    for name in ("handbook.pdf", "fees.csv", "a/notes.txt", "b/notes.txt", ".hidden/x.txt"):
        file = documents / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    return documents


@pytest.fixture
def read(tmp_path: Path, folder: Path) -> Read:
    """`read("question,source\\nWhat?,a.txt")` reads questions of such a file over the documents."""

    def run(text: str, name: str = "mine.csv") -> Dataset:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return read_own(file, folder)

    return run


def one(dataset: Dataset) -> LabelledQuestion:
    (question,) = dataset.questions
    return question


def refusal(read: Read, text: str, name: str = "mine.csv") -> str:
    with pytest.raises(UsageError) as refused:
        read(text, name)
    assert name in str(refused.value)
    return str(refused.value)


# ── what is judged ──────────────────────────────────────────────────────────────────────────────


def test_a_quote_decides_before_page_document_and_keyword(read: Read) -> None:
    question = one(read("question,source,page,quote,keyword\nWhat?,handbook,iv,ten days,days\n"))
    assert question.unit == "quote"
    assert question.quotes == (Quote("handbook.pdf", "ten days"),)
    assert (question.grades, question.pages) == ({}, ())
    assert (question.sources, question.keywords) == (("handbook.pdf",), ("days",))
    assert question.answerable is True


def test_a_page_decides_before_document_and_keyword(read: Read) -> None:
    question = one(read("question,source,page,keyword\nWhat?,handbook.pdf,iv; 2,days\n"))
    assert question.unit == "page"
    assert question.pages == (PageName("handbook.pdf", "iv"), PageName("handbook.pdf", "2"))


def test_a_document_decides_before_a_keyword(read: Read) -> None:
    question = one(read("question,source,keyword\nWhat?,handbook.pdf; fees,days\n"))
    assert question.unit == "document"
    assert question.grades == {"handbook.pdf": 1, "fees.csv": 1}


def test_a_keyword_decides_where_nothing_else_is_known(read: Read) -> None:
    question = one(read("question,keyword\nWhat?,ten days; 10 days\n"))
    assert (question.unit, question.keywords) == ("keyword", ("ten days", "10 days"))
    assert question.unscorable == ""


def test_a_quote_without_source_may_stand_anywhere(read: Read) -> None:
    assert one(read("question,quote\nWhat?,ten days\n")).quotes == (Quote("", "ten days"),)


def test_a_quote_of_several_sources_may_stand_in_any_of_them(read: Read) -> None:
    question = one(read("question,source,quote\nWhat?,handbook; fees,ten days | twelve\n"))
    assert question.quotes == (Quote("", "ten days"), Quote("", "twelve"))
    assert question.sources == ("handbook.pdf", "fees.csv")


def test_as_many_pages_as_sources_are_a_page_of_each(read: Read) -> None:
    question = one(read("question,source,page\nWhat?,handbook; fees,3; 1\n"))
    assert question.pages == (PageName("handbook.pdf", "3"), PageName("fees.csv", "1"))


def test_pages_that_cannot_be_told_apart_make_a_question_unscorable(read: Read) -> None:
    question = one(read("question,source,page\nWhat?,handbook; fees,3; 1; 2\n"))
    assert question.unscorable.startswith("2 sources and 3 pages: which page is of which?")


def test_a_page_needs_its_source_where_there_are_several_documents(read: Read) -> None:
    question = one(read("question,page\nWhat?,3\n"))
    assert question.unscorable == "it names a page but not of which document; fill in its source"


def test_a_page_of_the_only_document_needs_no_source(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "only.pdf").write_text("x")
    (tmp_path / "mine.csv").write_text("question,page\nWhat?,3\n")
    question = one(read_own(tmp_path / "mine.csv", tmp_path / "documents"))
    assert (question.pages, question.unscorable) == ((PageName("only.pdf", "3"),), "")


@pytest.mark.parametrize("row", ["question\nWhat?", "question,answer\nWhat?,Ten days."])
def test_without_a_place_a_question_is_asked_and_not_scored(read: Read, row: str) -> None:
    question = one(read(row))
    assert question.unscorable == (
        "it says neither source nor quote nor keyword, so a passage cannot be told right from wrong"
    )
    assert question.answerable is (True if question.answers else None)


def test_an_unanswerable_question_has_no_gold_whatever_else_it_names(read: Read) -> None:
    question = one(read("question,source,page,quote,keyword,answerable\nWhat?,handbook,3,ten,ten,nein\n"))
    assert question.answerable is False
    assert (question.grades, question.pages, question.quotes, question.keywords) == ({}, (), (), ())
    assert (question.sources, question.unscorable) == ((), "")


def test_a_misspelt_document_is_named_with_the_nearest(read: Read) -> None:
    questions = read("question,source\nWhat?,handbok.pdf\nWho?,handbook.pdf\n").questions
    assert questions[0].unscorable == "there is no document 'handbok.pdf'. Is 'handbook.pdf' meant?"
    assert questions[1].unscorable == ""


def test_a_name_of_several_documents_asks_for_the_folder(read: Read) -> None:
    assert "several documents are called 'notes'" in one(read("question,source\nWhat?,notes\n")).unscorable
    assert one(read("question,source\nWhat?,C:\\my\\b\\notes.txt\n")).sources == ("b/notes.txt",)


# ── what comes with it ──────────────────────────────────────────────────────────────────────────


def test_every_column_is_read(read: Read) -> None:
    text = (
        "ID;Question;Source;Answer;Answerable;Category;Lang;Follows\n"
        "f1;शुल्क कितना है?;fees;दस रुपये;yes;table;hi;\n"
        "f2;And why? | really;fees;;;;;f1\n"
    )
    first, second = read(text).questions
    assert (first.question_id, first.text, first.kind, first.language) == (
        "f1",
        "शुल्क कितना है?",
        "table",
        "hi",
    )
    assert (first.answers, first.answerable, first.earlier) == (("दस रुपये",), True, ())
    assert (second.text, second.earlier) == ("And why? | really", ("शुल्क कितना है?",))


def test_a_question_without_id_is_called_by_its_number(read: Read) -> None:
    questions = read("question,id\nWhat?,\n,\nWho?,x\nWhen?,\n").questions
    assert [question.question_id for question in questions] == ["1", "x", "3"]


def test_json_is_read_as_a_table_is(read: Read) -> None:
    rows = [{"question": "What?", "source": ["handbook.pdf"], "page": 3, "answerable": True}]
    from_table = read("question,source,page,answerable\nWhat?,handbook.pdf,3,yes\n")
    assert read(json.dumps(rows), "mine.json").questions == from_table.questions
    assert read(json.dumps(rows[0]), "mine.jsonl").questions == from_table.questions


def test_documents_are_named_by_their_place_and_hidden_ones_left_out(read: Read) -> None:
    dataset = read("question\nWhat?\n")
    names = [source.name for source in dataset.sources]
    assert names == ["a/notes.txt", "b/notes.txt", "fees.csv", "handbook.pdf"]
    assert dataset.key_of == {name: name for name in names}
    assert dataset.name == "mine"


def test_documents_go_by_composed_names(read: Read, folder: Path) -> None:
    (folder / unicodedata.normalize("NFD", "résumé.txt")).write_text("x")
    assert one(read("question,source\nWhat?,résumé\n")).grades == {
        unicodedata.normalize("NFC", "résumé.txt"): 1
    }


def test_questions_that_lie_among_the_documents_are_no_document(folder: Path) -> None:
    file = folder / "mine.csv"
    file.write_text("question\nWhat?\n")
    assert "mine.csv" not in read_own(file, folder).key_of


def test_questions_without_documents_beside_them_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("question\nWhat?\n")
    with pytest.raises(UsageError, match="no documents beside the questions"):
        read_own(file, tmp_path)


def test_the_fingerprint_is_of_questions_and_documents(read: Read, folder: Path) -> None:
    first = read("question\nWhat?\n").fingerprint
    assert read("question\nWhat?\n").fingerprint == first
    assert read("question\nWho?\n").fingerprint != first
    (folder / "fees.csv").write_text("new")
    assert read("question\nWhat?\n").fingerprint != first


def test_notes_say_what_was_read_and_how_passages_are_judged(read: Read) -> None:
    text = (
        "Question,Source,Quote,Keyword,Answerable,Remarks\n"
        "What?,handbook,ten,,,checked\n"
        "Who?,handbook,,,,\n"
        "When?,nowhere.pdf,,,,\n"
        "Where?,,,,no,\n"
    )
    assert read(text).notes == (
        "4 questions about 4 documents; columns read: question, source, quote, keyword, answerable.",
        f"Columns passed over: Remarks. Known are: {EXPLAINED}.",
        "A passage is told right from wrong: 1 by quote, 1 by document.",
    )


def test_notes_do_not_speak_of_judging_where_nothing_is_judged(read: Read) -> None:
    assert read("question\nWhat?\n").notes == ("1 questions about 4 documents; columns read: question.",)


# ── what is refused ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["mine.csv", "mine.json", "mine.jsonl"])
def test_an_empty_file_is_refused(read: Read, name: str) -> None:
    assert "it is empty. Wanted: a row of titles" in refusal(read, "", name)


def test_titles_alone_are_refused(read: Read) -> None:
    assert "no questions under its titles" in refusal(read, "question,source\n")


def test_titles_without_question_are_refused_with_what_is_known(read: Read) -> None:
    said = refusal(read, "frage,source\nWas?,handbook\n")
    assert "no column 'question' (found: frage, source)" in said
    assert EXPLAINED in said


def test_a_row_without_question_is_refused_by_its_number(read: Read) -> None:
    assert "row 3: no question, only answer 'Ten days.'" in refusal(
        read, "question,answer\nWhat?,Two.\n,Ten days.\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("question,id\nWhat?,a\nWho?,a\n", "row 2 and row 3 both have the id 'a'"),
        ("question,id\nWhat?,\nWho?,1\n", "row 2 and row 3 both have the id '1'"),
        ("question,id\nWhat?,1\nWho?,1.0\n", "row 2 and row 3 both have the id '1'"),
    ],
)
def test_an_id_that_two_rows_have_is_refused(read: Read, text: str, said: str) -> None:
    assert said in refusal(read, text)


def test_what_follows_nothing_is_refused(read: Read) -> None:
    assert "question '1' follows 'x', which is not there" in refusal(read, "question,follows\nWhat?,x\n")


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("question\nWhat?\n")
    with pytest.raises(UsageError, match=r"nowhere: no documents there.*--documents"):
        read_own(tmp_path / "mine.csv", tmp_path / "nowhere")
