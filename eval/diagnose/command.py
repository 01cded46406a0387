"""`python -m eval diagnose RESULT`: a result in words, with the settings to try."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from eval.diagnose.diagnose import NOTHING, diagnose
from eval.diagnose.finding import Finding
from eval.machine import RESULTS
from eval.metrics.summarize import count
from eval.outcome.find import find_result
from eval.outcome.result import Result, read_result
from eval.wording.escape import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument("result", metavar="RESULT", help="a file, or a name in --results")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="folder for names (default eval/results)"
    )


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code. A finding is no failure."""
    result = read_result(find_result(given.result, given.results))
    findings = diagnose(result)
    if given.json:
        document = {"result": result.name, "findings": [asdict(finding) for finding in findings]}
        print(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        print(describe(result, findings), end="")
    return 0


def describe(result: Result, findings: Sequence[Finding]) -> str:
    """The findings as numbered text for a terminal, or a sentence where there are none."""
    counts = count(result.rows)
    lines = [
        f"{one_line(result.name)}: {counts['asked']} questions of {one_line(result.dataset)}, "
        f"{counts['scored']} scored."
    ]
    for number, finding in enumerate(findings, start=1):
        lines += ["", f"{number}. {one_line(finding.says)}"]
        lines += [f"   Try: {one_line(finding.advice)}"] if finding.advice else []
    return "\n".join(lines if findings else [*lines, NOTHING]) + "\n"
