"""The reranking cases (RRK-…) through the public API: a real cross-encoder over real leaves.

What the model's own classes do with each case is in `test_reranker_model.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from prism import ModelUnfitError, Prism
from prism.models.embedder import FolderEmbedder
from prism.models.rerank_selftest import PASSAGES, QUESTIONS
from tests.integration.conftest import Shelf
from tests.shelf import names
from tests.tiny_cross_encoder import save, talk, tiny_tokenizer, untrained_model

QUESTION, ANSWER = QUESTIONS[3], PASSAGES[3]
LATE = f"{talk(1965)} {ANSWER} {talk(20)}"
DISTRACTORS = {f"asked-{number}.txt": f"{QUESTION} {talk(60, seed=number)}" for number in range(10)}


def with_model(folder: Path, **values: Any) -> dict[str, Any]:
    return {"rerank.kind": "cross_encoder", "models.reranker.model": str(folder), **values}


def reranked(prism: Prism, trace_id: str) -> list[Mapping[str, Any]]:
    body: list[Mapping[str, Any]] = prism.trace(trace_id)["reranked"]
    return body


@pytest.fixture
def shelved(shelf: Shelf) -> Prism:
    return shelf({"late.txt": LATE, **DISTRACTORS})


def test_rrk_01_an_answer_in_the_last_100_tokens_of_2000_ranks_first(
    shelved: Prism, tiny_reranker: Path, embedder: FolderEmbedder
) -> None:
    assert embedder.token_count(LATE) >= 2000
    assert embedder.token_count(LATE[LATE.index(ANSWER) :]) <= 100
    assert names(shelved.with_settings(**{"rerank.kind": "none"}).retrieve(QUESTION))[0] != "late.txt"
    found = shelved.with_settings(**with_model(tiny_reranker)).retrieve(QUESTION)
    assert found.passages[0].document == "late.txt"
    assert ANSWER in found.passages[0].text


def test_rrk_01_a_leaf_longer_than_the_model_reads_is_read_to_its_end(
    shelf: Shelf, tiny_reranker: Path
) -> None:
    sizes = {"chunk.leaf_tokens": 2048, "chunk.parent_tokens": []}
    prism = shelf({"late.txt": LATE, **DISTRACTORS}, overlay=with_model(tiny_reranker, **sizes))
    found = prism.retrieve(QUESTION)
    assert found.passages[0].document == "late.txt"
    assert len(found.passages[0].leaf_ids) == 1


def test_rrk_04_scores_are_distinct_and_tell_another_order_than_the_searches(
    shelf: Shelf, tiny_reranker: Path
) -> None:
    prism = shelf({f"{number}.txt": f"{ANSWER} {talk(4 + number, seed=number)}" for number in range(5)})
    found = prism.with_settings(**with_model(tiny_reranker)).retrieve(QUESTION)
    rows = reranked(prism, found.trace_id)
    scores = [row["score"] for row in rows]
    assert len(set(scores)) == 5
    assert scores == sorted(scores, reverse=True)
    fused = [row["node_id"] for row in prism.trace(found.trace_id)["fused"]]
    assert [row["node_id"] for row in rows] != fused


def test_rrk_05_each_leaf_has_the_score_of_its_own_text(shelved: Prism, tiny_reranker: Path) -> None:
    engine = shelved.with_settings(**with_model(tiny_reranker))
    found = engine.retrieve(QUESTION, 20, leaves=True)
    right = {passage.score > 0 for passage in found.passages if ANSWER in passage.text}
    wrong = {passage.score > 0 for passage in found.passages if ANSWER not in passage.text}
    assert (right, wrong) == ({True}, {False})


def test_only_the_best_leaves_are_read_and_the_rest_stay_below_as_they_were(
    shelved: Prism, tiny_reranker: Path
) -> None:
    few = {"rerank.cross_encoder_leaves": 3}
    found = shelved.with_settings(**with_model(tiny_reranker, **few)).retrieve(QUESTION)
    trace = shelved.trace(found.trace_id)
    fused, ordered = ([row["node_id"] for row in trace[stage]] for stage in ("fused", "reranked"))
    assert ordered[3:] == fused[3:]
    assert sorted(ordered[:3]) == sorted(fused[:3])
    scores = [row["score"] for row in trace["reranked"]]
    assert all(better > worse for better, worse in pairwise(scores))


def test_a_cross_encoder_on_top_reads_what_late_interaction_put_first(
    shelved: Prism, tiny_reranker: Path
) -> None:
    kinds = ("late_interaction", ["late_interaction", "cross_encoder"])
    overlays = (with_model(tiny_reranker, **{"rerank.kind": kind}) for kind in kinds)
    few = {"rerank.cross_encoder_leaves": 4}
    below, on_top = (
        [row["node_id"] for row in reranked(shelved, engine.retrieve(QUESTION).trace_id)]
        for engine in (shelved.with_settings(**overlay, **few) for overlay in overlays)
    )
    assert on_top[4:] == below[4:]
    assert sorted(on_top[:4]) == sorted(below[:4])
    assert on_top != below, "the cross-encoder decides among those it read"


def test_rrk_07_a_model_that_ranks_at_random_is_told_with_every_answer(
    shelved: Prism, tmp_path: Path
) -> None:
    tokenizer = tiny_tokenizer()
    folder = save(untrained_model(tokenizer), tokenizer, tmp_path / "untrained")
    found = shelved.with_settings(**with_model(folder)).retrieve(QUESTION)
    # Nor does the packaged calibration of the gate hold with it.
    assert [notice.code for notice in found.notices] == ["gate_uncalibrated", "reranker_doubtful"]


def test_rrk_07_the_embedder_given_as_reranker_is_refused(shelved: Prism, embedder: FolderEmbedder) -> None:
    engine = shelved.with_settings(**with_model(embedder.folder))
    with pytest.raises(ModelUnfitError, match=r"models\.reranker\.model to a cross-encoder"):
        engine.retrieve(QUESTION)
