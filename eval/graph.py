"""`python -m eval graph`: what the search graph's settings cost and find, on the bench's vectors.

Indexes the same leaves once per (hnsw_m, ef_construction) and asks the same questions at each ef_search. The
defaults of `vectors` follow the table it prints (docs/performance.md).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eval.bench.material import Material
from eval.bench.prepare import prepare
from eval.bench.recall import recall
from eval.bench.worker import SAMPLE
from prism.models.embedder import load_embedder
from prism.models.protocols import Vectors
from prism.settings import EmbedderSettings, VectorSettings
from prism.stores.vectors import VectorStore

GRAPHS = ((16, 100), (32, 200))
SEARCHES = (100, 150, 300, 600)
RECALL_K = 10
LEAVES_PER_CALL = 50
"""As an ingest of many documents stores them."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of the table. Latency is the median of a search for ten leaves."""

    hnsw_m: int
    ef_construction: int
    ef_search: int
    leaves_per_s: float
    recall: float
    search_p50_ms: float


@dataclass(frozen=True, slots=True)
class Everything:
    """All leaves are visible."""

    ids: Sequence[str]

    def __len__(self) -> int:
        return len(self.ids)

    def node_ids(self) -> Sequence[str]:
        """All of them."""
        return self.ids

    def only(self, node_ids: Iterable[str]) -> list[str]:
        """All of these."""
        return list(node_ids)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument("--leaves", type=int, default=100_000, help="size of the corpus (default 100000)")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "prism-bench",
        help="folder for corpora (default: the system's temporary folder)",
    )


def main(given: argparse.Namespace) -> int:
    """Print the table as it grows; returns the exit code."""
    material = Material(prepare(given.leaves, SAMPLE, given.cache, load_embedder(EmbedderSettings())))
    questions = [material.question_vector(question.text) for question in material.questions]
    print("| hnsw_m | ef_construction | ef_search | indexing, leaves/s | recall@10 | search p50, ms |")
    print("|---|---|---|---|---|---|")
    for row in measure(material.leaf_ids(), material.leaf_vectors(), questions):
        print(
            f"| {row.hnsw_m} | {row.ef_construction} | {row.ef_search} | {row.leaves_per_s:,.0f} "
            f"| {row.recall:.3f} | {row.search_p50_ms:.2f} |",
            flush=True,
        )
    return 0


def measure(
    ids: Sequence[str],
    leaves: Vectors,
    questions: Sequence[Vectors],
    graphs: Sequence[tuple[int, int]] = GRAPHS,
    searches: Sequence[int] = SEARCHES,
) -> Iterator[Measured]:
    """Index and ask, one row per graph and search.

    Args:
        leaves: float32 (leaves, d), rows of length 1, in the order of `ids`.
        questions: float32 (d,) each, of length 1.
    """
    for hnsw_m, ef_construction in graphs:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "vectors"
            built = VectorSettings(hnsw_m=hnsw_m, ef_construction=ef_construction)
            leaves_per_s = _index(folder, built, ids, leaves)
            for ef_search in searches:
                settings = built.model_copy(update={"ef_search": ef_search})
                found, p50_ms = _ask(folder, settings, ids, questions)
                share = recall(found, questions, ids, leaves, RECALL_K)
                yield Measured(hnsw_m, ef_construction, ef_search, leaves_per_s, share, p50_ms)


def _index(folder: Path, settings: VectorSettings, ids: Sequence[str], leaves: Vectors) -> float:
    began = time.perf_counter()
    with VectorStore(folder, settings) as store:
        collection = store.collection("default")
        for start in range(0, len(ids), LEAVES_PER_CALL):
            part = ids[start : start + LEAVES_PER_CALL]
            document = [f"{start // LEAVES_PER_CALL}"] * len(part)
            collection.upsert(part, leaves[start : start + len(part)], document, [1] * len(part))
    return len(ids) / (time.perf_counter() - began)


def _ask(
    folder: Path, settings: VectorSettings, ids: Sequence[str], questions: Sequence[Vectors]
) -> tuple[list[list[str]], float]:
    visible, found, spent_ms = Everything(ids), [], []
    with VectorStore(folder, settings) as store:
        collection = store.collection("default")
        collection.search(questions[0], RECALL_K, visible)
        for question in questions:
            began = time.perf_counter()
            hits = collection.search(question, RECALL_K, visible)
            spent_ms.append((time.perf_counter() - began) * 1e3)
            found.append([hit.node_id for hit in hits])
    return found, float(np.median(spent_ms))
