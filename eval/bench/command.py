"""`python -m eval bench`: measure, print the table, write the result."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from eval.bench.plot import write_plot
from eval.bench.result import read_records, write_result
from eval.bench.run import Plan, run
from eval.bench.table import paper_table, result_table
from eval.machine import RESULTS, code_now, settings_hash
from prism.errors import UsageError
from prism.settings import Settings

QUICK_LEAVES, QUICK_REPETITIONS = 200, 2
MEASURED = ("prism", "eval/bench", "eval/machine.py")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument(
        "--leaves",
        type=_sizes,
        default=(1000, 10_000, 100_000),
        help="sizes, with commas between (default 1000,10000,100000)",
    )
    parser.add_argument(
        "--repetitions", type=_positive, default=5, help="how often both builds are measured (default 5)"
    )
    parser.add_argument(
        "--only",
        choices=("query", "reading"),
        help="measure questions alone, on one index per build; or reading PDFs, beside pypdf",
    )
    parser.add_argument(
        "--data",
        type=Path,
        help="for reading: the folder of rbi_circulars and kg_rag_sec10q (default: $PRISM_DATA)",
    )
    parser.add_argument("--quick", action="store_true", help="200 leaves, 2 repetitions, no embedding")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(tempfile.gettempdir()) / "prism-bench",
        help="folder for corpora, logs and the indexes built (default: the system's temporary folder)",
    )
    parser.add_argument("--log", type=Path, help="file of values measured so far; the run goes on from it")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for the result (default eval/results)"
    )
    parser.add_argument("--plot", type=Path, help="write a plot (SVG) here")
    parser.add_argument(
        "--paper", type=_positive, metavar="LEAVES", help="say too what so many leaves would cost"
    )
    parser.add_argument("--show", type=Path, metavar="RESULT", help="measure nothing, show this result again")


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    if given.show is not None:
        records = read_records(given.show)
    else:
        code = code_now(*MEASURED)
        sizes = [QUICK_LEAVES] if given.quick else list(given.leaves)
        repetitions = QUICK_REPETITIONS if given.quick else given.repetitions
        state = f"{code.commit}-{code.changes}" if code.dirty else code.commit
        log = given.log or given.cache / f"log-{state}-{settings_hash(Settings())}.jsonl"
        work = given.cache / "work"
        plan = Plan(
            sizes,
            repetitions,
            given.cache,
            log,
            work,
            embeds=not given.quick,
            only=given.only,
            data=_data(given) if given.only == "reading" else None,
        )
        records = run(plan, lambda line: print(line, file=sys.stderr, flush=True))
        parameters = {"leaves": sizes, "repetitions": repetitions, "only": given.only}
        file = write_result(given.results, records, code, parameters, only=given.only)
        print(f"result: {file}", file=sys.stderr)
    print(result_table(records), end="")
    if given.paper is not None:
        print(f"\n{paper_table(records, given.paper)}", end="")
    if given.plot is not None:
        write_plot(given.plot, records)
    return 0


def _data(given: argparse.Namespace) -> Path:
    folder = given.data or os.environ.get("PRISM_DATA")
    if not folder:
        raise UsageError("Say with --data where the PDFs lie, or set PRISM_DATA.")
    return Path(folder)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(_positive(part) for part in text.split(","))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number
