"""`python -m eval ablate`: one setting at a time on the same questions, as a table with intervals."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.ablate.axes import AXES, variants
from eval.ablate.keep import write_ablation
from eval.ablate.run import METRICS, ablate
from eval.ablate.table import ablation_table
from eval.machine import RESULTS, code_now
from eval.metrics.catalogue import CATALOGUE
from eval.options import add_dataset_arguments, check_name, chosen, settings_of
from eval.outcome.result import Result
from eval.progress import shown_progress
from eval.runs.remember import remembered
from eval.runs.run import MEASURED, run
from prism.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser)
    known = ", ".join(dict.fromkeys(variant.axis for variant in AXES))
    parser.add_argument("--axis", action="append", default=[], help=f"try only this one: {known}")
    parser.add_argument(
        "--vary", action="append", default=[], metavar="KEY=[VALUES]", help="try these values of a setting"
    )
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        choices=list(CATALOGUE),
        metavar="NAME",
        help=f"show this measure (default: {', '.join(METRICS)})",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the table here too")
    parser.add_argument("--name", help="keep the figures as ablate-NAME-<commit>.json")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for that file (default eval/results)"
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    if given.name is not None:
        check_name(given.name)
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
    metrics = tuple(given.metric) or METRICS
    first, trials = ablate(base, tried, run_one, metrics)
    table = ablation_table(first, trials, metrics)
    print(table, end="")
    if given.out is not None:
        given.out.write_text(table, encoding="utf-8")
    if given.name is not None:
        print(f"result: {write_ablation(given.results, given.name, first, trials)}")
    return 0
