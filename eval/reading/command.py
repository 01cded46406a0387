"""`python -m eval reading`: precision and recall of the words read from files whose text is known."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from eval.machine import RESULTS, code_now
from eval.options import positive
from eval.reading.files import known_files
from eval.reading.measure import measure
from eval.reading.result import write_result
from eval.reading.table import missing_table, reading_table
from prism.errors import UsageError
from prism.settings import ReadSettings

MEASURED: Final = ("prism", "eval/reading", "eval/machine.py")
"""Code whose changes make the figures another code's."""

MISSING: Final = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument(
        "--files",
        type=Path,
        metavar="FOLDER",
        help="files with a manifest.jsonl that names reference texts (default: realfiles of $PRISM_DATA)",
    )
    parser.add_argument("--only", metavar="TEXT", help="files whose name holds it; no result is written")
    parser.add_argument(
        "--missing",
        type=positive,
        nargs="?",
        const=MISSING,
        metavar="N",
        help=f"show the N words of each file most often lost (default {MISSING})",
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for the result (default eval/results)"
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    code, settings = code_now(*MEASURED), ReadSettings()
    files = [file for file in known_files(_folder(given.files)) if (given.only or "") in file.path.name]
    if not files:
        raise UsageError(f"--only {given.only}: no file with a known text is called so.")
    measured = list(measure(files, settings))
    print(reading_table(measured), end="")
    if given.missing:
        print(f"\n{missing_table(measured, given.missing)}", end="")
    if not given.only:
        print(f"result: {write_result(given.results, measured, code, settings)}", file=sys.stderr)
    return 0


def _folder(given: Path | None) -> Path:
    if given is not None:
        return given
    if "PRISM_DATA" not in os.environ:
        raise UsageError("Say with --files where the files are, or set PRISM_DATA.")
    return Path(os.environ["PRISM_DATA"]) / "realfiles"
