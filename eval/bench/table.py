"""A result as a Markdown table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median

from eval.bench.extrapolate import extrapolate, two_largest_sizes
from eval.bench.log import Record
from eval.bench.quantities import BY_NAME
from eval.bench.result import Comparison, compare

HEAD = "| {} | Prism | plain | times better (95 %) | verdict |\n|---|---:|---:|---:|---|"


def result_table(records: Sequence[Record]) -> str:
    """Every quantity by size, and then Prism's stages."""
    parts = []
    comparisons = compare(records)
    for leaves in sorted({comparison.leaves for comparison in comparisons}):
        parts.append(HEAD.format(f"{leaves:,} leaves" if leaves else "real texts"))
        parts += [_row(comparison) for comparison in comparisons if comparison.leaves == leaves]
        parts.append("")
    parts += _stages(records)
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
        numbers = " | ".join(map(_number, (row.smaller, row.larger, row.on_paper)))
        lines.append(f"| {row.title}, {row.unit} | {row.build} | {numbers} |")
    return "\n".join(lines) + "\n"


def _row(comparison: Comparison) -> str:
    quantity = BY_NAME[comparison.quantity]
    title = f"{quantity.title}, {quantity.unit}" if quantity.unit else quantity.title
    ratio = comparison.ratio
    high = _number(ratio.high) if math.isfinite(ratio.high) else "∞"
    interval = f"{_number(ratio.mean)} ({_number(ratio.low)} to {high})"
    cells = (title, _number(comparison.prism), _number(comparison.plain), interval, comparison.verdict)
    return f"| {' | '.join(cells)} |"


def _stages(records: Sequence[Record]) -> list[str]:
    """Median over the repetitions of each stage's median, in milliseconds."""
    found: dict[int, dict[str, list[float]]] = {}
    for record in records:
        stages = record.details.get("stages_p50_ms")
        if record.build == "prism" and isinstance(stages, Mapping):
            for stage, spent_ms in stages.items():
                found.setdefault(record.leaves, {}).setdefault(stage, []).append(spent_ms)
    if not found:
        return []
    names = list(next(iter(found.values())))
    head = [f"| Prism's stages, p50 ms | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    rows = [
        f"| {leaves:,} leaves | {' | '.join(_number(median(stages[name])) for name in names)} |"
        for leaves, stages in sorted(found.items())
    ]
    return head + rows


def _number(value: float) -> str:
    """Three digits that count, thousands set apart."""
    if value == 0:
        return "0"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(decimals, 4)}f}"
