"""The main measures by kind of question and by language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from eval.metrics.catalogue import describe
from eval.metrics.summarize import count, summarize
from eval.outcome.result import Summary
from eval.outcome.row import Row
from eval.report.blocks import Paragraph, Section, Table
from eval.report.quality import HEADLINE
from eval.report.sides import Side
from eval.wording.figures import NONE, interval


def kinds_section(sides: Sequence[Side]) -> Section:
    """A table by kind, and one by language, each where there are several."""
    tables = (
        *_breakdown(sides, "kind", lambda row: row.kind),
        *_breakdown(sides, "language", lambda row: row.language),
    )
    asked = any(side.result.rows for side in sides)
    words = "The set tells no two kinds or languages apart." if asked else "No question was asked."
    return Section("By kind of question", tables or (Paragraph(words),))


def _breakdown(sides: Sequence[Side], subject: str, of: Callable[[Row], str]) -> tuple[Table, ...]:
    """A table with a row for each value of `of` and side; none where all questions are alike."""
    values = sorted({of(row) for side in sides for row in side.result.rows})
    if len(values) < 2:
        return ()
    rows = tuple(
        (side.headed(value or "none named"), *_cells([row for row in side.result.rows if of(row) == value]))
        for value in values
        for side in sides
    )
    heads = (describe(name).title for name in HEADLINE)
    caption = f"Main measures by {subject}: mean (95 % interval). Questions: those scored, of those asked"
    return (Table(caption, (subject, "questions", *heads), rows),)


def _cells(rows: Sequence[Row]) -> tuple[str, ...]:
    counts = count(rows)
    means = summarize([_headline_only(row) for row in rows])
    measured = (_cell(means.get(name), counts["scored"]) for name in HEADLINE)
    return (f"{counts['scored']}/{counts['asked']}", *measured)


def _cell(summary: Summary | None, scored: int) -> str:
    if summary is None:
        return NONE
    # A measure that rests on fewer questions than the row says so.
    rests_on = "" if summary.questions == scored else f", {summary.questions}/{scored}"
    return interval(summary) + rests_on


def _headline_only(row: Row) -> Row:
    """The row without the other measures: each would cost ten thousand resamples."""
    return replace(row, metrics={name: row.metrics[name] for name in HEADLINE if name in row.metrics})
