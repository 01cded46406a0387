"""The reranking cases (RRK-…) through the default settings: late interaction over the packaged embedder."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from prism.models.embedder import FolderEmbedder
from tests.integration.conftest import Shelf
from tests.shelf import names

QUESTION = "How many days does a cardholder have to dispute a payment?"
ANSWER = "A cardholder has forty-five days from the statement to dispute a payment."
SENTENCES = (
    "Card payments at {place} are settled by the acquiring bank on the next working day.",
    "A payment above {number} hundred euros asks the cardholder for a second factor.",
    "The {place} desk keeps the signed slip of each payment for {number} months.",
    "When a terminal of {place} is offline, the merchant may take up to {number} payments on paper.",
    "Refunds go back to the card that paid, and reach the cardholder after {number} working days.",
    "A merchant of {place} pays a fee of {number} euros for a terminal that comes back damaged.",
    "Every card of the {place} branch is replaced after {number} years, or when its chip wears out.",
    "Days before a trip, a cardholder may tell the {place} desk where to expect a payment.",
)
BRANCHES = ("Market", "Station", "Mill", "Abbey", "Castle", "Bridge", "Garden", "Tower", "Meadow", "Orchard")


def handbook(place: str, sentences: int) -> str:
    """A branch's handbook on card payments."""
    chosen = (SENTENCES[number % len(SENTENCES)] for number in range(sentences))
    return " ".join(each.format(place=place, number=2 + n % 17) for n, each in enumerate(chosen))


LATE = f"{handbook('Harbour', 114)} {ANSWER} {handbook('Harbour', 3)}"
DISTRACTORS = {f"{place.lower()}.txt": handbook(place, 30) for place in BRANCHES}

ALIKE = (
    "Payments may be disputed for forty-five days. After that the cardholder bears them.",
    "Disputes of card payments must reach the bank within forty-five days of the statement.",
    "Forty-five days is how long the holder of a card may dispute what was paid with it, days of the bank's "
    "holidays included.",
    ANSWER,
    "Cardholders who do not recognise a payment have forty-five days to say so and open a dispute.",
)


@pytest.mark.parametrize(
    "overlay",
    [{}, {"chunk.parent_tokens": [512, 2048]}, {"rerank.weight": 1.0}],
    ids=["defaults", "the parent as long as the document", "late interaction alone"],
)
def test_rrk_01_an_answer_in_the_last_100_tokens_of_2000_ranks_first(
    shelf: Shelf, embedder: FolderEmbedder, overlay: Mapping[str, Any]
) -> None:
    assert embedder.token_count(LATE) >= 2000
    assert embedder.token_count(LATE[LATE.index(ANSWER) :]) <= 100
    found = shelf({"harbour.txt": LATE, **DISTRACTORS}, overlay=overlay).retrieve(QUESTION)
    assert found.passages[0].document == "harbour.txt"
    assert ANSWER in found.passages[0].text
    assert found.notices == ()


def test_rrk_04_five_strong_passages_have_scores_apart_and_another_order_than_the_searches_gave(
    shelf: Shelf,
) -> None:
    prism = shelf({f"{number}.txt": text for number, text in enumerate(ALIKE)})
    found = prism.retrieve(QUESTION)
    trace = prism.trace(found.trace_id)
    fused, ordered = ([row["node_id"] for row in trace[stage]] for stage in ("fused", "reranked"))
    assert sorted(ordered) == sorted(fused)
    assert ordered != fused
    assert names(found)[0] == f"{ALIKE.index(ANSWER)}.txt"
    # Its own verdict, which a score that saturates would hide: nothing of fusion in it.
    alone = prism.with_settings(**{"rerank.weight": 1.0})
    scores = [row["score"] for row in alone.trace(alone.retrieve(QUESTION).trace_id)["reranked"]]
    assert len(scores) == 5
    assert all(better - worse > 0.001 for better, worse in pairwise(scores))
