"""A document is stored slice by slice; what is stored at the end does not tell."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from prism.ingest.index import index
from prism.types import FileReport, IngestReport
from tests.crash import State, open_folder, state_of
from tests.fakes import LetterTokenEmbedder

SAMPLE = Path(__file__).parents[2] / "eval" / "datasets" / "sample"
SMALL = {"chunk": {"leaf_tokens": 16, "parent_tokens": [32, 64], "context_tokens": 8}}
POISON = "unembeddable"
WORDS = ("harbour", "locker", "fine", "permit", "winter", "crane", "rope", "7(b)", "limit", "42")

Run = Callable[..., tuple[IngestReport, State]]


class Refusing(LetterTokenEmbedder):
    """Fails on a text that holds the poisonous word."""

    def embed(self, texts, on_batch=None):
        if any(POISON in text for text in texts):
            raise RuntimeError("the embedder broke")
        return super().embed(texts, on_batch)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run(folder, given, slice_leaves=3)` ingests into a folder of its own; report and state."""

    def ingest(folder: str, *batches: Sequence[Path], slice_leaves: int, embedder=None, **overlay):
        monkeypatch.setattr("prism.ingest.pipeline.index", partial(index, slice_leaves=slice_leaves))
        with open_folder(tmp_path / folder, embedder=embedder or Refusing(), **overlay) as prism:
            for batch in batches:
                report = prism.ingest(batch)
            assert prism.status().consistent
            return report, state_of(prism)

    return ingest


def sentences(seed: random.Random, count: int) -> list[str]:
    return [" ".join(seed.choices(WORDS, k=seed.randint(4, 12))).capitalize() + "." for _ in range(count)]


def write_batch(seed: random.Random, folder: Path) -> list[Path]:
    """Files of a few leaves to a few slices; some break in the middle, some at once, some are empty."""
    folder.mkdir()
    files = []
    for number in range(seed.randint(4, 7)):
        lines = sentences(seed, seed.choice((1, 2, 10, 40)))
        kind = seed.choice(("plain", "plain", "plain", "poisoned", "damaged", "empty"))
        if kind == "poisoned":
            lines.insert(seed.randrange(len(lines) + 1), f"This is {POISON}.")
        content = b"%PDF-1.7 cut" if kind == "damaged" else " ".join(lines).encode()
        file = folder / f"{number}-{kind}{'.pdf' if kind == 'damaged' else '.txt'}"
        file.write_bytes(b"" if kind == "empty" else content)
        files.append(file)
    return files


def told(report: IngestReport) -> list[FileReport]:
    return [replace(file, seconds=0.0) for file in report.files]


@pytest.mark.parametrize("seed", range(6))
def test_ing_30_any_batch_with_failures_in_the_middle_gives_the_same_reports_and_state(
    run: Run, tmp_path: Path, seed: int
) -> None:
    files = write_batch(random.Random(seed), tmp_path / "files")
    whole, whole_state = run("whole", files, slice_leaves=10_000, **SMALL)
    sliced, sliced_state = run("sliced", files, slice_leaves=3, **SMALL)
    assert told(sliced) == told(whole)
    assert sliced_state == whole_state


def test_a_build_that_breaks_after_some_slices_leaves_nothing_and_the_old_version(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("The cap is ten.")
    _, before = run("store", [file], slice_leaves=3, **SMALL)
    file.write_text(" ".join([*sentences(random.Random(1), 40), f"This is {POISON}."]))
    report, after = run("store", [file], slice_leaves=3, **SMALL)
    assert [item.status for item in report.files] == ["failed"]
    assert after == before


def test_the_sample_documents_have_the_same_vectors_in_any_slices(run: Run) -> None:
    from prism.models.embedder import load_embedder
    from prism.settings import load_settings

    embedder = load_embedder(load_settings(environ={}).models.embedder)
    whole, whole_state = run("whole", [SAMPLE], slice_leaves=10_000, embedder=embedder)
    sliced, sliced_state = run("sliced", [SAMPLE], slice_leaves=4, embedder=embedder)
    assert whole.count("added") > 10
    assert told(sliced) == told(whole)
    without = {"vectors": {}, "token_vectors": {}}
    assert replace(sliced_state, **without) == replace(whole_state, **without)
    assert set(sliced_state.vectors) == set(whole_state.vectors) == set(sliced_state.token_vectors)
    for node_id, vector in whole_state.vectors.items():
        # Both were rounded to six decimals.
        np.testing.assert_allclose(sliced_state.vectors[node_id], vector, atol=2e-6)
    for node_id, rows in whole_state.token_vectors.items():
        # A number that lies between two steps may be rounded to either.
        np.testing.assert_allclose(sliced_state.token_vectors[node_id], rows, rtol=0, atol=1)
