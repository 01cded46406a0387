"""One small corpus for all tests that read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench.material import Material
from tests.unit.eval.bench.corpora import LEAVES, SENTENCES, make_small


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of sentences and the material made of it."""
    folder = tmp_path_factory.mktemp("material")
    sentences = folder / "sentences"
    sentences.mkdir()
    (sentences / "a.txt").write_text(SENTENCES)
    return sentences, make_small(LEAVES, sentences, folder / "cache")


@pytest.fixture
def material(made: tuple[Path, Path]) -> Material:
    """The same, opened."""
    return Material(made[1])
