"""Ask one labelled question, and set what was found at each stage beside what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from eval.datasets.dataset import LabelledQuestion
from eval.outcome.row import Row, Seen
from eval.runs.collection import Collection
from eval.runs.locate import Gold, Piece, gold_of, is_expected, rank_units
from eval.runs.places import Places
from prism.errors import PrismError
from prism.query.fuse import pool
from prism.types import LeafHit, Ranking

SEARCH_STAGES: Final = ("retrieve", "fuse", "climb", "rerank", "merge", "gate", "assemble")
"""Stages of retrieval, in order; what comes after them belongs to answering."""

Trace = Mapping[str, Any]


class Asker:
    """Asks the questions of one set of one collection."""

    def __init__(self, collection: Collection, key_of: Mapping[str, str]) -> None:
        """`key_of`: judged id by document name."""
        self._prism = collection.prism
        self._embedder = collection.embedder
        self._places = Places(collection)
        self._key_of = key_of

    def ask(self, question: LabelledQuestion) -> Row:
        """A question's row, from two searches: one as an answerer would get it, for what it is given and the
        time it takes, and one for the whole pool, for the ranking.

        A question on which retrieval fails gives a row that says so.
        """
        gold = gold_of(question, self._key_of, self._places.text_of, self._places.pages_of)
        retrieval = self._prism.settings.retrieval
        self._embedder.forget()
        try:
            trace = self._search(question, retrieval.k)
            deep = self._search(question, max(retrieval.retrieve_k, retrieval.k))
        except PrismError as error:
            return _row(question, gold, error=f"{type(error).__name__}: {error}")
        return _row(
            question,
            gold,
            ranking=self._ranking(deep["passages"], gold),
            stages=self._stages(trace, deep, gold),
            passages=self._passages(trace, question, gold),
            abstained=trace["gate"]["abstain"],
            gate_score=trace["gate"]["score"],
            timings_ms=_timings(trace),
        )

    def _search(self, question: LabelledQuestion, k: int) -> Trace:
        """The trace of a search. A follow-up is asked in a conversation of its own."""
        if not question.earlier:
            return self._prism.trace(self._prism.retrieve(question.text, k).trace_id)
        conversation = self._prism.conversation()
        for text in question.earlier:
            conversation.ask(text)
        return self._prism.trace(conversation.ask(question.text, k=k).trace_id)

    def _ranking(self, found: Iterable[Mapping[str, Any]], gold: Gold) -> tuple[str, ...]:
        return rank_units(self._units(item, gold) for item in found)

    def _units(self, item: Mapping[str, Any], gold: Gold) -> tuple[str, ...]:
        """The units of a leaf or a passage. Those of a passage over several pages come in the order of its
        leaves, best first: it is where the best one stands that a reader looks."""
        piece, *leaves = self._places.of_nodes([item["node_id"], *item.get("leaf_ids", ())])
        held = gold.units_of(piece)
        if len(held) < 2:
            return held
        by_leaf = rank_units(gold.units_of(leaf) for leaf in leaves)
        return tuple(sorted(held, key=lambda unit: by_leaf.index(unit) if unit in by_leaf else len(by_leaf)))

    def _stages(self, trace: Trace, deep: Trace, gold: Gold) -> dict[str, dict[str, int | None]]:
        """Where each stage has the gold: rank among the units of its own list."""
        lists: dict[str, Iterable[Mapping[str, Any]]] = {
            ranking.leg: [{"node_id": hit.node_id} for hit in ranking.hits] for ranking in _legs(trace)
        }
        lists |= {name: trace[name] for name in ("fused", "reranked") if name in trace}
        lists["merged"] = deep["passages"]
        found = {name: self._ranking(items, gold) for name, items in lists.items()}
        return {
            name: {unit: ranking.index(unit) + 1 if unit in ranking else None for unit in gold.grades}
            for name, ranking in found.items()
        }

    def _passages(self, trace: Trace, question: LabelledQuestion, gold: Gold) -> tuple[Seen, ...]:
        pieces = self._places.of_nodes(item["node_id"] for item in trace["passages"])
        return tuple(self._seen(rank, piece, question, gold) for rank, piece in enumerate(pieces, start=1))

    def _seen(self, rank: int, piece: Piece, question: LabelledQuestion, gold: Gold) -> Seen:
        return Seen(
            rank=rank,
            document=piece.document,
            pages=tuple(page.label for page in piece.pages),
            start=piece.start,
            end=piece.end,
            tokens=self._embedder.token_count(piece.text),
            units=tuple(unit for unit in gold.units_of(piece) if unit in gold.grades),
            expected=is_expected(question, piece),
        )


def _row(question: LabelledQuestion, gold: Gold, **found: Any) -> Row:
    nothing: dict[str, Any] = {
        "ranking": (),
        "stages": {},
        "passages": (),
        "abstained": None,
        "gate_score": None,
        "timings_ms": {},
    }
    return Row(
        question_id=question.question_id,
        question=question.text,
        kind=question.kind,
        language=question.language,
        answerable=question.answerable,
        gold=dict(gold.grades),
        names_expected=bool(question.sources or question.keywords),
        unscorable=question.unscorable or "; ".join(gold.missing[:1]),
        **{**nothing, **found},
    )


def _legs(trace: Trace) -> tuple[Ranking, ...]:
    """One ranking a leg kind, phrasings pooled as fusion pools them."""
    return pool(
        Ranking(
            leg["leg"],
            leg["query"],
            tuple(LeafHit(hit["node_id"], hit["rank"], hit["score"]) for hit in leg["hits"]),
        )
        for leg in trace["legs"]
    )


def _timings(trace: Trace) -> dict[str, float]:
    """Milliseconds of each stage of retrieval, and of all; an answer's trace goes on beyond it."""
    spent = {name: ms for name, ms in trace["timings_ms"].items() if name in SEARCH_STAGES}
    return {**spent, "total": round(sum(spent.values()), 3)}
