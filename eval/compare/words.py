"""A comparison as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.bootstrap import CONFIDENCE
from eval.compare.changes import worse_and_better
from eval.compare.columns import line_up
from eval.compare.comparison import Comparison
from eval.compare.measures import LEAST_QUESTIONS, NO_EVIDENCE, Measured
from eval.compare.question import describe_change
from eval.metrics.refusal import is_answerable
from eval.outcome.result import Result
from eval.outcome.row import Row
from eval.wording.escape import one_line
from eval.wording.figures import decimal, difference

SHOWN_REFUSALS: Final = 10
SIGNIFICANT: Final = 1 - CONFIDENCE


def describe(comparison: Comparison, *, shows_all: bool = False) -> str:
    """The comparison in words: what differs, the measures, and the questions that changed."""
    parts = [
        _head(comparison),
        _differing(comparison),
        _measures(comparison),
        _refusals(comparison, shows_all=shows_all),
        _flips(comparison),
        *_changes(comparison, shows_all=shows_all),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _head(comparison: Comparison) -> list[str]:
    pairing = comparison.pairing
    lines = [
        f"A: {_title(comparison.a)}",
        f"B: {_title(comparison.b)}",
        f"{len(pairing.pairs)} questions of {one_line(comparison.a.dataset)} were asked in both.",
    ]
    if pairing.only_a or pairing.only_b:
        lines.append(
            f"Left out: {len(pairing.only_a)} that only A was asked, {len(pairing.only_b)} that only B was."
        )
    return lines


def _title(result: Result) -> str:
    return f"{one_line(result.name)}, {result.date}, commit {result.commit}"


def _differing(comparison: Comparison) -> list[str]:
    if not comparison.differing:
        return [
            "Nothing differs between the two runs: settings, models, code, libraries and machine are alike."
        ]
    rows = [("what differs", "A", "B")]
    rows += [(one_line(item.name), one_line(item.a), one_line(item.b)) for item in comparison.differing]
    return line_up(rows)


def _measures(comparison: Comparison) -> list[str]:
    if not comparison.measures:
        return ["No measure has a value in both."]
    head = ("measure", "questions", "A", "B", "B - A", f"{CONFIDENCE:.0%} interval", "p", "B is")
    lines = line_up([head, *map(_measure, comparison.measures)], numbers=(1, 2, 3, 4, 5, 6))
    count = len(comparison.measures)
    if count > 1:
        lines += [
            "",
            f"{count} measures are compared. Where two runs do not differ, one interval in twenty excludes 0",
            "by chance: choose the measure that counts before looking, and judge by that one.",
        ]
    if any(
        item.verdict != NO_EVIDENCE and item.difference.p_value >= SIGNIFICANT for item in comparison.measures
    ):
        lines.append(
            "Where an interval excludes 0 but p is not below 0.05, two ways to judge part: a hint, no more."
        )
    if any(item.questions < LEAST_QUESTIONS for item in comparison.measures):
        lines.append(f"Fewer than {LEAST_QUESTIONS} questions are no evidence, whatever the interval.")
    return lines


def _measure(item: Measured) -> tuple[str, ...]:
    found = item.difference
    return (
        item.metric.name,
        str(item.questions),
        decimal(item.mean_a),
        decimal(item.mean_b),
        difference(found.mean),
        f"{difference(found.low)} to {difference(found.high)}",
        "<0.001" if found.p_value < 0.001 else decimal(found.p_value),
        item.verdict,
    )


def _refusals(comparison: Comparison, *, shows_all: bool) -> list[str]:
    lines: list[str] = []
    for letter, rows in (("A", comparison.refused_by_a), ("B", comparison.refused_by_b)):
        if rows:
            lines.append(f"Refused by {letter} alone: {len(rows)}")
            lines += _questions(rows, None if shows_all else SHOWN_REFUSALS)
    return lines


def _questions(rows: Sequence[Row], limit: int | None) -> list[str]:
    words = {True: "has an answer", False: "has no answer", None: "answer unknown"}
    lines = [
        f"  {one_line(row.question_id)} ({words[is_answerable(row)]}): {one_line(row.question)}"
        for row in rows[:limit]
    ]
    rest = len(rows) - len(lines)
    return [*lines, f"  and {rest} more; --all shows them"] if rest else lines


def _flips(comparison: Comparison) -> list[str]:
    rows = [("gold among", "by B alone", "by A alone")]
    rows += [(f"the first {item.k}", str(item.gained), str(item.lost)) for item in comparison.flips]
    return ["Questions with gold that only one of them found:", *line_up(rows, numbers=(1, 2), indent=2)]


def _changes(comparison: Comparison, *, shows_all: bool) -> list[list[str]]:
    total = len(comparison.changes)
    if not total:
        return [["No ranking changed."]]
    worse, better = worse_and_better(comparison.changes, shows_all=shows_all)
    left_out = total - len(worse) - len(better)
    hint = f"; {left_out} more are shown by --all" if left_out else ""
    parts = [[f"{total} questions changed, the largest change of {comparison.metric} first{hint}."]]
    for title, changes in (("Worse in B", worse), ("Better in B", better)):
        if changes:
            parts.append([f"{title}:"])
            parts += [describe_change(change, comparison.metric) for change in changes]
    return parts
