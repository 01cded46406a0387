"""The features of a question's evidence, worked by hand over rows of two numbers, a row a word."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism.asking import MAX_QUESTION_CHARS
from prism.models.protocols import QueryTokens
from prism.query.evidence import WEIGHTY, Best, SentenceRows, best_sentence, features, sentences_of
from prism.query.late_interaction import Interaction
from prism.types import Node
from tests.fakes import LetterTokenEmbedder

NAMES = {"sentence", "weakest", "cosine", "coverage", "missing_names", "missing_figures", "negated"}
READER = LetterTokenEmbedder()
NO_MATCHES, NO_WEIGHTS = np.zeros(0, dtype=np.float32), np.zeros(0)


def leaf(text: str, *, name: str = "leaf", context: str = "", header: str = "") -> Node:
    return Node(name, "doc", 1, 0, 0, None, 0, len(text), text, header=header, context=context)


def rows(*pairs: tuple[int, int]) -> np.ndarray:
    return np.array(pairs, dtype=np.int8).reshape(-1, 2)


def asked(leaves: dict[str, np.ndarray]) -> Interaction:
    """A question of two tokens, the first along (1, 0) and worth three times the second, along (0, 1)."""
    question = QueryTokens(np.eye(2, dtype=np.float32), ((0, 1), (2, 3)))
    return Interaction(question, np.array([0.75, 0.25]), leaves)


def seen(question: str, read: str = "", **node: str) -> dict[str, float | None]:
    """The features of a question whose best sentence stands in this text."""
    best = Best(leaf(read, **node), read, 0.5, NO_MATCHES)
    return dict(features(question, best, weights=NO_WEIGHTS, cosine=0.25, coverage=0.5))


# ── the sentences of a leaf, and their rows ─────────────────────────────────────────────────────


def found(node: Node, read_words: int | None = None) -> list[SentenceRows]:
    return list(sentences_of(node, READER.token_spans(node.indexed_text)[:read_words]))


TWO = leaf("Leave is paid. Ask early.", context="Rules > Leave", header="days")


def test_the_rows_of_context_and_header_belong_to_no_sentence() -> None:
    # Words 0 to 2 are the context, 3 the header, 4 to 6 the first sentence, 7 and 8 the second.
    assert found(TWO) == [SentenceRows(0, 15, slice(4, 7)), SentenceRows(15, 25, slice(7, 9))]


def test_without_anything_before_its_text_a_leaf_begins_with_its_first_row() -> None:
    assert found(leaf("Leave is paid.")) == [SentenceRows(0, 14, slice(0, 3))]
    assert found(leaf("")) == []


@pytest.mark.parametrize(
    ("read_words", "sentences"),
    [
        (8, [SentenceRows(0, 15, slice(4, 7)), SentenceRows(15, 25, slice(7, 8))]),
        (6, [SentenceRows(0, 15, slice(4, 6))]),
        (4, []),
        (2, []),
        (0, []),
    ],
)
def test_a_sentence_beyond_the_embedders_limit_is_not_seen(
    read_words: int, sentences: list[SentenceRows]
) -> None:
    assert found(TWO, read_words) == sentences


def test_sentences_without_a_space_between_them_do_not_share_a_row() -> None:
    characters = [(at, at + 1) for at in range(4)]
    assert list(sentences_of(leaf("好。坏。"), characters)) == [
        SentenceRows(0, 2, slice(0, 2)),
        SentenceRows(2, 4, slice(2, 4)),
    ]


# ── the best sentence ───────────────────────────────────────────────────────────────────────────


FIRST, SECOND = leaf("One two. Three four.", name="first"), leaf("Five six.", name="second")
ROWS = {
    # "One two." meets the tokens by 1 and .8: (3 + .8) / 4 = .95. "Three four." meets the second alone: .25.
    "first": rows((1, 0), (3, 4), (0, 1), (0, 1)),
    # .8 and .6: (3 · .8 + .6) / 4 = .75.
    "second": rows((4, 3), (4, 3)),
}


@pytest.mark.parametrize("leaves", [(FIRST, SECOND), (SECOND, FIRST)])
def test_the_best_sentence_of_all_leaves_is_taken_with_its_matches(leaves: tuple[Node, ...]) -> None:
    best = best_sentence(leaves, asked(ROWS), READER)
    assert best is not None
    assert (best.leaf, best.score) == (FIRST, pytest.approx(0.95))
    assert best.matches.tolist() == pytest.approx([1.0, 0.8])


def test_a_later_sentence_may_be_the_best() -> None:
    best = best_sentence([FIRST], asked({"first": rows((0, 1), (0, 1), (4, 3), (0, 1))}), READER)
    assert best is not None
    # .8 and 1: (3 · .8 + 1) / 4.
    assert best.score == pytest.approx(0.85)


def test_of_equally_good_sentences_the_first_leafs_is_taken() -> None:
    alike = leaf(FIRST.text, name="alike")
    interaction = asked({"first": ROWS["first"], "alike": ROWS["first"]})
    for leaves in ([FIRST, alike], [alike, FIRST]):
        best = best_sentence(leaves, interaction, READER)
        assert best is not None
        assert best.leaf is leaves[0]


def test_the_context_is_no_sentence_however_well_it_meets_the_question() -> None:
    node = leaf("Five six.", name="titled", context="One")
    best = best_sentence([node], asked({"titled": rows((1, 0), (0, 1), (0, 1))}), READER)
    assert best is not None
    assert best.score == pytest.approx(0.25)


def test_leaves_that_were_not_read_have_no_best_sentence() -> None:
    assert best_sentence([FIRST], asked({}), READER) is None
    assert best_sentence([], asked(ROWS), READER) is None
    best = best_sentence([FIRST, SECOND], asked({"second": ROWS["second"]}), READER)
    assert best is not None
    assert best.leaf is SECOND


# ── the word that is met worst ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("matches", "weights", "weakest"),
    [
        # A function word (.25) and a question mark (0) do not count beside words of weight.
        ([0.9, 0.2, 0.5, -0.1], [1.0, 0.25, WEIGHTY, 0.0], 0.5),
        ([0.9, 0.2, 0.5, -0.1], [1.0, 0.25, 0.25, 0.0], 0.9),
        # Of function words alone the worst; the question mark is no word.
        ([0.9, 0.4, -0.1], [0.25, 0.25, 0.0], 0.4),
        ([-0.2, 0.9], [0.6, 0.6], -0.2),
    ],
)
def test_the_weakest_match_is_that_of_a_word_of_weight(
    matches: list[float], weights: list[float], weakest: float
) -> None:
    best = Best(leaf("Leave."), "Leave.", 0.5, np.array(matches, dtype=np.float32))
    seen = features("q", best, weights=np.array(weights), cosine=None, coverage=0.0)
    assert seen["weakest"] == pytest.approx(weakest)


# ── names ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "read", "share"),
    [
        ("When did Napoleon meet Wellington?", "Napoleon rode out.", 0.5),
        ("When did Napoleon meet Wellington?", "Wellington and Napoleon never met.", 0.0),
        ("When did Napoleon meet Wellington?", "They met in June.", 1.0),
        # The same name twice is one name.
        ("Was Napoleon ill? And when did Napoleon meet Wellington?", "Wellington waited.", 0.5),
        # What begins a sentence is no name, whatever stands before it; what follows a title is one.
        ("Rules on leave?", "none", 0.0),
        ("“Rules” on leave?", "none", 0.0),
        ("Is leave paid? Rules on that? When?", "none", 0.0),
        ("who met Dr. Smith there?", "Dr. Jones came.", 0.5),
        # Apostrophes, hyphens and possessives.
        ("what did O'Brien write?", "O'Brien's book", 0.0),
        ("what did O'Brien write?", "a book", 1.0),
        ("which is the Dogs' food?", "food for dogs", 0.0),
        ("who was Marie-Claire to him?", "Marie was his aunt.", 0.0),
        ("what does GPT-4 cost the IT department?", "GPT-4 is dear; IT pays.", 0.0),
        # Where every word has a capital, capitals tell nothing.
        ("WHAT IS THE LIMIT?", "none", 0.0),
        ("What Is The Limit?", "none", 0.0),
        ("Paris's Bridges?", "none", 0.0),
        # A capital on a function word makes no name.
        ("tell me about leave How long is it", "none", 0.0),
        ("क्या अवकाश मिलता है?", "none", 0.0),
    ],
)
def test_missing_names_are_the_share_of_the_names_that_were_not_read(
    question: str, read: str, share: float
) -> None:
    assert seen(question, read)["missing_names"] == share


def test_a_name_in_title_or_header_was_read() -> None:
    assert seen("is he like Napoleon?", "He rode out.", context="Napoleon > Youth")["missing_names"] == 0.0
    assert seen("is he like Napoleon?", "12 | 13", header="Napoleon | Wellington")["missing_names"] == 0.0


def test_a_name_is_read_in_the_language_of_the_leaf() -> None:
    read = "Das Haus in der Stadt ist alt und schön, und der Markt ist nicht weit."
    assert seen("how old are the Häuser there?", read)["missing_names"] == 0.0
    assert seen("how old are the Brücken there?", read)["missing_names"] == 1.0


def test_in_german_a_capital_makes_no_name() -> None:
    assert seen("Welche Tiere sind im Haus nicht erlaubt?", "Katzen.")["missing_names"] == 0.0


# ── figures ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "read", "share"),
    [
        ("who pays ₹1,25,000?", "₹१,२५,००० for each", 0.0),
        ("who pays ₹१,२५,०००?", "Rs. 125,000.00 for each", 0.0),
        ("who pays 125000?", "₹1,25,001 for each", 1.0),
        ("what rose from 5 to 7 in 2019?", "It rose from 5 to 7 in 2018.", 1 / 3),
        ("what was decided in 2024?", "decided on 01.04.2024", 0.0),
        ("what does section 7 say?", "as in 7(b) above", 0.0),
        ("what does section 7(b) say?", "as in 7 above", 1.0),
        ("who came 4th?", "4 came", 0.0),
        ("who came?", "1815", 0.0),
    ],
)
def test_missing_figures_are_the_share_of_the_figures_that_were_not_read(
    question: str, read: str, share: float
) -> None:
    assert seen(question, read)["missing_figures"] == pytest.approx(share)


# ── what is not so ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "question",
    [
        "Which branch is not open?",
        "NOT open?",
        "Which rules never changed?",
        "Who has no account?",
        "Are there no exceptions to it?",
        "Which of them isn't insured?",
        "Which of them isn’t insured?",
        "Which city cannot be reached?",
        "What works without a key?",
        "Who failed to pay?",
        "Which colours other than red are allowed?",
        "Neither of which?",
        "कौन-सी शाखा खुली नहीं है?",
        "बिना चाबी के क्या चलता है?",
        "रविवार के सिवाय कब?",
        "वह कभी न बदला?",
    ],
)
def test_asking_for_what_is_not_so_is_seen(question: str) -> None:
    assert seen(question)["negated"] == 1.0


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What does the note say on another knot?",
        "Who is the noble northern notary?",
        "Is the lacquer exceptional?",
        "What does Circular No. 7 say?",
        "What does circular no 7 say?",
        "What does Circular No. RBI/2021 say?",
        "What is the no. of days?",
        "What is the no of days?",
        "Is leave paid or not?",
        "What is not only paid but also long?",
        "Is it at least ten days?",
        "Which month has the least rain?",
        "Last but not least, what is the cap?",
        "What other leave is there?",
        "When is a failed transaction paid back?",
        "काबिना मंत्री कौन हैं?",
        "कैबिनेट की बैठक कब थी?",
        "नगर की सीमा कहाँ है?",
        "नीति क्या है?",
        "अवकाश मिलता है या नहीं?",
        "न केवल वेतन, और क्या?",
    ],
)
def test_the_same_letters_in_other_words_are_no_negation(question: str) -> None:
    assert seen(question)["negated"] == 0.0


# ── all together ────────────────────────────────────────────────────────────────────────────────


def test_without_late_interaction_what_rests_on_it_is_unknown() -> None:
    found = features("Not Napoleon in 1815?", None, weights=None, cosine=0.25, coverage=0.5)
    unknown = {"sentence": None, "weakest": None, "missing_names": None, "missing_figures": None}
    assert found == {**unknown, "cosine": 0.25, "coverage": 0.5, "negated": 1.0}
    assert set(found) == NAMES


def test_nothing_found_at_all_is_no_error() -> None:
    found = features("cap?", None, weights=np.array([1.0]), cosine=None, coverage=0.0)
    assert {name for name, value in found.items() if value is not None} == {"coverage", "negated"}


def test_each_feature_has_its_name() -> None:
    best = Best(leaf("Napoleon rode out."), "Napoleon rode out.", 0.8, np.array([0.6, 0.9], dtype=np.float32))
    found = features(
        "Was Napoleon not ill in 1815?", best, weights=np.array([0.9, 0.9]), cosine=0.25, coverage=0.5
    )
    assert found == {
        "sentence": 0.8,
        "weakest": pytest.approx(0.6),
        "cosine": 0.25,
        "coverage": 0.5,
        "missing_names": 0.0,
        "missing_figures": 1.0,
        "negated": 1.0,
    }


def check_odd(question: str) -> None:
    """One question, found in a leaf of words, figures and codes: every feature is a finite number."""
    found = seen(question, "Napoleon met O'Brien in 1815 under 7(b) of 01.04.2024.", context="No. 5")
    assert set(found) == NAMES
    assert all(value is not None and math.isfinite(value) for value in found.values())
    for name in ("missing_names", "missing_figures", "negated"):
        assert 0.0 <= (found[name] or 0.0) <= 1.0


PIECES = [
    "Napoleon",
    "no. ",
    "7(b)",
    "1,25,000",
    "१,२५",
    "\u0301",
    "\u093f",
    "\u200d",
    "\u200f",
    "ما",
    "'",
    "-",
    "Ⅷ",
    "²",
]


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_no_question_is_too_odd(question: str) -> None:
    check_odd(question)


LONG = [
    "",
    "?!…",
    "a",
    "A",
    "Aa ",
    "A-",
    "A'b",
    "\u0301",
    "ما هو الحد؟ ",
    "1 ",
    "12.",
    "7(",
    "a1",
    "no ",
    "A b. ",
]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", [*LONG, "क्ष1-"])
def test_a_question_as_long_as_may_be_is_read_in_no_time(piece: str) -> None:
    check_odd((piece * MAX_QUESTION_CHARS)[:MAX_QUESTION_CHARS])
    check_odd((piece * MAX_QUESTION_CHARS)[: MAX_QUESTION_CHARS - 2] + "!1")


@pytest.mark.parametrize(
    ("question", "read", "expected"),
    [
        ("How is a model aligned without a reward model?", "It aligns a model without a reward model.", 0.0),
        ("Who may not fly?", "Staff are never to fly.", 0.0),
        ("Who may not fly?", "Staff fly.", 1.0),
        ("Who may fly?", "Staff are never to fly.", 0.0),
        ("कौन नहीं जा सकता?", "बिना पास कोई जा नहीं सकता।", 0.0),
    ],
)
def test_a_negation_that_the_best_sentence_shares_is_no_sign_against_it(question, read, expected) -> None:
    assert seen(question, read)["negated"] == expected
