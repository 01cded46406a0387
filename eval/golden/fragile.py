"""Fragile: what in a trace might come out otherwise on another machine, so that it is not fit to be recorded.

Cosines, BM25 scores and rerank scores are *measured*: another processor computes other last digits, so two
neighbours of nearly the same score may change places. Looked at are the neighbours at every rank that is
recorded, and at every rank that a recorded row of the fused list rests on.

Equal scores are another matter. BM25 gives leaves of equal length and equal term counts the very same score,
by construction and on every machine; they share a rank (`record.py`). Cosines tie by chance alone, unless two
leaves read alike, which no two of the sample do. A reciprocal-rank score is worked out from ranks alone: it
is as stable as they are, and so are its ties.

Ties are ordered by node id. Ids derive from content and recipe, hence are the same on every machine; but a
new version of the reader, the chunker or the tokenizer deals them anew. For a leg and for the fused list that
does not matter, since tied rows share a rank. Passages have numbers of their own, which the answer prints:
passages that tie with one another, or with what the cut to k leaves out, would change numbers with a change
that broke nothing, so they are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from eval.golden.places import place_of
from eval.golden.types import Place

TOP: Final = 10
"""How many rows of a leg's ranking, of the fused and of the reranked list are recorded."""

CLOSE: Final = 1e-4
"""Scores are too close when they differ by less than this share of the larger one. Machines differ by about
1e-6."""

GATE_MARGIN: Final = 0.01
"""How far from the gate's threshold its score must be."""


def weaknesses(body: Mapping[str, Any], places: Mapping[str, Place]) -> list[str]:
    """What speaks against recording a trace, in words; empty when it is sound.

    Args:
        body: as `Prism.trace` gives it.
        places: where each node stands.
    """
    return [
        *_stale(body, places),
        *_close_in_legs(body),
        *_close_after_legs(body),
        *_tied_passages(body),
        *_close_to_gate(body),
    ]


def _stale(body: Mapping[str, Any], places: Mapping[str, Place]) -> Iterator[str]:
    lists = [*(leg["hits"] for leg in body["legs"]), body["fused"], body["merged"], body["passages"]]
    found = {place_of(item["node_id"], places) for items in lists for item in items}
    for place in sorted(found):
        if place.edition != "current":
            yield f"{place} was found, which should be gone: the index is stale"


def _close_in_legs(body: Mapping[str, Any]) -> Iterator[str]:
    for leg in body["legs"]:
        used = {item["legs"].get(leg["leg"]) for item in body["fused"][: TOP + 1]}
        ranks = {*range(1, TOP + 1), *(rank for rank in used if rank)}
        may_tie = leg["leg"] == "keyword"
        for words in _close(leg["hits"], ranks, may_tie=may_tie):
            yield f"{leg['leg']} leg ({leg['query']!r}), {words}"


def _close_after_legs(body: Mapping[str, Any]) -> Iterator[str]:
    ranks = set(range(1, TOP + 1))
    measured = ["reranked"] if body["fusion"]["kind"] == "rrf" else ["fused", "reranked"]
    for name in measured:
        for words in _close(body.get(name, ()), ranks, may_tie=False):
            yield f"{name}, {words}"


def _close(items: Sequence[Mapping[str, Any]], ranks: set[int], *, may_tie: bool) -> Iterator[str]:
    """Neighbours of which one is at one of `ranks`, too close to tell apart."""
    for first, second in pairwise(items):
        if not ranks & {first["rank"], second["rank"]}:
            continue
        larger, gap = max(abs(first["score"]), abs(second["score"])), first["score"] - second["score"]
        if may_tie if gap == 0 else gap >= CLOSE * larger:
            continue
        yield f"ranks {first['rank']} and {second['rank']}: scores {first['score']} and {second['score']}"


def _tied_passages(body: Mapping[str, Any]) -> Iterator[str]:
    merged = body["merged"]
    for (rank, first), (following, second) in pairwise(enumerate(merged, start=1)):
        if first["score"] == second["score"]:
            yield f"passages {rank} and {following} have the same score, {first['score']}"
    if not merged:
        return
    kept = {leaf for item in merged for leaf in item["leaf_ids"]} | set(body["dropped"])
    left_out = [item["score"] for item in body.get("reranked", body["fused"]) if item["node_id"] not in kept]
    if left_out and max(left_out) == merged[-1]["score"]:
        yield f"the last passage and the first left out have the same score, {merged[-1]['score']}"


def _close_to_gate(body: Mapping[str, Any]) -> Iterator[str]:
    score, threshold = body["gate"]["score"], body["gate"]["threshold"]
    if abs(score - threshold) < GATE_MARGIN:
        yield f"the gate's score {score} is next to its threshold {threshold}"
