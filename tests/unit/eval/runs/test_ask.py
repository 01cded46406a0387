"""One question set beside its gold, with a letter-counting embedder whose cosines are worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from eval.datasets.dataset import LabelledQuestion, PageName, Quote
from eval.runs.ask import SEARCH_STAGES, Asker
from eval.runs.collection import Collection
from prism.engine import Prism
from prism.errors import SearchError
from prism.query.condense import condense
from tests.unit.eval.runs.conftest import CountingEmbedder, MakeDataset, OpenCollection

# Of the question "aaaa", the cosine of letter counts is 1 with "aaaa", 3 / sqrt(9 + 1) = 0.949 with "aaab",
# 1 / sqrt(1 + 9) = 0.316 with "abbb"; of words, it shares one with the first alone.
LETTERS = {"first.txt": "aaaa", "second.txt": "aaab", "third.txt": "abbb"}


def asked(found: Collection, question: LabelledQuestion, key_of: Mapping[str, str] | None = None) -> Any:
    return Asker(found, key_of or {name: name for name in LETTERS}).ask(question)


def document(*names: str, text: str = "aaaa", **values: Any) -> LabelledQuestion:
    return LabelledQuestion("q", text, unit="document", grades=dict.fromkeys(names, 1), **values)


def test_a_row_holds_the_rank_of_gold_at_every_stage(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset(LETTERS), **{"retrieval.k": 2}) as found:
        row = asked(found, document("second.txt", "gone.txt"))
    # Fused by 1 / (60 + rank), each leg weighing half: the first has two ranks of 1, the others one each.
    assert row.ranking == ("first.txt", "second.txt", "third.txt")
    assert row.stages == {
        "dense": {"second.txt": 2},
        "keyword": {"second.txt": None},
        "fused": {"second.txt": 2},
        "merged": {"second.txt": 2},
    }
    assert row.gold == {"second.txt": 1}, "what was not indexed is no gold"


def test_a_question_whose_documents_were_not_indexed_is_unscorable(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset({**LETTERS, "empty.txt": ""})) as found:
        row = asked(found, document("empty.txt"), {name: name for name in (*LETTERS, "empty.txt")})
    assert row.gold == {}
    assert row.unscorable == "the documents that answer it were not indexed"


def test_a_row_holds_the_passages_an_answerer_is_given(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset(LETTERS), **{"retrieval.k": 2}) as found:
        row = asked(found, document("second.txt", sources=("first.txt",)))
    first, second = row.passages
    assert (first.rank, first.document, first.start, first.end) == (1, "first.txt", 0, 4)
    assert (first.pages, first.tokens, first.units, first.expected) == (("1",), 1, (), True)
    assert (second.document, second.units, second.expected) == ("second.txt", ("second.txt",), False)
    assert row.names_expected


def test_the_ranking_goes_deeper_than_what_an_answerer_is_given(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset(LETTERS), **{"retrieval.k": 1}) as found:
        row = asked(found, document("third.txt"))
    assert len(row.passages) == 1
    assert row.ranking.index("third.txt") == 2


def test_what_the_set_says_of_a_question_is_kept(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    question = LabelledQuestion("h1", "शुल्क?", kind="table", language="hi", unit="document")
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, question)
    assert (row.question_id, row.question, row.kind, row.language) == ("h1", "शुल्क?", "table", "hi")
    assert (row.answerable, row.names_expected, row.unscorable, row.error) == (None, False, "", "")


def test_judged_ids_stand_for_documents(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, document("D2"), {"first.txt": "D1", "second.txt": "D2", "third.txt": "D2"})
    assert row.ranking == ("D1", "D2")
    assert row.stages["dense"] == {"D2": 2}


def test_a_quote_is_found_where_it_stands(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    quotes = (Quote("second.txt", "aaab"),)
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, LabelledQuestion("q", "aaaa", unit="quote", quotes=quotes))
    assert row.gold == {"second.txt@0-4": 1}
    assert row.stages["merged"] == {"second.txt@0-4": 2}
    assert row.unscorable == ""


def test_a_page_is_found_by_its_name(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    pages = (PageName("second.txt", "1"),)
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, LabelledQuestion("q", "aaaa", unit="page", pages=pages))
    assert row.gold == {"second.txt#p1": 1}
    assert row.stages["dense"] == {"second.txt#p1": 2}


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (LabelledQuestion("q", "a", unit="quote", quotes=(Quote("first.txt", "no such"),)), "quote does not"),
        (
            LabelledQuestion(
                "q", "a", unit="quote", quotes=(Quote("first.txt", "aaaa"), Quote("first.txt", "no such"))
            ),
            "'no such'",
        ),
        (LabelledQuestion("q", "a", unit="page", pages=(PageName("first.txt", "9"),)), "no page '9'"),
        (LabelledQuestion("q", "a", unscorable="as the set says"), "as the set says"),
    ],
)
def test_gold_that_is_nowhere_makes_a_question_unscorable(
    opened: OpenCollection, make_dataset: MakeDataset, question: LabelledQuestion, reason: str
) -> None:
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, question)
    assert reason in row.unscorable
    assert not row.is_scored
    assert row.ranking != (), "it is asked all the same"


def test_an_unanswerable_question_has_no_gold(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, document("first.txt", answerable=False))
    assert (row.gold, row.unscorable, row.is_scored) == ({}, "", False)
    assert row.ranking == ("first.txt", "second.txt", "third.txt")


def test_the_gate_is_heard(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset(LETTERS), **{"gate.threshold": 1.0}) as found:
        strict = asked(found, document("first.txt", text="bb zzz"))
    with opened(make_dataset(LETTERS), **{"gate.threshold": 0.0}) as found:
        open_ = asked(found, document("first.txt", text="bb zzz"))
    assert (strict.abstained, open_.abstained) == (True, False)
    assert strict.gate_score == open_.gate_score is not None


def test_times_are_those_of_retrieval_and_their_sum(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset(LETTERS)) as found:
        alone = asked(found, document("first.txt"))
        following = asked(found, document("first.txt", earlier=("aaab",)))
    for row in (alone, following):
        assert row.timings_ms.keys() <= {*SEARCH_STAGES, "total"}
        assert {"retrieve", "fuse", "merge"} <= row.timings_ms.keys()
        stages = [spent for name, spent in row.timings_ms.items() if name != "total"]
        assert row.timings_ms["total"] == pytest.approx(sum(stages), abs=0.001)


def test_a_question_on_which_retrieval_fails_is_a_row_that_says_so(
    opened: OpenCollection, make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(prism: Prism, *arguments: object) -> None:
        raise SearchError("both legs failed")

    monkeypatch.setattr(Prism, "retrieve", fail)
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, document("first.txt"))
    assert row.error == "SearchError: both legs failed"
    assert (row.gold, row.ranking, row.passages, row.stages) == ({"first.txt": 1}, (), (), {})
    assert (row.abstained, row.gate_score, row.timings_ms) == (None, None, {})
    assert row.is_scored, "it counts as found nothing"


def test_a_question_too_long_is_a_row_that_says_so(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset(LETTERS)) as found:
        row = asked(found, document("first.txt", text="a" * 9000))
    assert row.error.startswith("UsageError: The question has 9000 characters")


def test_a_question_is_embedded_once_for_both_searches_and_anew_the_next_time(
    opened: OpenCollection, make_dataset: MakeDataset, embedder: CountingEmbedder
) -> None:
    with opened(make_dataset(LETTERS)) as found:
        asker = Asker(found, {})
        for _ in range(2):
            asker.ask(document("first.txt"))
    assert embedder.questions == ["aaaa", "aaaa"]


def test_follow_ups_are_asked_in_conversations_of_their_own(
    opened: OpenCollection, make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: dict[str, set[tuple[str, ...]]] = {}

    def watched(text: str, previous: Sequence[str]) -> Any:
        before.setdefault(text, set()).add(tuple(previous))
        return condense(text, previous)

    monkeypatch.setattr("prism.asking.condense", watched)
    with opened(make_dataset(LETTERS)) as found:
        asker = Asker(found, {name: name for name in LETTERS})
        for question in (
            document("first.txt", text="aaab"),
            document("first.txt", text="abbb", earlier=("aaab",)),
            document("first.txt", text="aaaa", earlier=("aaab",)),
            document("first.txt", text="bbbb", earlier=("aaab", "abba")),
            document("first.txt", text="cccc"),
        ):
            asker.ask(question)
    assert before == {
        "aaab": {()},
        "abbb": {("aaab",)},
        "aaaa": {("aaab",)},
        "abba": {("aaab",)},
        # Without a model to condense it, a question as short as this is joined to the one before it.
        "bbbb": {("aaab", "aaab abba")},
        "cccc": {()},
    }
