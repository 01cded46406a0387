"""`python -m eval sweep`: how many passages an answerer should be given: quality, tokens, time."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from eval.machine import code_now
from eval.runs.command import add_dataset_arguments, chosen, settings_of, shown_progress
from eval.runs.result import Result
from eval.runs.run import MEASURED, run
from prism.settings import overlay_settings

KS: Final = (1, 3, 5, 10, 20)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table here too")


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    dataset, cut = chosen(given)
    base, code = settings_of(given), code_now(*MEASURED)
    results = []
    for k in KS:
        with shown_progress(f"k = {k}") as (on_indexing, on_question):
            results.append(
                run(
                    dataset,
                    overlay_settings(base, {"retrieval.k": k}),
                    name=f"k{k}",
                    code=code,
                    cache=given.cache,
                    cut=cut,
                    on_indexing=on_indexing,
                    on_question=on_question,
                )
            )
    table = "\n".join(_table(results)) + "\n"
    print(table, end="")
    if given.out is not None:
        given.out.write_text(table, encoding="utf-8")
    return 0


def _table(results: Sequence[Result]) -> Iterator[str]:
    first = results[0]
    yield f"{first.dataset}: {first.counts['scored']} questions scored by {first.unit}."
    yield ""
    yield "| k | gold in the passages | passages with gold | tokens, mean | p95 | search p50, ms | p95 |"
    yield "|---|---|---|---|---|---|---|"
    for result in results:
        yield _row(result)
    yield ""
    yield (
        "Gold in the passages: share of what the answer rests on that the model is given, with its 95 % "
        "interval. Passages with gold: their share of those given. Tokens are the embedder's, of all "
        "passages together."
    )


def _row(result: Result) -> str:
    scored = [row for row in result.rows if row.is_scored]
    given = [passage for row in scored for passage in row.passages]
    right = sum(bool(passage.units) for passage in given) / len(given) if given else 0.0
    tokens = [sum(passage.tokens for passage in row.passages) for row in result.rows]
    recall = result.metrics.get("context_recall")
    found = f"{recall.mean:.3f} ({recall.low:.3f} to {recall.high:.3f})" if recall else "–"
    spent = result.latency_ms.get("total")
    times = f"{spent['p50']:.1f} | {spent['p95']:.1f}" if spent else "– | –"
    return (
        f"| {result.k} | {found} | {right:.3f} | {np.mean(tokens):,.0f} | {np.percentile(tokens, 95):,.0f} "
        f"| {times} |"
    )
