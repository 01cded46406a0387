"""`python -m eval rerank-speed` with the real embedder, over a handful of documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from tests.shelf import FIVE_SENTENCES, write


@pytest.fixture
def own_set(tmp_path: Path) -> list[str]:
    """The options that name it."""
    write(tmp_path / "documents", FIVE_SENTENCES)
    file = tmp_path / "questions.csv"
    file.write_text(
        "question,source,quote\n"
        "What does error 0x80070005 mean?,errors.txt,Access Denied\n"
        "Which algorithm builds the communities?,graphs.txt,Leiden algorithm\n"
        "How are models aligned?,alignment.txt,aligns a language model\n",
        encoding="utf-8",
    )
    folders = ["--cache", str(tmp_path / "cache"), "--results", str(tmp_path / "results")]
    return ["--dataset", str(file), "--documents", str(tmp_path / "documents"), *folders]


def test_every_way_to_score_is_measured_over_the_vectors_that_an_ingest_stored(
    own_set: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rerank-speed", *own_set, "--rounds", "2", "--leaves", "3"]) == 0
    assert "| reranking 5 leaves, 3 questions | |" in capsys.readouterr().out
    (file,) = (tmp_path / "results").iterdir()
    assert file.name.startswith("rerank-speed-questions-")
    told = json.loads(file.read_text(encoding="utf-8"))
    found = told["figures"]
    assert (found["questions"], found["pool_leaves"], found["embedded_leaves"]) == (3, 5, 3)
    assert found["times_faster"]["mean"] > 1
    # The texts are read in other batches than at ingest, and a number may be rounded to the next step.
    assert found["largest_gap"] < 0.005
    assert found["disk"]["leaves"] == 5
    assert found["bytes_per_leaf"] > 64 * found["disk"]["tokens"] / 5
    for quality in found["qualities"]:
        assert quality["questions"] == 3
        projected, _ = quality["references"]
        assert abs(projected["difference"]["mean"]) < 0.05


def test_without_late_interaction_there_is_nothing_to_measure(
    own_set: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rerank-speed", *own_set, "--set", "rerank.kind=none"]) == 2
    assert "leave it in rerank.kind" in capsys.readouterr().err
