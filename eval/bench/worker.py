"""One phase of one build in a process of its own, so that its memory is its own: started by `run.py`."""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path
from statistics import median
from typing import cast

from eval.bench import log
from eval.bench.embedding import Shape, embed_with, leaves_per_s, multiply_gflops, sample_leaves
from eval.bench.material import Material
from eval.bench.measure import MakeBuild, Measured, index_phase, query_phase, use_phase
from eval.bench.prepare import prepare
from eval.bench.quantities import BuildName
from eval.bench.reading import reading_phase
from eval.bench.schedule import schedule_for
from eval.bench.token_pool import SPECIAL_TOKENS
from prism.models.embedder import FolderEmbedder, load_embedder
from prism.models.offline import stay_offline
from prism.settings import EmbedderSettings

SAMPLE = Path(__file__).parents[1] / "datasets" / "sample" / "documents"
EMBEDDED_BATCH = 32


def main(arguments: list[str] | None = None) -> None:
    """Run one phase and append what it measures to the log."""
    stay_offline()
    given = _parser().parse_args(arguments)
    embedder = load_embedder(EmbedderSettings())
    if given.phase == "prepare":
        print(prepare(given.leaves, SAMPLE, given.cache, embedder))
        return
    build = cast(BuildName, given.build)
    for quantity, value, details in _measured(given, build, embedder):
        record = log.Record(given.leaves, given.repetition, build, quantity, value, details)
        log.append(given.log, record)


def _measured(given: argparse.Namespace, build: BuildName, embedder: FolderEmbedder) -> Measured:
    if given.phase == "embed":
        return _embed_phase(build, embedder)
    if given.phase == "reading":
        return reading_phase(build, given.data, given.work, embedder, embeds=not given.without_model)
    material = Material(given.material)
    make = _maker(build, material)
    if given.phase == "index":
        return index_phase(make, given.work, material)
    phase = query_phase if given.phase == "query" else use_phase
    return phase(make, given.work, material, schedule_for(given.leaves), embeds=not given.without_model)


def _maker(build: BuildName, material: Material) -> MakeBuild:
    """Only the build measured is imported."""
    if build == "prism":
        from eval.bench.prism_build import PrismBuild

        return partial(PrismBuild, material=material)
    from eval.bench.plain_build import PlainBuild

    return partial(PlainBuild, material=material)


def _embed_phase(build: BuildName, embedder: FolderEmbedder) -> Measured:
    texts = sample_leaves(SAMPLE, embedder)
    tokens = [min(embedder.token_count(text) + SPECIAL_TOKENS, embedder.max_tokens) for text in texts]
    embed, shape = embed_with(build, embedder), Shape.of(embedder.folder)
    limits = [multiply_gflops(shape, round(median(tokens)), EMBEDDED_BATCH)]
    rate = leaves_per_s(embed, texts)
    limits.append(multiply_gflops(shape, round(median(tokens)), EMBEDDED_BATCH))
    done_gflops = sum(map(shape.flops, tokens)) / len(texts) * rate / 1e9
    yield "embedding_rate", rate, {"leaves": len(texts), "tokens": sum(tokens)}
    # Before and after: what the machine could do while nothing else was in its way.
    share = 100 * done_gflops / max(limits)
    yield "embedding_share", share, {"limit_gflops": limits, "threads": os.cpu_count()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.bench.worker", description=__doc__)
    parser.add_argument("phase", choices=("prepare", "embed", "index", "use", "query", "reading"))
    parser.add_argument("--build", choices=("prism", "plain"))
    parser.add_argument("--leaves", type=int, default=0)
    parser.add_argument("--repetition", type=int, default=0)
    parser.add_argument("--without-model", action="store_true", help="leave out what loads the model")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--material", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--log", type=Path)
    return parser


if __name__ == "__main__":
    main()
