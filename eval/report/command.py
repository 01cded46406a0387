"""`python -m eval report`: results as a Markdown file and an HTML page."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from eval.machine import RESULTS
from eval.outcome.find import find_result
from eval.outcome.result import read_result
from eval.report.build import build_report
from eval.report.markdown import to_markdown
from eval.report.page import to_html
from prism.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument(
        "results",
        nargs="+",
        metavar="RESULT",
        help="a result file, or the name of one in --results; of several the first is the baseline",
    )
    parser.add_argument(
        "--results",
        dest="folder",
        type=Path,
        default=RESULTS,
        metavar="FOLDER",
        help="folder for names (default eval/results)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where to write (default: beside the first result)"
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    files = [find_result(name, given.folder) for name in given.results]
    write_report(files, given.out or files[0].parent)
    return 0


def write_report(files: Sequence[Path], folder: Path) -> None:
    """Write the report of these results as Markdown and as a page, and print where. Raises `UsageError`."""
    report = build_report([read_result(file) for file in files])
    for ending, text in ((".md", to_markdown(report)), (".html", to_html(report))):
        print(f"report: {_write(folder / f'{report_name(files)}{ending}', text)}")


def report_name(files: Sequence[Path]) -> str:
    """What a report is called: as its result is, or as the first is, beside the second or so many others."""
    first, *others = (file.stem for file in files)
    match others:
        case []:
            return first
        case [second]:
            return f"{first}-beside-{second}"
        case _:
            return f"{first}-beside-{len(others)}-others"


def _write(file: Path, text: str) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{file}: cannot be written ({error.strerror or error}). Name another folder with --out."
        ) from None
    return file
