"""`python -m eval retrieval`: ask a labelled set, print what it comes to, keep the result."""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eval.diagnose.command import describe
from eval.diagnose.diagnose import diagnose
from eval.machine import RESULTS, code_now
from eval.options import add_dataset_arguments, check_name, chosen, settings_of
from eval.outcome.result import write_result
from eval.progress import shown_progress
from eval.report.command import write_report
from eval.retrieval.table import result_table
from eval.runs.run import MEASURED, run
from prism.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser)
    parser.add_argument("--name", required=True, help="what to call the result: NAME-<commit>.json")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for the result (default eval/results)"
    )
    parser.add_argument("--report", action="store_true", help="write a page with plots beside the result")


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    check_name(given.name)
    _check_folder(given.results)
    dataset, cut = chosen(given)
    code = code_now(*MEASURED)
    with shown_progress() as (on_indexing, on_question):
        result = run(
            dataset,
            settings_of(given),
            name=given.name,
            code=code,
            cache=given.cache,
            cut=cut,
            on_indexing=on_indexing,
            on_question=on_question,
        )
    file = given.results / f"{given.name}-{code.commit}.json"
    replaced = file.is_file()
    write_result(file, result)
    print(result_table(result))
    print(describe(result, diagnose(result)))
    print(f"result: {file}{' (in place of an earlier one; --name keeps both)' if replaced else ''}")
    if given.report:
        write_report([file], given.results)
    print(_next_steps(file))
    return 0


def _check_folder(folder: Path) -> None:
    """Before an hour of asking, not after it. Raises `UsageError` where no result can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(f"--results {folder}: nothing can be written there ({error.strerror}).") from None


def _next_steps(file: Path) -> str:
    written, python = shlex.quote(str(file)), shlex.quote(_python())
    steps: Sequence[tuple[str, str]] = (
        (f"{python} -m eval report {written}", "a page with plots, and the questions that went wrong"),
        (
            f"{python} -m eval compare {written} OTHER",
            "what another setting changed, and whether it is chance",
        ),
    )
    return "\n".join(f"  {command}   {why}" for command, why in steps)


def _python() -> str:
    """The interpreter as a person would call it here, so that the next step finds what this one found."""
    here = Path(sys.executable)
    return str(here.relative_to(Path.cwd())) if here.is_relative_to(Path.cwd()) else str(here)
