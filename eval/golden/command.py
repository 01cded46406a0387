"""`python -m eval golden`: check what every stage finds against the committed traces, or record them anew."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from eval.golden.compare import Difference, compare
from eval.golden.file import FILE, read, write
from eval.golden.questions import QUESTIONS
from eval.golden.record import fit_to_record, observe_all
from eval.golden.types import Golden
from prism.errors import UsageError

SHOWN = 3
"""How many differences of one stage of a question are printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument("--record", action="store_true", help="write the file anew instead of checking")
    parser.add_argument(
        "--file", type=Path, default=FILE, help="the golden traces (default eval/golden/golden.json)"
    )


def main(given: argparse.Namespace) -> int:
    """Check or record; returns the exit code: 1 when something differs.

    Raises:
        UsageError: there is no file to check against, or a trace is not fit to be recorded.
    """
    if given.record:
        return _record(given.file)
    recorded = read(given.file)
    differences = compare(recorded, [item.golden for item in observe_all(QUESTIONS)])
    for line in lines(differences):
        print(line)
    if differences:
        questions = len({difference.question_id for difference in differences})
        print(f"{questions} of {len(recorded)} golden traces differ. If that is meant: --record.")
        return 1
    print(f"{len(recorded)} golden traces as recorded.")
    return 0


def lines(differences: Iterable[Difference]) -> Iterator[str]:
    """What to print: of every stage of a question the first `SHOWN` differences, and how many more."""
    for (question_id, stage), group in groupby(differences, key=lambda item: (item.question_id, item.stage)):
        all_of_stage = list(group)
        yield from map(str, all_of_stage[:SHOWN])
        if len(all_of_stage) > SHOWN:
            yield f"{question_id}: {stage}: and {len(all_of_stage) - SHOWN} more"


def changed(before: Iterable[Golden], now: Iterable[Golden]) -> list[str]:
    """Ids of the questions whose trace is another, new or gone."""
    return list(dict.fromkeys(difference.question_id for difference in compare(before, now)))


def _record(file: Path) -> int:
    traces = fit_to_record(observe_all(QUESTIONS))
    names = changed(_before(file), traces)
    write(file, traces)
    print(f"{len(names)} of {len(traces)} golden traces changed{': ' if names else ''}{', '.join(names)}")
    print(f"written: {file}")
    return 0


def _before(file: Path) -> tuple[Golden, ...]:
    """What was recorded; nothing where it has another form, which recording anew is the way out of."""
    try:
        return read(file)
    except UsageError:
        return ()
