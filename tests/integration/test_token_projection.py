"""The packaged projection of token vectors: how it is made, end to end, and what it is better than."""

from __future__ import annotations

import json
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import torch

from eval.__main__ import main
from eval.gate.command import SAMPLE
from eval.machine import Code
from eval.runs.cache import kept
from eval.runs.collection import collection
from eval.training import command
from eval.training.collect import collect
from eval.training.command import SEARCH
from eval.training.examples import Examples
from eval.training.fit import mean_loss, start_matrix
from eval.training.sets import training_sets
from eval.training.states import WordStates
from prism.models.embedder import FolderEmbedder
from prism.models.embedding import FolderEmbedding
from prism.settings import Settings, overlay_settings

pytestmark = pytest.mark.slow


CODE = Code("as it was", False, "")
"""The code does not change while the tests run, whatever happens to the files."""


@pytest.fixture(autouse=True)
def same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "code_now", lambda *_: CODE)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample set is indexed once for all tests here."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def trained(cache: Path) -> Path:
    """A matrix of a dozen questions, made once."""
    out = cache / "trained.npy"
    assert out.is_file() or train(cache, out) == 0
    return out


def train(cache: Path, out: Path) -> int:
    options = ["--dataset", str(SAMPLE), "--limit", "12", "--epochs", "2", "--cache", str(cache)]
    return main(["train-projection", "--out", str(out), *options])


def test_a_dozen_questions_make_a_matrix_that_lowers_the_loss(
    trained: Path, embedder: FolderEmbedder
) -> None:
    matrix = np.load(trained)
    assert (matrix.shape, matrix.dtype) == ((384, 64), np.float16)
    assert np.isfinite(matrix).all()
    origin = json.loads(trained.with_suffix(".json").read_text(encoding="utf-8"))
    assert origin["embedder"] == embedder.name
    assert [item["questions"] for item in origin["sets"]] == [12]
    before, after = (sum(origin["loss"][when].values()) for when in ("before", "after"))
    assert after < 0.8 * before


def test_a_second_run_reads_nothing_through_the_network_again(
    trained: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(*_: object, **__: object) -> None:
        raise AssertionError("everything was read in the first run")

    monkeypatch.setattr(FolderEmbedding, "_run", unread)
    assert train(cache, tmp_path / "again.npy") == 0
    first, second = (np.load(file).astype(np.float32) for file in (trained, tmp_path / "again.npy"))
    assert np.abs(first - second).max() < 1e-3


def test_the_packaged_matrix_is_better_than_its_beginning_on_questions_it_never_saw(
    cache: Path, embedder: FolderEmbedder
) -> None:
    (sample,) = training_sets([SAMPLE], None, cache)
    settings = overlay_settings(Settings(), SEARCH)
    with kept(cache / "training.sqlite") as values:
        with collection(sample.dataset, settings, cache) as opened:
            pools = collect(opened, sample, values, CODE)
        pools = tuple(pool for pool in pools if pool.teaches)
        states = WordStates(values, embedder=embedder.name, max_tokens=embedder.max_tokens)
        states.read([pool.question for pool in pools], "query", embedder.llama_index)
        states.read([text for pool in pools for text in pool.texts], "text", embedder.llama_index)
        examples = Examples(pools, states)
        start = mean_loss(examples, start_matrix(384, 64, 0))
        packaged = mean_loss(examples, packaged_matrix(embedder))
    assert len(pools) > 40
    assert packaged.distillation < 0.95 * start.distillation
    assert packaged.labels < 0.99 * start.labels


def packaged_matrix(embedder: FolderEmbedder) -> torch.Tensor:
    file = files("prism.models") / "projections" / f"{embedder.name}.npy"
    return torch.from_numpy(np.load(BytesIO(file.read_bytes())).astype(np.float32))
