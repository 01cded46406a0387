"""The answer cases (GEN-…): sound citations, whole streams, honest not-found and failed searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from prism import Answer, Prism, Scope, SearchError, TextDelta
from prism.models.choose import Chosen
from prism.models.loaded import Models
from prism.query.cite import cited_numbers
from prism.stores.keyword_view import KeywordView
from prism.stores.workspace_vectors import WorkspaceVectors
from prism.wire import answer_json
from tests.integration.conftest import OpenPrism, Shelf
from tests.shelf import answering, id_of, names, only, says, write

TWO = {
    "one.txt": "The daily limit is 42 rupees for a basic wallet.",
    "two.txt": "The monthly limit is 900 rupees for a basic wallet.",
}
QUESTION = "What is the daily limit of a basic wallet?"


@pytest.fixture(scope="module")
def two(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("two")
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder / "files", TWO))
        yield prism


@pytest.fixture
def with_model(two: Prism, make_prism: OpenPrism):
    """The two documents, answered by another model; storage is shared, so nothing is indexed again."""

    def make(answerer: Chosen) -> Prism:
        models = Models(two.settings, embedder=two._models.embedder, answerer=answerer)
        return Prism(two.settings, two._storage, models)

    return make


# ── GEN-01 ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("pieces", "text", "cited"),
    [
        (["Yes [1][7]"], "Yes [1]", [1]),
        (["Yes ", "[", "7", "]", "[1", "]"], "Yes [1]", [1]),
        (["It is 42 [1, 7]."], "It is 42 [1].", [1]),
        (["It is 42 [0][3]."], "It is 42.", []),
        (["It is 42 【2】【9】."], "It is 42 [2].", [2]),
        (["It is 42 [1-2] and 900 [99]."], "It is 42 [1][2] and 900.", [1, 2]),
    ],
)
def test_gen_01_a_citation_of_a_source_that_does_not_exist_is_removed(with_model, pieces, text, cited):
    prism = with_model(says(*pieces))
    answer = prism.ask(QUESTION)
    assert answer.text == text
    assert [item.n for item in answer.citations] == cited
    assert list(cited_numbers(answer.text)) == cited
    exported = answer_json(answer)
    assert exported["answer"] == text
    assert [item["n"] for item in exported["citations"]] == cited
    if "7" in "".join(pieces) or "9" in "".join(pieces):
        assert "citation_removed" in [notice.code for notice in answer.notices]
    turn_answer = prism.conversation().ask(QUESTION)
    assert turn_answer.text == text


def test_gen_01_what_is_streamed_and_stored_agrees_with_the_answer(with_model):
    prism = with_model(says("Yes [", "1][", "7] and no [", "2", "].", " End [", "x]."))
    conversation = prism.conversation()
    *events, answer = conversation.stream(QUESTION)
    shown = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert shown == answer.text == "Yes [1] and no [2]. End [x]."
    (turn,) = conversation.turns()
    assert turn.answer == answer.text
    assert [item.n for item in turn.citations] == [1, 2]


@pytest.mark.parametrize("number", ["[7]", "[12]", "【3】", "[1]"])
def test_gen_01_a_documents_own_marks_do_not_pass_for_citations(shelf: Shelf, number):
    prism = shelf({"paper.txt": f"The yield strength of the alloy is 345 MPa, as measured before {number}."})
    answer = prism.ask("What is the yield strength of the alloy?")
    assert "345 MPa" in answer.text
    assert list(cited_numbers(answer.text)) == [item.n for item in answer.citations] == [1]
    for citation in answer.citations:
        assert citation.quote in citation.passage.text


# ── GEN-08 ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "pieces",
    [
        ["Yes, 42."],
        ["Yes", ", ", "42", "."],
        list("Yes, 42."),
        ["", "Yes", "", ", 42", ".", ""],
        [" Yes,", " 42."],
        ["\n\n", "Yes, 42."],
        ["Yes, 42.", " ", "\n"],
    ],
    ids=["whole", "words", "letters", "empty pieces", "leading blank", "leading lines", "trailing blanks"],
)
def test_gen_08_a_stream_loses_no_token(with_model, pieces):
    prism = with_model(says(*pieces))
    *events, answer = prism.stream(QUESTION)
    assert isinstance(answer, Answer)
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Yes, 42."
    assert answer.text == "Yes, 42."


def test_gen_08_a_quoted_answer_streams_whole(two: Prism):
    *events, answer = two.stream(QUESTION)
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == answer.text
    assert "42 rupees" in answer.text


# ── GEN-11 ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What is the daily limit?", "Insufficient information"),
        ("दैनिक सीमा क्या है?", "अपर्याप्त जानकारी"),
        ("每日限额是多少？", "信息不足"),
        ("¿Cuál es el límite diario de la cuenta?", "Información insuficiente"),
        ("Quelle est la limite journalière du compte ?", "Informations insuffisantes"),
        ("Какой дневной лимит по счёту?", "Недостаточно информации"),
        ("ما هو الحد اليومي للمحفظة؟", "معلومات غير كافية"),
    ],
)
@pytest.mark.parametrize("filtered", [True, False])
def test_gen_11_nothing_found_is_said_in_the_language_of_the_question(two: Prism, question, begins, filtered):
    scope = Scope(document_ids=frozenset()) if filtered else Scope("empty-workspace")
    for answer in (two.ask(question, scope=scope), two.conversation(scope=scope).ask(question)):
        assert answer.abstained
        assert answer.text.startswith(begins)
        assert "Empty Response" not in answer.text
        assert answer.citations == ()
        assert answer.sentences == ()


def test_gen_11_a_model_is_not_asked_when_nothing_was_found(with_model):
    answerer = says("From memory: 42.")
    answer = with_model(answerer).ask(QUESTION, scope=Scope(document_ids=frozenset()))
    assert answer.text.startswith("Insufficient information")
    assert answerer.llm is not None
    assert answerer.llm.prompts == []


def test_gen_11_an_abstention_shows_the_nearest_passages(two: Prism):
    answer = two.ask("What is the capital of Mongolia?")
    assert answer.abstained
    assert answer.citations == ()
    assert {passage.document for passage in answer.nearest} == set(TWO)


# ── GEN-13 ──────────────────────────────────────────────────────────────────────────────────────


def broken(monkeypatch: pytest.MonkeyPatch, *stores: type) -> None:
    def fail(*_: object, **__: object) -> Sequence[object]:
        raise RuntimeError("the disk is gone")

    for store in stores:
        monkeypatch.setattr(store, "search", fail)


@pytest.mark.parametrize("by", ["ask", "stream", "conversation", "query engine", "streaming query engine"])
def test_gen_13_a_failed_search_is_an_error_and_no_answer_from_memory(with_model, monkeypatch, by):
    answerer = says("From memory: 42.")
    prism = with_model(answerer)
    broken(monkeypatch, WorkspaceVectors, KeywordView)
    conversation = prism.conversation()
    calls = {
        "ask": lambda: prism.ask(QUESTION),
        "stream": lambda: list(prism.stream(QUESTION)),
        "conversation": lambda: conversation.ask(QUESTION),
        "query engine": lambda: prism.as_query_engine().query(QUESTION),
        "streaming query engine": lambda: str(prism.as_query_engine(streaming=True).query(QUESTION)),
    }
    with pytest.raises(SearchError, match="search failed"):
        calls[by]()
    assert answerer.llm is not None
    assert answerer.llm.prompts == []
    assert conversation.turns() == []


def test_gen_13_when_only_the_vector_store_fails_and_no_word_matches_it_is_an_error(two: Prism, monkeypatch):
    broken(monkeypatch, WorkspaceVectors)
    with pytest.raises(SearchError):
        two.ask("zxqv?")


def test_gen_13_a_model_that_fails_is_replaced_by_quotes_with_a_notice(with_model):
    def fail(_: object) -> Iterator[str]:
        yield "The "
        raise ConnectionError("broken stream")

    answer = with_model(answering(fail)).ask(QUESTION)
    assert "42 rupees" in answer.text
    assert names(answer)
    assert "answerer_failed" in [notice.code for notice in answer.notices]


def test_gen_11_a_document_out_of_scope_is_not_in_the_nearest_passages(two: Prism):
    answer = two.ask("What is the capital of Mongolia?", scope=only(two, "one.txt"))
    assert {passage.document_id for passage in answer.nearest} <= {id_of(two, "one.txt")}
