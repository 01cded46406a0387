"""`python -m eval ablate`: one setting at a time on the same questions, as a table with intervals."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.ablate.axes import AXES, REPRESENTED_BY, variants
from eval.ablate.run import ablate
from eval.ablate.table import ablation_table
from eval.machine import code_now
from eval.options import add_dataset_arguments, chosen, settings_of
from eval.outcome.result import Result
from eval.progress import shown_progress
from eval.runs.remember import remembered
from eval.runs.run import MEASURED, run
from prism.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser)
    known = ", ".join(dict.fromkeys([*(variant.axis for variant in AXES), *REPRESENTED_BY]))
    parser.add_argument("--axis", action="append", default=[], help=f"try only this one: {known}")
    parser.add_argument(
        "--vary", action="append", default=[], metavar="KEY=[VALUES]", help="try these values of a setting"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table here too")


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    dataset, cut = chosen(given)
    code = code_now(*MEASURED)

    def run_one(settings: Settings, label: str) -> Result:
        with shown_progress(label) as (on_indexing, on_question):
            return remembered(
                given.cache,
                dataset,
                settings,
                code,
                lambda: run(
                    dataset,
                    settings,
                    name=label,
                    code=code,
                    cache=given.cache,
                    cut=cut,
                    on_indexing=on_indexing,
                    on_question=on_question,
                ),
            )

    base = settings_of(given)
    # All at once, so that a choice that cannot be read is refused before hours of measuring.
    tried = list(variants(base, given.axis, given.vary))
    table = ablation_table(*ablate(base, tried, run_one))
    print(table, end="")
    if given.out is not None:
        given.out.write_text(table, encoding="utf-8")
    return 0
