"""A result as a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence

from eval.bench.cells import interval, number
from eval.bench.extrapolate import extrapolate, two_largest_sizes
from eval.bench.log import Record
from eval.bench.quantities import BY_NAME
from eval.bench.result import Comparison, compare
from eval.bench.stage_table import stage_tables

HEAD = "| {} | Prism | plain | times better (95 %) | verdict |\n|---|---:|---:|---:|---|"


def result_table(records: Sequence[Record]) -> str:
    """Every quantity by size, then the stages of a query and their budgets."""
    parts = []
    comparisons = compare(records)
    for leaves in sorted({comparison.leaves for comparison in comparisons}):
        parts.append(HEAD.format(f"{leaves:,} leaves" if leaves else "real texts"))
        parts += [_row(comparison) for comparison in comparisons if comparison.leaves == leaves]
        parts.append("")
    parts += stage_tables(records)
    return "\n".join(parts).rstrip() + "\n"


def paper_table(records: Sequence[Record], leaves: int) -> str:
    """What `leaves` leaves would cost (`extrapolate.py`), beside the sizes it follows from."""
    smaller, larger = two_largest_sizes(records)
    rows = extrapolate(records, leaves)
    lines = [
        f"| a line through {smaller:,} and {larger:,} leaves | build "
        f"| {smaller:,} | {larger:,} | {leaves:,} |",
        "|---|---|---:|---:|---:|",
    ]
    for row in rows:
        numbers = " | ".join(map(number, (row.smaller, row.larger, row.on_paper)))
        lines.append(f"| {row.title}, {row.unit} | {row.build} | {numbers} |")
    return "\n".join(lines) + "\n"


def _row(comparison: Comparison) -> str:
    quantity = BY_NAME[comparison.quantity]
    title = f"{quantity.title}, {quantity.unit}" if quantity.unit else quantity.title
    values = (number(comparison.prism), number(comparison.plain), interval(comparison.ratio))
    cells = (title, *values, comparison.verdict)
    return f"| {' | '.join(cells)} |"
