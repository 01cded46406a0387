"""`python -m eval train-projection`: what it writes and refuses, with a network that does arithmetic."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from eval.__main__ import main
from eval.training import command
from tests.unit.eval.training.conftest import WordNetwork

HIDDEN = 70


@pytest.fixture
def folder(tmp_path: Path, embedder, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of quotes: six questions, each with a document of its own; no network but the arithmetic one."""
    documents = tmp_path / "mine" / "documents"
    documents.mkdir(parents=True)
    words = ["apples", "buses", "cats", "doors", "eggs", "forks"]
    for word in words:
        (documents / f"{word}.txt").write_text(f"All {word} are kept here.", encoding="utf-8")
    rows = [
        {
            "id": word,
            "question": f"where are {word}",
            "gold": [{"document": f"{word}.txt", "quote": f"All {word}"}],
        }
        for word in words
    ]
    (tmp_path / "mine" / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    fake = SimpleNamespace(name="words@1", max_tokens=64, llama_index=WordNetwork(HIDDEN))
    monkeypatch.setattr(command, "load_embedder", lambda settings: fake)
    monkeypatch.delenv("PRISM_DATA", raising=False)
    return tmp_path / "mine"


def train(folder: Path, out: Path, *options: str) -> int:
    cache = str(folder.parent / "cache")
    return main(["train-projection", "--dataset", str(folder), "--out", str(out), "--cache", cache, *options])


def test_a_matrix_is_fitted_and_written_with_its_origin(folder: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "made" / "words@1.npy"
    assert train(folder, out, "--epochs", "3", "--seed", "7", "--limit", "4") == 0
    matrix = np.load(out)
    assert (matrix.shape, matrix.dtype) == ((HIDDEN, 64), np.float16)
    origin = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert origin["embedder"] == "words@1"
    assert (origin["recipe"]["epochs"], origin["recipe"]["seed"]) == (3, 7)
    assert [(item["name"], item["questions"], item["pools"]) for item in origin["sets"]] == [("mine", 4, 4)]
    after, before = (sum(origin["loss"][when].values()) for when in ("after", "before"))
    assert after < before
    said = capsys.readouterr()
    assert said.out == ""
    assert "epoch 3: distillation" in said.err
    assert "prism/models/projections/words@1.npy" in said.err


def test_the_same_command_gives_the_same_bytes_and_another_seed_others(folder: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.npy" for number in range(3)]
    for file, seed in zip(files, ("1", "1", "2"), strict=True):
        assert train(folder, file, "--seed", seed) == 0
    first, second, other = (file.read_bytes() for file in files)
    assert first == second != other


def test_no_reranker_has_a_say_in_the_pools() -> None:
    assert command.SEARCH["rerank.kind"] == "none"


def test_a_wrong_target_is_told_before_anything_is_read(folder: Path, embedder, tmp_path: Path) -> None:
    assert train(folder, tmp_path / "matrix") == 2
    assert embedder.passages == []


def test_without_sets_the_next_step_is_told(folder: Path, tmp_path: Path, capsys) -> None:
    assert main(["train-projection", "--out", str(tmp_path / "m.npy"), "--cache", str(tmp_path / "c")]) == 2
    assert "Nothing to learn from" in capsys.readouterr().err


def test_a_set_whose_answers_no_search_finds_is_told(folder: Path, tmp_path: Path, capsys) -> None:
    row = {"id": "q", "question": "zzz", "gold": [{"document": "cats.txt", "quote": "not there"}]}
    (folder / "questions.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert train(folder, tmp_path / "m.npy") == 2
    assert "nothing to learn" in capsys.readouterr().err
