"""A trace is enough to work every fused score out by hand: sum of weight / (rrf_k + best rank in the leg)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
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
    {"retrieval": {"dense_weight": 0.2, "keyword_weight": 0.9, "rrf_k": 10}},
    {"retrieval": {"keyword_weight": 0}},
    {"retrieval": {"dense_weight": 0, "rrf_k": 1}},
    {"merge": {"enabled": False}},
]


@pytest.fixture(scope="module")
def prism(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("trace")
    with make_prism(folder / "storage") as prism:
        prism.ingest(write(folder / "files", FILES))
        yield prism


def by_hand(trace: Mapping[str, Any], node_id: str) -> float:
    """The fused score of a leaf, from nothing but the stored trace."""
    weights, rrf_k = trace["fusion"]["weights"], trace["fusion"]["rrf_k"]
    score = 0.0
    for leg, weight in weights.items():
        ranks = [
            hit["rank"]
            for ranking in trace["legs"]
            if ranking["leg"] == leg
            for hit in ranking["hits"]
            if hit["node_id"] == node_id
        ]
        if ranks:
            score += weight / (rrf_k + min(ranks))
    return score


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
        assert item["score"] == pytest.approx(by_hand(trace, item["node_id"]))
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
