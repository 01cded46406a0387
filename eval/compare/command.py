"""`python -m eval compare A B`: is B better than A, how sure is that, and on which questions?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from eval.compare.comparison import DEFAULT_METRIC, compare
from eval.compare.document import as_document
from eval.compare.words import describe
from eval.machine import RESULTS
from eval.outcome.find import find_result
from eval.outcome.result import read_result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument("a", metavar="A", help="the result to compare with: a file, or a name in --results")
    parser.add_argument("b", metavar="B", help="the result that may be better; of a name the newest counts")
    parser.add_argument(
        "--metric",
        default=DEFAULT_METRIC,
        help=f"the measure whose largest changes are shown (default {DEFAULT_METRIC})",
    )
    parser.add_argument("--all", action="store_true", help="show every question that changed")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for names (default eval/results)"
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code. A difference is no failure."""
    a, b = (read_result(find_result(name, given.results)) for name in (given.a, given.b))
    comparison = compare(a, b, given.metric)
    if given.json:
        document = as_document(comparison, shows_all=given.all)
        print(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        print(describe(comparison, shows_all=given.all), end="")
    return 0
