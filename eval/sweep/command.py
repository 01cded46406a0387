"""`python -m eval sweep`: how many passages an answerer should be given: quality, tokens, time."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from eval.machine import code_now
from eval.options import add_dataset_arguments, chosen, settings_of
from eval.progress import shown_progress
from eval.runs.run import MEASURED, run
from eval.sweep.table import sweep_table
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
    table = sweep_table(results)
    print(table, end="")
    if given.out is not None:
        given.out.write_text(table, encoding="utf-8")
    return 0
