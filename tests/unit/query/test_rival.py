from __future__ import annotations

import pytest

from prism.query.quote import Quote
from prism.query.rival import find_rival


def quote(document: str, text: str, rank: int = 1) -> tuple[str, Quote]:
    return document, Quote(text, 0, len(text), (rank,), "", "", 1.0)


def rival_of(one: tuple[str, Quote], *others: tuple[str, Quote]) -> str | None:
    documents = {id(item): document for document, item in (one, *others)}
    found = find_rival(one[1], [item for _, item in others], lambda item: documents[id(item)])
    return None if found is None else found.text


OLD = quote("old", "The cap on transfers is 10 lakh a day.")
NEW = quote("new", "The cap on transfers is 20 lakh a day.", 2)


def test_another_documents_same_sentence_with_other_figures_is_a_rival() -> None:
    assert rival_of(OLD, NEW) == NEW[1].text


@pytest.mark.parametrize(
    "other",
    [
        quote("old", "The cap on transfers is 20 lakh a day."),  # the same document
        quote("new", "The cap on transfers is 10 lakh a day."),  # the same figures
        quote("new", "The cap on transfers is set a day."),  # no figures
        quote("new", "Employees may carry 20 days of leave forward."),  # other words
    ],
)
def test_what_does_not_contradict_is_no_rival(other: tuple[str, Quote]) -> None:
    assert rival_of(OLD, other) is None


def test_a_sentence_without_figures_or_of_few_words_has_no_rival() -> None:
    assert rival_of(quote("old", "The cap on transfers is set a day."), NEW) is None
    assert rival_of(quote("old", "Cap: 10"), quote("new", "Cap: 20")) is None


def test_the_likest_sentence_is_taken_and_the_better_ranked_of_two_alike() -> None:
    near = quote("new", "The cap on transfers is 30 lakh a month.", 1)
    twin = quote("newer", "The cap on transfers is 40 lakh a day.", 3)
    assert rival_of(OLD, near, twin, NEW) == NEW[1].text
    assert rival_of(OLD) is None
