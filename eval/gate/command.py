"""`python -m eval gate`: the sample questions and the golden traces, against what is committed."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Final

from eval.datasets.quotes import read_quotes
from eval.gate.check import check
from eval.gate.words import describe
from eval.golden import command as golden
from eval.golden.compare import compare
from eval.golden.file import FILE as GOLDEN
from eval.golden.file import read as read_golden
from eval.golden.questions import QUESTIONS
from eval.golden.record import observe_all
from eval.machine import REPOSITORY, code_now
from eval.outcome.result import Result, read_result, write_result
from eval.progress import shown_progress
from eval.runs.run import MEASURED, run
from prism.settings import Settings

SAMPLE: Final = REPOSITORY / "eval" / "datasets" / "sample"
BASELINE: Final = REPOSITORY / "eval" / "gate" / "baseline.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument(
        "--accept", action="store_true", help="take what is found now as the baseline and the golden traces"
    )
    parser.add_argument("--baseline", type=Path, default=BASELINE, help="the baseline's file")
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden traces' file")


def main(given: argparse.Namespace) -> int:
    """Check, or accept; returns the exit code: 1 when the gate is red.

    Raises:
        UsageError: there is no baseline, or it is of other questions.
    """
    if given.accept:
        write_result(given.baseline, measure())
        print(f"written: {given.baseline}")
        return golden.main(argparse.Namespace(record=True, file=given.golden))
    baseline, recorded = read_result(given.baseline), read_golden(given.golden)
    checked = check(baseline, measure())
    traces = compare(recorded, [item.golden for item in observe_all(QUESTIONS)])
    for line in describe(checked, traces, len(recorded)):
        print(line)
    return 1 if checked.is_red or traces else 0


def measure() -> Result:
    """The sample questions under the default settings, everything made anew: what lay about from an earlier
    run cannot help or hide anything."""
    with tempfile.TemporaryDirectory(prefix="prism-gate-") as cache, shown_progress() as told:
        return run(
            read_quotes(SAMPLE),
            Settings(),
            name="gate",
            code=code_now(*MEASURED),
            cache=Path(cache),
            on_indexing=told[0],
            on_question=told[1],
        )
