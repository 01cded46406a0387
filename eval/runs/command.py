"""`python -m eval retrieval`: ask a labelled set, print what it comes to, keep the result."""

from __future__ import annotations

import argparse
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from eval.datasets.dataset import Dataset
from eval.datasets.open import open_dataset, part_of
from eval.diagnose.command import describe
from eval.diagnose.diagnose import diagnose
from eval.machine import RESULTS, code_now
from eval.report.command import write_report
from eval.runs.result import write_result
from eval.runs.run import MEASURED, run
from eval.runs.table import result_table
from prism.errors import UsageError
from prism.layers import Layer, from_file, from_overlay, merge
from prism.settings import Settings, overlay_settings
from prism.types import IngestProgress

CACHE = Path(tempfile.gettempdir()) / "prism-eval"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser)
    parser.add_argument("--name", required=True, help="what to call the result: NAME-<commit>.json")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for the result (default eval/results)"
    )
    parser.add_argument("--report", action="store_true", help="write a page with plots beside the result")


def add_dataset_arguments(parser: argparse.ArgumentParser) -> None:
    """What to ask, under which settings: options that several subcommands share."""
    parser.add_argument(
        "--dataset",
        type=Path,
        required=True,
        help="a labelled set: a folder, or a CSV or JSON file of your own questions",
    )
    parser.add_argument("--documents", type=Path, help="for a file of questions: the folder of documents")
    parser.add_argument(
        "--overlay", type=Path, action="append", default=[], metavar="FILE", help="settings to change (YAML)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="one setting: --set retrieval.k=8"
    )
    parser.add_argument("--limit", type=positive, metavar="N", help="ask at most N questions, spread evenly")
    parser.add_argument("--language", help="ask only questions in it (en, hi)")
    parser.add_argument(
        "--cache",
        type=Path,
        default=CACHE,
        help="folder for vectors, scores and indexes (default: the system's temporary folder)",
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    if not given.name or Path(given.name).name != given.name:
        raise UsageError(f"--name {given.name!r} cannot be part of a file's name.")
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
    write_result(file, result)
    print(result_table(result))
    print(describe(result, diagnose(result)))
    print(f"result: {file}")
    if given.report:
        write_report([file], given.results)
    print(_next_steps(file))
    return 0


def chosen(given: argparse.Namespace) -> tuple[Dataset, int]:
    """The questions that the options choose, and how many of the set they leave out. Raises `UsageError`."""
    whole = open_dataset(given.dataset, given.cache / "corpora", given.documents)
    part = part_of(whole, language=given.language, limit=given.limit)
    return part, len(whole.questions) - len(part.questions)


def settings_of(given: argparse.Namespace) -> Settings:
    """The defaults with the overlays in their order, and the single settings over them. A settings file of
    the folder and the environment play no part: who runs the same command elsewhere measures the same.

    Raises:
        SettingsError: a setting is unknown or out of range.
    """
    layers: list[Layer] = [from_overlay(from_file(file), str(file)) for file in given.overlay]
    layers += [from_overlay(dict([_setting(text)]), "--set") for text in given.set]
    merged: Layer = {}
    for layer in layers:
        merged = merge(merged, layer)
    return overlay_settings(Settings(), merged)


@contextmanager
def shown_progress(label: str = "") -> Iterator[tuple[Any, Any]]:
    """Two functions to tell of indexing and of questions; the bar stands on standard error."""
    begin = f"{label}: " if label else ""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def told(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total)
            bars.update(tasks[name], completed=done, total=total)

        def on_indexing(progress: IngestProgress) -> None:
            told(f"{begin}indexing, documents", progress.files_done, progress.files_total)

        def on_question(done: int, total: int) -> None:
            told(f"{begin}asking, questions", done, total)

        yield on_indexing, on_question


def positive(text: str) -> int:
    """A number from 1 up, as an option."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def _setting(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise UsageError(f"--set {text!r}: wanted KEY=VALUE, as in retrieval.k=8.")
    try:
        return key, yaml.safe_load(value)
    except yaml.YAMLError:
        raise UsageError(
            f"--set {text!r}: the value cannot be read. A list is written as [512, 1024]."
        ) from None


def _next_steps(file: Path) -> str:
    written = shlex.quote(str(file))
    steps: Sequence[tuple[str, str]] = (
        (f"python -m eval report {written}", "a page with plots, and the questions that went wrong"),
        (f"python -m eval compare {written} OTHER", "what another setting changed, and whether it is chance"),
    )
    return "\n".join(f"  {command}   {why}" for command, why in steps)
