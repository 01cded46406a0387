"""Record: ask a question, and freeze what every stage of it found."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from eval.golden.fragile import TOP, weaknesses
from eval.golden.places import place_of
from eval.golden.prepare import Prepared, prepared
from eval.golden.questions import Question
from eval.golden.types import Cited, Golden, Leg, Place, Row, Variant
from eval.golden.variants import variant_settings
from prism import Answer, Scope, UsageError
from prism.models.protocols import Embedder

SCORE_DIGITS: Final = 9
"""Decimals kept of a fused score: neighbouring ranks are 1e-4 apart, sums in another order 1e-17."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A question's golden trace, and what speaks against recording it (`fragile.py`)."""

    golden: Golden
    weaknesses: tuple[str, ...]


def observe_all(questions: Sequence[Question], *, embedder: Embedder | None = None) -> list[Observed]:
    """Prepare an index per variant in a temporary folder and ask every question; in the order given.

    Args:
        embedder: one that is loaded already; None loads the one of the settings.

    Raises:
        UsageError: the sample documents are not those that the older wordings were written for.
    """
    variants: dict[Variant, list[Question]] = {}
    for question in questions:
        variants.setdefault(question.variant, []).append(question)
    observed: dict[str, Observed] = {}
    for variant, asked in variants.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            settings = variant_settings(variant, folder / "storage")
            with prepared(folder / "older", settings, embedder=embedder) as index:
                observed |= {question.question_id: observe(question, index) for question in asked}
    return [observed[question.question_id] for question in questions]


def observe(question: Question, index: Prepared) -> Observed:
    """Ask one question of a prepared index, after those that go before it."""
    answer = _ask(question, index)
    body = index.prism.trace(answer.trace_id)
    return Observed(freeze(question, body, answer, index.places), tuple(weaknesses(body, index.places)))


def fit_to_record(observed: Sequence[Observed]) -> tuple[Golden, ...]:
    """The golden traces, when every one of them would be the same on another machine.

    Raises:
        UsageError: some would not; the message names the questions and why.
    """
    reasons = [f"{item.golden.question_id}: {weakness}" for item in observed for weakness in item.weaknesses]
    if reasons:
        raise UsageError(
            "Nothing was recorded, since these traces may come out otherwise elsewhere:\n  "
            + "\n  ".join(reasons)
            + "\nReword the questions in eval/golden/questions.py, or mend the index where it is stale."
        )
    return tuple(item.golden for item in observed)


def freeze(
    question: Question, body: Mapping[str, Any], answer: Answer, places: Mapping[str, Place]
) -> Golden:
    """What is kept of a trace and its answer.

    Args:
        body: as `Prism.trace` gives it.
        places: where each node stands.
    """
    return Golden(
        question_id=question.question_id,
        question=question.text,
        variant=question.variant,
        legs=tuple(Leg(leg["leg"], leg["query"], _ranked(leg["hits"], places)) for leg in body["legs"]),
        fused=_ranked(body["fused"], places, keeps_score=body["fusion"]["kind"] == "rrf"),
        reranked=_ranked(body["reranked"], places) if "reranked" in body else None,
        merged=tuple(
            Row(rank, place_of(item["node_id"], places), leaves=_leaves(item, body, places))
            for rank, item in enumerate(body["merged"], start=1)
        ),
        passages=tuple(Row(item["rank"], place_of(item["node_id"], places)) for item in body["passages"]),
        abstained=body["gate"]["abstain"],
        citations=tuple(
            Cited(
                n=item.n,
                document=item.passage.document,
                pages=item.pages,
                start=item.quote_start,
                end=item.quote_end,
                passage_pages=item.passage.pages,
            )
            for item in answer.citations
        ),
        answer=answer.text,
    )


def _ask(question: Question, index: Prepared) -> Answer:
    prism = index.prism
    scope = None
    if question.document is not None:
        document = prism.document(question.document)
        scope = Scope(document.workspace, frozenset([document.document_id]))
    if not question.earlier:
        return prism.ask(question.text, scope=scope)
    conversation = prism.conversation(scope=scope)
    for text in question.earlier:
        conversation.ask(text)
    return conversation.ask(question.text)


def _ranked(
    items: Sequence[Mapping[str, Any]], places: Mapping[str, Place], *, keeps_score: bool = False
) -> tuple[Row, ...]:
    """The first `TOP` rows, and those that tie with the last of them; ties in the order of their places."""
    rows: list[Row] = []
    for score, tied in groupby(items, key=lambda item: item["score"]):
        if len(rows) >= TOP:
            break
        rank, kept = len(rows) + 1, round(score, SCORE_DIGITS) if keeps_score else None
        rows += [
            Row(rank, place, kept) for place in sorted(place_of(item["node_id"], places) for item in tied)
        ]
    return tuple(rows)


def _leaves(
    merged: Mapping[str, Any], body: Mapping[str, Any], places: Mapping[str, Place]
) -> tuple[Place, ...]:
    """The leaves that a parent stands for as they are ordered, those of one score in the order of their
    places; none for a leaf on its own."""
    if merged["leaf_ids"] == [merged["node_id"]]:
        return ()
    score_of = {item["node_id"]: item["score"] for item in body.get("reranked", body["fused"])}
    groups = groupby(merged["leaf_ids"], key=lambda leaf_id: score_of.get(leaf_id))
    return tuple(
        place for _, tied in groups for place in sorted(place_of(leaf_id, places) for leaf_id in tied)
    )
