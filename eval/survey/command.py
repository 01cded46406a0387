"""`python -m eval survey`: every choice on every labelled set, as a table and a result."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from eval.datasets.dataset import Dataset
from eval.datasets.open import open_dataset, part_of
from eval.machine import RESULTS, Code, code_now
from eval.options import CACHE, positive
from eval.outcome.result import Result
from eval.progress import shown_progress
from eval.runs.remember import remembered
from eval.runs.run import MEASURED, run
from eval.survey.choices import COMPARISONS, Choice
from eval.survey.outcome import Outcome, read_outcomes, write_outcomes
from eval.survey.sets import surveyed_sets
from eval.survey.table import survey_table
from prism.settings import Settings, overlay_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    compared = parser.add_mutually_exclusive_group()
    compared.add_argument(
        "--ladder",
        dest="compared",
        action="store_const",
        const="ladder",
        default="fusions",
        help="stage after stage up to the defaults, not fusions",
    )
    compared.add_argument(
        "--weights",
        dest="compared",
        action="store_const",
        const="weights",
        help="what late interaction weighs beside fusion",
    )
    parser.add_argument("--limit", type=positive, default=200, help="questions of each set (default 200)")
    parser.add_argument("--set", action="append", default=[], help="only this set, by its name in the table")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for vectors, indexes and trials")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for the result (default eval/results)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the tables here (Markdown)")
    parser.add_argument("--show", type=Path, metavar="RESULT", help="ask nothing, show this result again")


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    outcomes = _survey(given) if given.show is None else read_outcomes(given.show)
    table = survey_table(outcomes)
    print(table, end="")
    if given.out is not None:
        given.out.write_text(table, encoding="utf-8")
    return 0


def _survey(given: argparse.Namespace) -> list[Outcome]:
    """Ask every set under every choice, and keep what came out."""
    data = os.environ.get("PRISM_DATA")
    code = code_now(*MEASURED)
    outcomes = []
    for surveyed in surveyed_sets(Path(data) if data else None, given.set):
        whole = open_dataset(surveyed.folder, given.cache / "corpora")
        dataset = part_of(whole, language=surveyed.language, limit=given.limit)
        for choice in COMPARISONS[given.compared]:
            result = _trial(dataset, choice, code, given.cache, f"{surveyed.name}, {choice.name}")
            outcomes.append(Outcome.of(surveyed.name, choice.name, result))
    file = write_outcomes(given.results, outcomes, code, {"limit": given.limit, "compared": given.compared})
    print(f"result: {file}", file=sys.stderr)
    return outcomes


def _trial(dataset: Dataset, choice: Choice, code: Code, cache: Path, label: str) -> Result:
    settings = overlay_settings(Settings(), choice.overlay)
    with shown_progress(label) as (on_indexing, on_question):
        return remembered(
            cache,
            dataset,
            settings,
            code,
            lambda: run(
                dataset,
                settings,
                name=label,
                code=code,
                cache=cache,
                on_indexing=on_indexing,
                on_question=on_question,
            ),
        )
