"""A small invented trace and what becomes of it, all values chosen by hand."""

from __future__ import annotations

from typing import Any

from eval.golden.types import Cited, Golden, Leg, Place, Row
from prism import Answer, Citation, PageRef, Passage

A, B, C = (Place("rules.md", 0, start, start + 100) for start in (0, 100, 200))
PARENT = Place("rules.md", 1, 0, 300)
FEES = Place("fees.csv", 0, 0, 50)
GONE = Place("old.txt", 0, 0, 80, "deleted")

PLACES = {"a": A, "b": B, "c": C, "p": PARENT, "f": FEES, "g": GONE}


def hit(node_id: str, rank: int, score: float) -> dict[str, Any]:
    return {"node_id": node_id, "rank": rank, "score": score}


def line(node_id: str, rank: int, score: float, dense: int | None, keyword: int | None) -> dict[str, Any]:
    return {**hit(node_id, rank, score), "legs": {"dense": dense, "keyword": keyword}}


def body() -> dict[str, Any]:
    """A trace as `Prism.trace` gives it: `b` and `c` tie in the keyword leg, `p` stands for `a` and `b`."""
    return {
        "fusion": {"kind": "rrf", "rrf_k": 60.0, "weights": {"dense": 0.6, "keyword": 0.4}},
        "legs": [
            {
                "leg": "dense",
                "query": "limit?",
                "hits": [hit("a", 1, 0.9), hit("f", 2, 0.5), hit("b", 3, 0.4)],
            },
            {
                "leg": "keyword",
                "query": "limit?",
                "hits": [hit("a", 1, 7.0), hit("c", 2, 3.0), hit("b", 3, 3.0)],
            },
        ],
        "fused": [
            line("a", 1, 0.6 / 61 + 0.4 / 61, 1, 1),
            line("b", 2, 0.6 / 63 + 0.4 / 63, 3, 3),
            line("f", 3, 0.6 / 62, 2, None),
            line("c", 4, 0.4 / 62, None, 2),
        ],
        "merged": [
            {"node_id": "p", "leaf_ids": ["a", "b"], "score": 0.6 / 61 + 0.4 / 61},
            {"node_id": "f", "leaf_ids": ["f"], "score": 0.6 / 62},
        ],
        "passages": [{"rank": 1, "node_id": "p"}, {"rank": 2, "node_id": "f"}],
        "dropped": [],
        "gate": {"abstain": False, "score": 0.8, "threshold": 0.25},
    }


def answer() -> Answer:
    """`The limit is five. [1]`, quoted from the second page."""
    passage = Passage(
        1, "p", ("a", "b"), "rules.md", "d1", 1, (PageRef("i", 1), PageRef("1", 2)), 0, 300, "", 0.0, {}
    )
    citation = Citation(1, passage, "The limit is five.", 120, 138, (PageRef("1", 2),))
    return Answer(
        question="limit?",
        text="The limit is five. [1]",
        abstained=False,
        citations=(citation,),
        sentences=(),
        nearest=(),
        notices=(),
        conversation_id=None,
        trace_id="t",
        model="quote",
        timings_ms={},
    )


GOLDEN = Golden(
    question_id="limit",
    question="limit?",
    variant="fixed",
    legs=(
        Leg("dense", "limit?", (Row(1, A), Row(2, FEES), Row(3, B))),
        Leg("keyword", "limit?", (Row(1, A), Row(2, B), Row(2, C))),
    ),
    # 0.6 / 61 + 0.4 / 61, 0.6 / 63 + 0.4 / 63, 0.6 / 62, 0.4 / 62
    fused=(
        Row(1, A, 0.016393443),
        Row(2, B, 0.015873016),
        Row(3, FEES, 0.009677419),
        Row(4, C, 0.006451613),
    ),
    reranked=None,
    merged=(Row(1, PARENT, leaves=(A, B)), Row(2, FEES)),
    passages=(Row(1, PARENT), Row(2, FEES)),
    abstained=False,
    citations=(Cited(1, "rules.md", (PageRef("1", 2),), 120, 138, (PageRef("i", 1), PageRef("1", 2))),),
    answer="The limit is five. [1]",
)
"""What `body` and `answer` are frozen to."""
