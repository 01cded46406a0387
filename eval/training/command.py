"""`python -m eval train-projection`: the matrix that makes token vectors of the embedder's states."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from eval.machine import Code, code_now, library_versions
from eval.options import add_settings_arguments, made_cache, positive, settings_of
from eval.progress import shown_progress
from eval.runs.cache import Kept, kept
from eval.runs.collection import collection
from eval.training.collect import MEASURED, collect
from eval.training.pool import POOL_LEAVES, Pool
from eval.training.sets import DEFAULTS, TrainingSet, training_sets
from eval.training.states import WordStates
from eval.training.write import SUFFIX, check_target, write_projection
from prism.errors import UsageError
from prism.models.embedder import FolderEmbedder, load_embedder
from prism.settings import Settings, overlay_settings

SEARCH: Final = {"rerank.kind": "none", "retrieval.retrieve_k": 40}
"""Pools are what fusion alone finds: the projection that is to be made must have no say in them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="write the matrix here (.npy)"
    )
    parser.add_argument(
        "--dataset",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help=f"a labelled set; may be repeated (default: {', '.join(DEFAULTS)} below PRISM_DATA)",
    )
    parser.add_argument(
        "--limit", type=positive, metavar="N", help="at most N questions of each set, spread evenly"
    )
    parser.add_argument("--epochs", type=positive, default=2, help="times each question is seen (default 2)")
    parser.add_argument("--seed", type=int, default=0, help="of the first matrix and the order (default 0)")
    add_settings_arguments(parser)


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    check_target(given.out)
    settings, code = overlay_settings(settings_of(given), SEARCH), code_now(*MEASURED)
    data, cache = os.environ.get("PRISM_DATA"), made_cache(given)
    chosen = training_sets(given.dataset, Path(data) if data else None, cache / "corpora", limit=given.limit)
    with kept(cache / "training.sqlite") as values:
        collected = [_collected(item, settings, cache, values, code) for item in chosen]
        pools = [pool for part in collected for pool in part if pool.teaches]
        if not pools:
            raise UsageError("No question has an answer among the leaves found for it: nothing to learn.")
        origin = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": code.commit,
            "dirty": code.dirty,
            "libraries": dict(library_versions()),
            "sets": [_described(item, part) for item, part in zip(chosen, collected, strict=True)],
            "pool_leaves": POOL_LEAVES,
        }
        _fit(pools, load_embedder(settings.models.embedder), values, given, origin)
    return 0


def _collected(
    item: TrainingSet, settings: Settings, cache: Path, values: Kept, code: Code
) -> tuple[Pool, ...]:
    with (
        shown_progress(item.name) as (on_indexing, on_question),
        collection(item.dataset, settings, cache, on_indexing) as opened,
    ):
        return collect(opened, item, values, code, on_question)


def _fit(
    pools: Sequence[Pool],
    embedder: FolderEmbedder,
    values: Kept,
    given: argparse.Namespace,
    origin: Mapping[str, Any],
) -> None:
    """Read the states of the pools, fit a matrix on them, and write it."""
    # Torch, which the other subcommands start without.
    import torch

    from eval.training.examples import Examples
    from eval.training.fit import MeanLoss, Recipe, fit, mean_loss, start_matrix

    texts = list(dict.fromkeys(text for pool in pools for text in pool.texts))
    _say(f"reading {len(pools):,} questions and {len(texts):,} leaves")
    states = WordStates(values, embedder=embedder.name, max_tokens=embedder.max_tokens)
    states.read([pool.question for pool in pools], "query", embedder.llama_index)
    states.read(texts, "text", embedder.llama_index)
    examples = Examples(pools, states)
    recipe = Recipe(epochs=given.epochs, seed=given.seed)
    start = start_matrix(examples[0].leaves.shape[1], recipe.dimension, recipe.seed)

    def say(when: str, loss: MeanLoss) -> None:
        _say(f"{when}: distillation {loss.distillation:.3f}, labels {loss.labels:.4f}")

    before = mean_loss(examples, start)
    say("before", before)
    matrix = fit(examples, start, recipe, lambda epoch, loss: say(f"epoch {epoch}", loss))
    after = mean_loss(examples, torch.from_numpy(matrix))
    say("after", after)
    losses = {"before": asdict(before), "after": asdict(after)}
    made = {**origin, "embedder": embedder.name, "recipe": asdict(recipe), "loss": losses}
    write_projection(given.out, matrix, made)
    _say(
        f"projection: {given.out}. To package it: copy it to "
        f"prism/models/projections/{embedder.name}{SUFFIX}, and calibrate the gate again."
    )


def _described(item: TrainingSet, pools: Sequence[Pool]) -> dict[str, Any]:
    return {
        "name": item.name,
        "fingerprint": item.dataset.fingerprint,
        "questions": len(pools),
        "pools": sum(pool.teaches for pool in pools),
    }


def _say(text: str) -> None:
    print(text, file=sys.stderr)
