from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from eval.rerank_speed import ingest
from eval.rerank_speed.ingest import BLOCK_LEAVES, Disk, disk_of, ingest_times, spread
from prism.stores.token_vectors import WorkspaceTokens
from tests.fakes import LetterTokenEmbedder
from tests.unit.eval.rerank_speed.made import make_pool

LEAVES = make_pool({"a": 0.5, "b": 0.4}, texts={"a": "cap", "b": "dog pap"}).leaves


class Watched(LetterTokenEmbedder):
    """Counts what it embeds, by way."""

    def __init__(self) -> None:
        self.plain: list[int] = []
        self.with_tokens: list[int] = []

    def embed(self, texts, on_batch=None):
        self.plain.append(len(texts))
        return LetterTokenEmbedder().embed(texts, on_batch)

    def embed_with_tokens(self, texts, on_batch=None):
        self.with_tokens.append(len(texts))
        return LetterTokenEmbedder().embed_with_tokens(texts, on_batch)


def test_each_block_is_embedded_each_way_and_the_last_is_shorter() -> None:
    embedder = Watched()
    blocks = list(ingest_times(["leaf"] * (BLOCK_LEAVES + 3), embedder, rounds=2))
    assert [block.leaves for block in blocks] == [BLOCK_LEAVES, 3]
    assert embedder.plain == [BLOCK_LEAVES] * 2 + [3] * 2
    # A first pass that is not counted; with token vectors, and with writing, twice each.
    assert embedder.with_tokens == [1] + [BLOCK_LEAVES] * 4 + [3] * 4
    assert all(min(block.without_ms, block.with_ms, block.written_ms) > 0 for block in blocks)


def test_what_is_written_is_a_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    finished: list[int] = []

    class Noted(WorkspaceTokens):
        def finish(self, document_id, generation):
            super().finish(document_id, generation)
            finished.append(len(self.generations()))

    monkeypatch.setattr(ingest, "WorkspaceTokens", Noted)
    list(ingest_times(["leaf"] * 3, LetterTokenEmbedder(), rounds=2))
    assert finished == [1, 2]


def test_the_disk_is_counted_with_leaves_and_tokens(tmp_path: Path) -> None:
    tokens = WorkspaceTokens(tmp_path / "tokens" / "default")
    tokens.keep("r")
    tokens.add("doc", 1, ["a", "b"], [np.ones((1, 4), np.int8), np.ones((2, 4), np.int8)])
    tokens.finish("doc", 1)
    (file,) = tmp_path.rglob("*.tokens")
    (tmp_path / "catalogue.sqlite").write_bytes(b"else")
    found = disk_of(LEAVES, tokens, tmp_path)
    assert found == Disk(leaves=2, tokens=3, bytes=file.stat().st_size)
    assert found.bytes_per_leaf == file.stat().st_size / 2 > 6


def test_leaves_are_spread_over_all_there_are() -> None:
    leaves = [*LEAVES] * 5
    assert spread(leaves, 20) == leaves
    assert [id(leaf) for leaf in spread(leaves, 5)] == [id(leaves[place]) for place in (0, 2, 4, 6, 8)]
