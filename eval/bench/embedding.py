"""Embedding speed on real texts, and how near it comes to what the machine can multiply.

The limit is measured on the spot: the matrix products of the model's layers in their own shapes, for texts
of the median length without padding. Nothing that computes these vectors in float32 can be faster; what is
missing to it is tokenizing, softmax, normalisation, copies and padding.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from eval.bench.quantities import BuildName
from prism.ingest.chunk import chunk
from prism.ingest.clean import clean
from prism.ingest.load import load, read
from prism.ingest.size import chunk_tools
from prism.models.embedder import FolderEmbedder
from prism.settings import ChunkSettings, ReadSettings
from prism.types import LEAF_LEVEL, Source

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a transformer encoder decides its matrix products (Vaswani 2017)."""

    layers: int
    hidden: int
    inner: int
    heads: int

    @classmethod
    def of(cls, folder: Path) -> Shape:
        """From the `config.json` of a BERT folder."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return cls(
            config["num_hidden_layers"],
            config["hidden_size"],
            config["intermediate_size"],
            config["num_attention_heads"],
        )

    def flops(self, tokens: int) -> int:
        """Floating point operations of the matrix products for one text.

        A layer projects to query, key, value and output (4 h²), goes through the inner layer and back
        (2 h i) and attends (2 n h) for each of n tokens; a multiplication and an addition each.
        """
        per_token = 4 * self.hidden**2 + 2 * self.hidden * self.inner + 2 * tokens * self.hidden
        return 2 * self.layers * tokens * per_token


def sample_leaves(folder: Path, embedder: FolderEmbedder) -> list[str]:
    """The leaves of every file of a folder, as an ingest cuts them."""
    texts: list[str] = []
    for file in sorted(folder.iterdir()):
        source, settings = Source(file, file.name), ReadSettings()
        loaded = clean(load(source, read(source, settings), settings))
        nodes = chunk(
            loaded,
            document_id=file.name,
            version="bench",
            generation=1,
            settings=ChunkSettings(),
            tools=chunk_tools(embedder, ChunkSettings()),
        )
        texts += [node.text for node in nodes if node.level == LEAF_LEVEL]
    return texts


def embed_with(build: BuildName, embedder: FolderEmbedder) -> Callable[[Sequence[str]], object]:
    """A build's way to embed passages, its model loaded: in Prism with the token vectors it keeps of them."""
    if build == "prism":
        embedder.embed_with_tokens(["warm up"])
        return embedder.embed_with_tokens
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding

    plain = HuggingFaceEmbedding(model_name=str(embedder.folder))
    plain.get_text_embedding("warm up")
    return lambda texts: plain.get_text_embedding_batch(list(texts))


def leaves_per_s(embed: Callable[[Sequence[str]], object], texts: Sequence[str]) -> float:
    """How many texts a second are embedded."""
    began = time.perf_counter()
    embed(texts)
    return len(texts) / (time.perf_counter() - began)


def multiply_gflops(shape: Shape, tokens: int, texts: int) -> float:
    """Billions of operations a second in a layer's products, for a batch of texts of one length.

    The median of several rounds, after one that is not counted.
    """
    import torch

    rows, head = tokens * texts, shape.hidden // shape.heads
    x = torch.rand(rows, shape.hidden)
    square = torch.rand(shape.hidden, shape.hidden)
    up, down = torch.rand(shape.hidden, shape.inner), torch.rand(shape.inner, shape.hidden)
    query = torch.rand(texts * shape.heads, tokens, head)
    key, value = query.transpose(1, 2), torch.rand(texts * shape.heads, tokens, head)
    spent_s: list[float] = []
    with torch.inference_mode():
        for _ in range(ROUNDS + 1):
            began = time.perf_counter()
            for _ in range(4):
                x @ square
            (x @ up) @ down
            torch.bmm(torch.bmm(query, key), value)
            spent_s.append(time.perf_counter() - began)
    return texts * shape.flops(tokens) / shape.layers / median(spent_s[1:]) / 1e9
