"""What holds of every answer, quoted or written; which sentence is quoted is not told here."""

from __future__ import annotations

import pytest

from prism.engine import Prism
from prism.errors import ModelCallError
from prism.types import Answer, Notice, TextDelta
from tests.fakes import BY_WORDS, LetterEmbedder, LetterTokenEmbedder
from tests.shelf import answering, prompts_of, says

FILES = {
    "cap.txt": "The cap on wire transfers is ten thousand. It rose in May.",
    "leave.txt": "Annual leave is fifteen days. Ask your manager.",
}
QUESTION = "What is the cap on wire transfers?"


@pytest.fixture
def answer_with(tmp_path, light_storage):
    """An engine over `FILES` with this answerer."""
    opened: list[Prism] = []

    def run(answerer=None, embedder=None, **overlay) -> Prism:
        values = {
            "storage.path": tmp_path / f"store-{len(opened)}",
            "rerank.kind": "none",
            "models.answerer": "quote",
            "gate.threshold": 0.0,
            "gate.calibration": BY_WORDS,
            **overlay,
        }
        prism = Prism.open(overlay=values, embedder=embedder or LetterEmbedder(), answerer=answerer)
        opened.append(prism)
        for name, text in FILES.items():
            (tmp_path / name).write_text(text)
            prism.ingest(tmp_path / name)
        return prism

    yield run
    for prism in opened:
        prism.close()


def stream(prism: Prism, question: str = QUESTION) -> tuple[str, list[Notice], Answer]:
    events = list(prism.stream(question))
    said = "".join(event.text for event in events if isinstance(event, TextDelta))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert said == answer.text
    return said, [event for event in events if isinstance(event, Notice)], answer


def test_a_quoted_answer_is_verbatim_and_cited(answer_with) -> None:
    _, _, answer = stream(answer_with())
    assert answer.model == "quote"
    assert not answer.abstained
    assert answer.nearest == ()
    for citation in answer.citations:
        text = FILES[citation.passage.document]
        assert text[citation.quote_start : citation.quote_end] == citation.quote
        assert citation.quote in answer.text
    assert {sentence.support for sentence in answer.sentences} == {"supported"}


def test_weak_evidence_abstains_with_the_nearest_passages(answer_with) -> None:
    _, notices, answer = stream(answer_with(**{"gate.threshold": 1.0}))
    assert answer.abstained
    assert answer.text.startswith("Insufficient information")
    assert (answer.citations, answer.sentences) == ((), ())
    assert answer.nearest
    assert [notice.code for notice in notices] == ["weak_evidence"]


def test_gen_11_nothing_found_is_said_in_the_questions_language(answer_with) -> None:
    prism = answer_with(**{"retrieval.dense_weight": 0.0})
    _, _, answer = stream(prism, "ऋण की सीमा क्या है?")
    assert answer.text.startswith("अपर्याप्त जानकारी")
    assert answer.nearest == ()


def test_gen_01_marks_of_passages_that_do_not_exist_are_removed_and_told(answer_with) -> None:
    text, notices, answer = stream(answer_with(says("The cap is ten thousand ", "[", "1][7", "].")))
    assert text == "The cap is ten thousand [1]."
    assert [citation.n for citation in answer.citations] == [1]
    assert [notice.code for notice in notices] == ["citation_removed"]
    assert "7" in notices[0].message
    assert answer.model == "scripted"


def test_gen_08_a_written_answer_is_streamed_whole(answer_with) -> None:
    text, _, _ = stream(answer_with(says("", " Yes", ",", " 42", ".", " \n")))
    assert text == "Yes, 42."


def test_a_sentence_its_source_does_not_bear_out_is_told(answer_with) -> None:
    _, notices, answer = stream(answer_with(says("The cap is 99999 [1].")))
    assert [sentence.support for sentence in answer.sentences] == ["unsupported"]
    assert [notice.code for notice in notices] == ["unsupported"]


def test_a_model_that_says_it_does_not_know_abstains(answer_with) -> None:
    _, _, answer = stream(answer_with(says("Insufficient information: ", "no.")))
    assert answer.abstained
    assert answer.nearest
    assert answer.citations == ()


def test_gen_09_a_model_that_breaks_off_keeps_what_it_said_and_the_documents_are_quoted(answer_with) -> None:
    def breaks(_):
        yield "The cap"
        raise TimeoutError("too slow")

    text, notices, answer = stream(answer_with(answering(breaks)))
    assert text.startswith("The cap")
    assert answer.citations
    assert answer.model == "scripted, then quoting"
    assert "answerer_failed" in [notice.code for notice in notices]


def test_a_model_that_says_nothing_gives_way_to_quotes(answer_with) -> None:
    def refuses(_):
        raise ModelCallError("refused")
        yield ""

    for answerer in (says(), answering(refuses)):
        _, _, answer = stream(answer_with(answerer))
        assert answer.citations
        assert not answer.abstained


def test_the_model_is_shown_earlier_turns_without_marks(answer_with) -> None:
    answerer = says("The cap is ten thousand [1].")
    conversation = answer_with(answerer).conversation()
    conversation.ask(QUESTION)
    conversation.ask("How many days is annual leave?")
    shown = [(message.role.value, message.content) for message in prompts_of(answerer)[1][1:3]]
    assert shown == [("user", QUESTION), ("assistant", "The cap is ten thousand.")]


def test_the_trace_tells_who_answered_and_what_was_cited(answer_with) -> None:
    prism = answer_with(says("The cap is ten thousand [1]."))
    body = prism.trace(prism.ask(QUESTION).trace_id)
    assert (body["model"], body["abstained"], body["cited"]) == ("scripted", False, [1])
    assert body["prompt_tokens"] > 0
    assert {"answer", "ground", "total"} <= body["timings_ms"].keys()


@pytest.mark.parametrize("answerer", [None, says("The cap is ten thousand [1].")])
def test_the_trace_tells_by_offsets_which_words_of_each_citation_met_the_questions(
    answer_with, answerer
) -> None:
    prism = answer_with(answerer, LetterTokenEmbedder(), **{"rerank.kind": "late_interaction"})
    answer = prism.ask(QUESTION)
    matches = prism.trace(answer.trace_id)["matches"]
    assert matches.keys() == {str(citation.n) for citation in answer.citations}
    first = answer.citations[0]
    text = FILES[first.passage.document]
    pairs = {
        (QUESTION[slice(*match["question"])], text[slice(*match["document"])]): match["cosine"]
        for match in matches[str(first.n)]
    }
    assert {("cap", "cap"), ("wire", "wire")} <= pairs.keys()
    assert pairs["cap", "cap"] == 1.0


def test_without_late_interaction_or_an_answer_no_matches_are_traced(answer_with) -> None:
    for prism in (
        answer_with(),
        answer_with(
            None, LetterTokenEmbedder(), **{"rerank.kind": "late_interaction", "gate.threshold": 1.0}
        ),
    ):
        assert "matches" not in prism.trace(prism.ask(QUESTION).trace_id)


def test_with_token_vectors_an_answer_is_quoted_without_a_pass_of_the_model(answer_with) -> None:
    class Counting(LetterTokenEmbedder):
        read = 0

        def embed(self, texts, on_batch=None):
            self.read += len(texts)
            return super().embed(texts, on_batch)

        def embed_with_tokens(self, texts, on_batch=None):
            self.read += len(texts)
            return super().embed_with_tokens(texts, on_batch)

    embedder = Counting()
    prism = answer_with(None, embedder, **{"rerank.kind": "late_interaction"})
    before = embedder.read
    answer = prism.ask(QUESTION)
    assert "cap on wire transfers is ten thousand" in answer.citations[0].quote
    assert embedder.read == before


@pytest.mark.parametrize("pieces", [("[9]",), ("[", "9", "]"), (" [7][8] ",), ("\u200b",)])
def test_gen_01_an_answer_of_nothing_but_false_marks_gives_way_to_quotes(answer_with, pieces) -> None:
    said, notices, answer = stream(answer_with(says(*pieces)))
    assert "ten thousand" in said
    assert answer.citations
    assert "answerer_failed" in [notice.code for notice in notices]
