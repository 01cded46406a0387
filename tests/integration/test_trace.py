"""A trace is enough to work every score out by hand, whatever the fusion, with reranking and without."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from statistics import fmean, pstdev
from typing import Any

import pytest

from prism import NotFoundError, Prism
from tests.integration.conftest import OpenPrism
from tests.shelf import FIVE_SENTENCES, write

LONG = " ".join(f"Cycle {n} settles at {n % 24} hours for a fee of {n} rupees." for n in range(120))
FILES = {**FIVE_SENTENCES, "long.txt": LONG, "hi.txt": "दैनिक सीमा दो लाख रुपये है।"}
QUESTIONS = [
    "What does error 0x80070005 mean?",
    "settlement fee of cycle 17",
    "Which algorithm builds communities?",
    "दैनिक सीमा क्या है?",
    "rupees and hours of registry graphs",
    "₹17",
]
SETTINGS: list[Mapping[str, Any]] = [
    {},
    {"retrieval": {"dense_weight": 0.7, "keyword_weight": 0.3}},
    {"retrieval": {"fusion": "rrf"}},
    {"retrieval": {"fusion": "rrf", "dense_weight": 0.2, "keyword_weight": 0.9, "rrf_k": 10}},
    {"retrieval": {"fusion": "min_max", "dense_weight": 0.6, "keyword_weight": 0.4}},
    {"retrieval": {"keyword_weight": 0}},
    {"retrieval": {"fusion": "rrf", "dense_weight": 0, "rrf_k": 1}},
    {"merge": {"enabled": False}},
    {"rerank": {"kind": "none"}},
    {"rerank": {"weight": 0.7}},
]


@pytest.fixture(scope="module")
def prism(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("trace")
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder / "files", FILES))
        yield prism


def credits(trace: Mapping[str, Any], leg: str, node_id: str) -> list[float]:
    """What a leaf is worth in each ranking of a leg that found it, from nothing but the stored trace."""
    kind, rrf_k = trace["fusion"]["kind"], trace["fusion"]["rrf_k"]
    found = []
    for ranking in trace["legs"]:
        if ranking["leg"] != leg:
            continue
        scores = {hit["node_id"]: hit["score"] for hit in ranking["hits"]}
        ranks = {hit["node_id"]: hit["rank"] for hit in ranking["hits"]}
        if node_id not in scores:
            continue
        low, spread = min(scores.values()), max(scores.values()) - min(scores.values())
        if kind == "rrf":
            found.append(1 / (rrf_k + ranks[node_id]))
        elif not spread:
            found.append(1.0)
        elif kind == "min_max":
            found.append((scores[node_id] - low) / spread)
        else:
            different = set(scores.values())
            mean, deviation = fmean(different), pstdev(different)
            found.append((scores[node_id] - (mean - 3 * deviation)) / (6 * deviation))
    return found


def fused_by_hand(trace: Mapping[str, Any], node_id: str) -> float:
    """The fused score of a leaf."""
    weights = trace["fusion"]["weights"]
    return sum(
        weight * max(found) for leg, weight in weights.items() if (found := credits(trace, leg, node_id))
    )


def above_three_deviations_below(score: float, scores: Collection[float]) -> float:
    """Where a score stands: 0 at three deviations below the mean, 1 at three above; 1 where all are equal.
    Equal scores count once."""
    different = set(scores)
    if len(different) == 1:
        return 1.0
    return (score - fmean(different) + 3 * pstdev(different)) / (6 * pstdev(different))


def by_hand(trace: Mapping[str, Any], node_id: str) -> float:
    """The final score of a leaf: fused, and blended with late interaction where that ran."""
    fused = {item["node_id"]: fused_by_hand(trace, item["node_id"]) for item in trace["fused"]}
    met = trace.get("late_interaction")
    if met is None:
        return fused[node_id]
    before = above_three_deviations_below(fused[node_id], fused.values())
    after = above_three_deviations_below(met["scores"][node_id], met["scores"].values())
    return (1 - met["weight"]) * before + met["weight"] * after


@pytest.mark.parametrize("overlay", SETTINGS, ids=str)
@pytest.mark.parametrize(
    ("by", "question"),
    [
        *((by, question) for by in ("ask", "retrieve", "leaves") for question in QUESTIONS),
        ("follow-up", "rupees?"),
    ],
)
def test_every_passages_score_can_be_worked_out_from_the_stored_trace(prism: Prism, overlay, question, by):
    engine = prism.with_settings(**overlay)
    if by == "ask":
        answer = engine.ask(question)
        passages = [*(item.passage for item in answer.citations), *answer.nearest]
        trace_id = answer.trace_id
    elif by == "follow-up":
        conversation = engine.conversation()
        conversation.ask("What is the Blackwell architecture?")
        answer = conversation.ask(f"And its {question}")
        passages = [*(item.passage for item in answer.citations), *answer.nearest]
        trace_id = answer.trace_id
    else:
        found = engine.retrieve(question, leaves=by == "leaves")
        passages, trace_id = list(found.passages), found.trace_id
    trace = json.loads(json.dumps(prism.trace(trace_id)))
    recorded = {item["node_id"]: item for item in trace["passages"]}
    for passage in passages:
        assert passage.score == pytest.approx(max(by_hand(trace, leaf) for leaf in passage.leaf_ids))
        assert recorded[passage.node_id]["score"] == pytest.approx(passage.score)
        assert recorded[passage.node_id]["legs"] == dict(passage.legs)
    for item in trace["fused"]:
        assert item["score"] == pytest.approx(fused_by_hand(trace, item["node_id"]))
    for item in trace.get("reranked", ()):
        assert item["score"] == pytest.approx(by_hand(trace, item["node_id"]))
    reads_question = "दैनिक" not in question
    assert ("late_interaction" in trace) == (reads_question and engine.settings.rerank.kinds != ())
    scores = [item["score"] for item in trace["passages"]]
    assert scores == sorted(scores, reverse=True)


def test_a_trace_holds_what_every_stage_saw_and_no_text_of_a_document(prism: Prism):
    answer = prism.ask("What does error 0x80070005 mean?")
    trace = prism.trace(answer.trace_id)
    expected = {
        "trace_id",
        "kind",
        "question",
        "searches",
        "k",
        "fusion",
        "legs",
        "fused",
        "merged",
        "passages",
    }
    assert expected | {"gate", "notices", "timings_ms", "model", "abstained", "cited"} <= trace.keys()
    assert {"retrieve", "fuse", "rerank", "merge", "gate", "assemble", "answer", "ground", "total"} <= trace[
        "timings_ms"
    ].keys()
    assert trace["cited"] == [item.n for item in answer.citations]
    stored = json.dumps(trace, ensure_ascii=False)
    assert not any(sentence[:30] in stored for sentence in FIVE_SENTENCES.values())


def test_an_unknown_trace_is_not_found(prism: Prism):
    with pytest.raises(NotFoundError):
        prism.trace("no-such-trace")
