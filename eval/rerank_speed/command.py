"""`python -m eval rerank-speed`: what reranking from stored token vectors saves, loses and costs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from eval.machine import REPOSITORY, RESULTS, code_now
from eval.options import add_dataset_arguments, chosen, positive, settings_of
from eval.progress import shown_progress
from eval.rerank_speed.figures import figures
from eval.rerank_speed.ingest import disk_of, ingest_times, spread
from eval.rerank_speed.pools import pools
from eval.rerank_speed.rerank import Desk, projection_of, rerank_each_way
from eval.rerank_speed.result import write_result
from eval.rerank_speed.table import speed_table
from eval.runs.collection import collection
from prism.errors import UsageError
from prism.models.embedder import load_embedder
from prism.types import LEAF_LEVEL

SAMPLE: Final = REPOSITORY / "eval" / "datasets" / "sample"
MEASURED: Final = (
    "prism",
    "eval/datasets",
    "eval/rerank_speed",
    "eval/runs",
    "eval/bootstrap.py",
    "eval/machine.py",
)
"""Code whose changes make the figures another code's."""

ROUNDS: Final = 5
INGESTED_LEAVES: Final = 512


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser, default=SAMPLE)
    parser.add_argument(
        "--rounds",
        type=positive,
        default=ROUNDS,
        help=f"how often each time is taken; its median counts (default {ROUNDS})",
    )
    parser.add_argument(
        "--leaves",
        type=positive,
        default=INGESTED_LEAVES,
        help=f"how many leaves to embed with and without token vectors, at most (default {INGESTED_LEAVES})",
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for the result (default eval/results)"
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    settings, code = settings_of(given), code_now(*MEASURED)
    if "late_interaction" not in settings.rerank.kinds:
        raise UsageError("rerank-speed measures late interaction: leave it in rerank.kind.")
    dataset, _ = chosen(given)
    embedder = load_embedder(settings.models.embedder)
    timed = []
    with (
        shown_progress() as (on_indexing, on_question),
        collection(dataset, settings, given.cache, on_indexing) as opened,
    ):
        asked = list(pools(opened, dataset))
        active = opened.storage.active(opened.prism.settings.storage.workspace)
        with active.snapshot() as snapshot:
            desk = Desk(embedder, projection_of(embedder), active.tokens, snapshot.keywords)
            for number, pool in enumerate(asked, start=1):
                timed.append(rerank_each_way(pool, desk, given.rounds))
                on_question(number, len(asked))
            stored = opened.storage.catalogue.nodes.get(
                opened.storage.catalogue.nodes.node_ids(snapshot.generations, LEAF_LEVEL),
                snapshot.generations,
            )
        leaves = [item.node for item in stored.values()]
        disk = disk_of(leaves, active.tokens, opened.storage.folder)
        texts = [leaf.indexed_text for leaf in spread(leaves, given.leaves)]
        blocks = list(ingest_times(texts, embedder, given.rounds))
    found = figures(asked, timed, blocks, disk, weight=settings.rerank.weight)
    file = write_result(
        given.results,
        found,
        dataset=dataset,
        settings=settings,
        code=code,
        parameters={"rounds": given.rounds, "leaves": given.leaves, "questions": len(dataset.questions)},
        models={"embedder": embedder.name, "token_recipe": embedder.token_recipe},
        measured=list(zip(asked, timed, strict=True)),
        blocks=blocks,
    )
    print(speed_table(found), end="")
    print(f"result: {file}", file=sys.stderr)
    return 0
