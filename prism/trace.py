"""What each stage of a question saw and decided, in a form that is stored, shown and read by scripts.

A trace holds ids, ranks, scores and milliseconds, never a document's text. With `fusion` (kind, weights,
rrf_k) and `legs` (ranks from 1, scores) the fused score of every passage can be worked out by hand:
`sum(weight[leg] * credit of the node in that leg)`, the credit being `1 / (rrf_k + best rank)` for `rrf` and
else the node's score, scaled within each of the leg's rankings (`prism/query/fuse.py`), the best of them.
With `late_interaction` (weight, scores by node id) so can the reranked score: `(1 - weight) * fused + weight
* score`, both scaled by their spread over the pool (`prism/query/blend.py`).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from prism.types import Candidate, Merged, Notice, Passage, Ranking


class Trace:
    """The notebook of one question. Stages write in it; `body()` is what is stored."""

    def __init__(self, kind: str, question: str, workspace: str) -> None:
        self.trace_id = uuid.uuid4().hex
        self.kind = kind
        self._started = time.perf_counter()
        self._timings_ms: dict[str, float] = {}
        self._notices: list[Notice] = []
        self._body: dict[str, Any] = {"question": question, "workspace": workspace}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; its milliseconds add up when it runs more than once."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.took(name, (time.perf_counter() - began) * 1000)

    def took(self, name: str, spent_ms: float) -> None:
        """Add to what a stage has taken; what is only a part of one is named after it (`retrieve.dense`)."""
        self._timings_ms[name] = self._timings_ms.get(name, 0.0) + spent_ms

    def note(self, **facts: Any) -> None:
        """Record facts under their names (JSON values)."""
        self._body.update(facts)

    def notice(self, code: str, message: str) -> None:
        """Record something the asker should know, once."""
        notice = Notice(code, message)
        if notice not in self._notices:
            self._notices.append(notice)

    def legs(self, rankings: Sequence[Ranking]) -> None:
        """Record every leg's ranking."""
        self._body["legs"] = [
            {
                "leg": ranking.leg,
                "query": ranking.query,
                "hits": [
                    {"node_id": hit.node_id, "rank": hit.rank, "score": hit.score} for hit in ranking.hits
                ],
            }
            for ranking in rankings
        ]

    def candidates(self, name: str, candidates: Sequence[Candidate]) -> None:
        """Record a ranking of leaves (`fused`, `reranked`)."""
        self._body[name] = [
            {"node_id": item.node_id, "rank": rank, "score": item.score, "legs": dict(item.legs)}
            for rank, item in enumerate(candidates, start=1)
        ]

    def late_interaction(self, node_ids: Sequence[str], scores: Sequence[float], *, weight: float) -> None:
        """Record how well each leaf's tokens meet the question's, and what share that has in the order."""
        self._body["late_interaction"] = {
            "weight": weight,
            "scores": dict(zip(node_ids, scores, strict=True)),
        }

    def merged(self, merged: Sequence[Merged]) -> None:
        """Record what leaves became which parents."""
        self._body["merged"] = [
            {"node_id": item.node_id, "leaf_ids": list(item.leaf_ids), "score": item.score}
            for item in merged
        ]

    def passages(self, passages: Sequence[Passage]) -> None:
        """Record what the answerer was given."""
        self._body["passages"] = [
            {
                "rank": item.rank,
                "node_id": item.node_id,
                "leaf_ids": list(item.leaf_ids),
                "document_id": item.document_id,
                "score": item.score,
                "legs": dict(item.legs),
            }
            for item in passages
        ]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices so far, in order."""
        return tuple(self._notices)

    @property
    def timings_ms(self) -> Mapping[str, float]:
        """Milliseconds per stage so far, of which those with a dot are parts of others, and `total`."""
        total_ms = (time.perf_counter() - self._started) * 1000
        return {name: round(ms, 3) for name, ms in {**self._timings_ms, "total": total_ms}.items()}

    def body(self) -> dict[str, Any]:
        """The whole trace as JSON values."""
        return {
            "trace_id": self.trace_id,
            "kind": self.kind,
            **self._body,
            "notices": [{"code": item.code, "message": item.message} for item in self._notices],
            "timings_ms": dict(self.timings_ms),
        }
