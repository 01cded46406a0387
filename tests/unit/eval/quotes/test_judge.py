from __future__ import annotations

import pytest

from eval.datasets.dataset import LabelledQuestion, Quote
from eval.quotes.judge import Judged, can_be_judged, is_right, judge
from eval.runs.locate import Gold, Piece, gold_of

TEXT = "The cap is ten days. Ask HR. The cap was five days before."
QUOTED = LabelledQuestion("q", "?", unit="quote", quotes=(Quote("a.txt", "The cap is ten days."),))
ANSWERED = LabelledQuestion("q", "?", grades={"a.txt": 1}, answers=("ten days", "10 days"))


def gold(question: LabelledQuestion) -> Gold:
    return gold_of(question, {"a.txt": "a.txt", "b.txt": "b.txt"}, lambda name: TEXT, lambda name: ())


def sentence(text: str, document: str = "a.txt") -> Piece:
    start = TEXT.index(text)
    return Piece(document, (), start, start + len(text), text)


@pytest.mark.parametrize(
    ("text", "document", "right"),
    [
        ("The cap is ten days.", "a.txt", True),
        ("The cap is ten days. Ask HR.", "a.txt", True),
        ("is ten days", "a.txt", True),
        ("Ask HR.", "a.txt", False),
        ("The cap was five days before.", "a.txt", False),
        ("The cap is ten days.", "b.txt", False),
    ],
)
def test_a_sentence_is_right_that_holds_a_gold_quote_or_lies_in_one(text, document, right) -> None:
    assert is_right(QUOTED, gold(QUOTED), sentence(text, document)) is right


@pytest.mark.parametrize(
    ("text", "document", "right"),
    [
        ("The cap is ten days.", "a.txt", True),
        ("The cap was five days before.", "a.txt", False),
        ("The cap is ten days.", "b.txt", False),
    ],
)
def test_without_quotes_it_holds_the_answer_and_is_of_the_right_document(text, document, right) -> None:
    assert is_right(ANSWERED, gold(ANSWERED), sentence(text, document)) is right


def test_an_answer_within_a_longer_number_is_none() -> None:
    question = LabelledQuestion("q", "?", grades={"a.txt": 1}, answers=("5",))
    assert not is_right(question, gold(question), Piece("a.txt", (), 0, 20, "The cap is 15 days."))


@pytest.mark.parametrize(
    ("question", "judged"),
    [
        (QUOTED, True),
        (ANSWERED, True),
        (LabelledQuestion("q", "?", grades={"a.txt": 1}), False),
        (LabelledQuestion("q", "?", unit="page", answers=("ten",)), False),
        (LabelledQuestion("q", "?", unit="quote", answerable=False), False),
        (LabelledQuestion("q", "?", unit="quote", unscorable="gone"), False),
        (LabelledQuestion("q", "?", unit="quote", earlier=("And?",)), False),
    ],
)
def test_only_first_turns_whose_right_sentences_are_known_are_judged(question, judged) -> None:
    assert can_be_judged(question) is judged


def test_what_was_chosen_is_judged_by_its_best_its_best_two_and_all_that_is_quoted() -> None:
    cap, ask = sentence("The cap is ten days."), sentence("Ask HR.")

    def right(piece: Piece) -> bool:
        return piece is cap

    assert judge([cap, ask], [cap], right, ms=1.5) == Judged(True, True, True, 1, 1.5)
    assert judge([ask, cap], [ask], right, ms=0.0) == Judged(False, True, False, 1, 0.0)
    assert judge([ask], [ask, ask, cap], right, ms=0.0) == Judged(False, False, True, 3, 0.0)
    assert judge([], [], right, ms=0.0) == Judged(False, False, False, 0, 0.0)
