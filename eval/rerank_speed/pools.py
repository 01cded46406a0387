"""The pools that are reranked: what a question's searches brought, and what of it answers the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.datasets.dataset import Dataset
from eval.metrics.ranked import ranked_metrics
from eval.outcome.row import Row
from eval.runs.collection import Collection
from eval.runs.locate import gold_of, rank_units
from eval.runs.places import Places
from prism.query.blend import blend
from prism.types import Candidate, Node


@dataclass(frozen=True, slots=True)
class Pool:
    """A question with the leaves that fusion puts before the rerankers, best first.

    `units`: the judged units that each leaf holds, by node id. `gold`: grades by unit, empty where the set
    knows of none or the collection holds none.
    """

    question_id: str
    question: str
    fused: tuple[Candidate, ...]
    leaves: tuple[Node, ...]
    units: Mapping[str, tuple[str, ...]]
    gold: Mapping[str, int]

    @property
    def node_ids(self) -> tuple[str, ...]:
        """Ids of the leaves, in their order."""
        return tuple(leaf.node_id for leaf in self.leaves)


def pools(opened: Collection, dataset: Dataset) -> Iterator[Pool]:
    """The pool of each question that the embedder reads and that is asked on its own.

    Raises:
        PrismError: retrieval fails.
    """
    places = Places(opened)
    prism, catalogue = opened.prism, opened.storage.catalogue
    generations = {info.document_id: info.generation for info in prism.documents()}
    for question in dataset.questions:
        if question.earlier or not opened.embedder.can_read(question.text):
            continue
        opened.embedder.forget()
        trace = prism.trace(prism.retrieve(question.text).trace_id)
        fused = tuple(Candidate(row["node_id"], row["score"], row["legs"]) for row in trace["fused"])
        ids = [item.node_id for item in fused]
        if not ids:
            continue
        nodes = catalogue.nodes.get(ids, generations)
        gold = gold_of(question, dataset.key_of, places.text_of, places.pages_of)
        yield Pool(
            question_id=question.question_id,
            question=question.text,
            fused=fused,
            leaves=tuple(nodes[node_id].node for node_id in ids),
            units=dict(zip(ids, map(gold.units_of, places.of_nodes(ids)), strict=True)),
            gold={} if question.unscorable or gold.missing else gold.grades,
        )


def ranked_by(pool: Pool, scores: Sequence[float], weight: float) -> tuple[str, ...]:
    """The pool's units in the order of some scores.

    Args:
        scores: one per leaf, higher is better.
        weight: of these scores against fusion's; 1 orders by them alone.
    """
    ordered = blend(pool.fused, scores, weight=weight)
    return rank_units(pool.units[item.node_id] for item in ordered)


def ndcg_at_10(found: Sequence[tuple[Pool, tuple[str, ...]]]) -> list[float]:
    """nDCG@10 of rankings of units, one per pool, each of which must have gold."""
    rows = [
        Row(
            question_id=pool.question_id,
            question=pool.question,
            kind="",
            language="",
            answerable=None,
            gold=pool.gold,
            ranking=ranking,
            stages={},
            passages=(),
            abstained=None,
            gate_score=None,
            timings_ms={},
        )
        for pool, ranking in found
    ]
    return [float(values["ndcg@10"] or 0.0) for values in ranked_metrics(rows)]
