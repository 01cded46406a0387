"""What holds of every quote; how sentences are weighed is measured elsewhere."""

from __future__ import annotations

import pytest

from prism.query.quote import Quote, choose_quotes, quote_spans, score_sentences, write_quotes
from prism.types import Passage


def passage(rank: int, text: str, *, start: int = 100, header: str = "") -> Passage:
    return Passage(
        rank, f"n{rank}", (), "d.txt", "doc", 1, (), start, start + len(text), text, 1.0, {}, header
    )


def quotes(question: str, *passages: Passage, headings: tuple[str, ...] = ()) -> tuple[Quote, ...]:
    """Scored by the share of the question's words that a text holds."""
    asked = set(question.lower().split())

    def coverage(text: str) -> float:
        return len(asked & {word.strip(".,?()") for word in text.lower().split()}) / len(asked)

    return score_sentences(
        passages,
        coverage=coverage,
        references=lambda item, start, end: "",
        meaning=None,
        headings=headings,
    )


def quote(text: str, *ranks: int, score: float = 1.0, header: str = "", start: int = 0) -> Quote:
    return Quote(text, start, start + len(text), ranks, header, "", score)


def test_every_quote_is_verbatim_at_its_place() -> None:
    text = "First words here.  The cap is ten days.\nLast words stand here."
    for found in quotes("cap days", passage(1, text, start=100)):
        assert text[found.start - 100 : found.end - 100] == found.text


def test_the_sentence_that_holds_the_question_comes_first() -> None:
    best = quotes("the cap days", passage(1, "Other words stand here. The cap is ten days."))[0]
    assert best.text == "The cap is ten days."


def test_a_very_long_sentence_is_cut_to_the_stretch_that_holds_the_question() -> None:
    text = "filler " * 200 + "the cap is ten days " + "filler " * 200 + "end."
    best = quotes("cap ten days", passage(1, text))[0]
    assert "cap is ten days" in best.text
    assert len(best.text) < len(text) / 2
    assert text[best.start - 100 : best.end - 100] == best.text


def test_nothing_to_read_gives_no_quote() -> None:
    assert quotes("cap") == ()
    assert quotes("cap", passage(1, " … \n")) == ()


def test_the_same_words_in_two_passages_are_one_quote_with_two_marks() -> None:
    chosen = choose_quotes(
        [quote("The cap is ten.", 1), quote("the cap  is ten.", 3, score=0.9)], max_quotes=3, ratio=0.5
    )
    assert [item.ranks for item in chosen] == [(1, 3)]
    assert write_quotes(chosen) == "The cap is ten. [1][3]"


@pytest.mark.parametrize(
    ("text", "other", "ranks"),
    [
        ("Notice, in writing, is due.", "Notice in writing is due", [(1, 2)]),
        ("The rate is 1.25.", "The rate is 12.5.", [(1,), (2,)]),
        ("It falls to -5.", "It falls to 5.", [(1,), (2,)]),
        ("सीमा दस है।", "सीमा दस है", [(1, 2)]),
        ("कल", "काल", [(1,), (2,)]),
    ],
)
def test_punctuation_makes_no_other_words_and_figures_and_vowel_signs_do(text, other, ranks) -> None:
    chosen = choose_quotes([quote(text, 1), quote(other, 2)], max_quotes=3, ratio=0.5)
    assert [item.ranks for item in chosen] == ranks


def test_further_quotes_must_be_nearly_as_good_and_no_more_than_asked() -> None:
    scored = [quote(f"Sentence {n}.", 1, score=score) for n, score in enumerate((1.0, 0.9, 0.85, 0.2))]
    assert len(choose_quotes(scored, max_quotes=3, ratio=0.8)) == 3
    assert len(choose_quotes(scored, max_quotes=2, ratio=0.8)) == 2
    assert len(choose_quotes(scored, max_quotes=3, ratio=0.95)) == 1
    assert choose_quotes([], max_quotes=3, ratio=0.8) == ()


def test_a_documents_own_brackets_cannot_pass_for_marks() -> None:
    assert write_quotes([quote("As shown in [7].", 2)]) == "As shown in (7). [2]"


def test_a_row_is_shown_with_its_columns() -> None:
    shown = write_quotes([quote("wire | 10", 1, header="Item | Fee")])
    assert "Item | Fee" in shown
    assert shown.endswith("wire | 10 [1]")


def test_line_breaks_inside_a_quote_do_not_break_the_answers_lines() -> None:
    assert (
        write_quotes([quote("The cap\nis ten.", 1), quote("Ask HR.", 2)])
        == "The cap is ten. [1]\nAsk HR. [2]"
    )


def test_the_places_of_all_quotes_are_kept_for_each_number_the_best_first() -> None:
    chosen = [quote("One.", 2, start=10), quote("Two.", 2, start=50), quote("Three.", 1, start=70)]
    assert quote_spans(chosen) == {2: ((10, 14), (50, 54)), 1: ((70, 76),)}


@pytest.mark.parametrize("heading", ["Caps and limits", "What is the cap?"])
def test_a_heading_or_printed_question_is_not_the_answer(heading: str) -> None:
    found = quotes("what is the cap", passage(1, f"{heading}\n\nTen days are allowed."), headings=(heading,))
    assert [item.text for item in found] == ["Ten days are allowed."]


@pytest.mark.parametrize(
    ("first", "is_said"),
    [
        ("अवकाश नीति", False),  # ends in a vowel sign, which is a mark and no letter
        ("अवकाश का समय", False),
        ("अवकाश आठ दिन का है", True),
        ("अवकाश का फ़ॉर्म साथ दें", True),
        ("अवकाश दिन: ८", True),
    ],
)
def test_a_hindi_line_that_states_nothing_is_a_heading(first: str, is_said: bool) -> None:
    found = quotes("अवकाश कितना है", passage(1, f"{first}\n\nअवकाश साल में मिलता है।"))
    assert (first in [item.text for item in found]) == is_said
