"""Where the time of a query goes, and whether Prism keeps its budgets, as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence

from eval.bench.budgets import budget_ms
from eval.bench.cells import interval, number
from eval.bench.log import Record
from eval.bench.stages import STAGES, TOTAL, StageComparison, compare_stages

ABSENT = "–"


def stage_tables(records: Sequence[Record]) -> list[str]:
    """Lines: the stages of both builds by size, then the budgets; none where no stages were told of."""
    compared = compare_stages(records)
    lines: list[str] = []
    for leaves in sorted({each.leaves for each in compared}):
        rows = [each for each in compared if each.leaves == leaves]
        # The whole alone says nothing that the table of quantities does not.
        if any(each.stage.name != TOTAL for each in rows):
            lines += [f"| stages at {leaves:,} leaves, p50 ms | Prism | plain | times better (95 %) |"]
            lines += ["|---|---:|---:|---:|", *map(_row, rows), ""]
    return lines + _budgets(compared)


def _row(each: StageComparison) -> str:
    ratio = interval(each.ratio) if each.ratio else ABSENT
    return f"| {each.stage.title} | {_cell(each.prism_ms)} | {_cell(each.plain_ms)} | {ratio} |"


def _budgets(compared: Sequence[StageComparison]) -> list[str]:
    """A row per stage, for each size with budgets what it may take, what it took, and whether it is over."""
    took = {(each.leaves, each.stage): each.prism_ms for each in compared}
    sizes = sorted({each.leaves for each in compared if budget_ms(each.leaves, each.stage) is not None})
    stages = [stage for stage in STAGES if any(budget_ms(size, stage) is not None for size in sizes)]
    if not any(took.get((size, stage)) for size in sizes for stage in stages if stage.name != TOTAL):
        return []
    heads = "".join(f" {size:,} leaves: budget | taken |" for size in sizes)
    lines = [f"| Prism's budgets, p50 ms |{heads}", f"|---|{'---:|---:|' * len(sizes)}"]
    for stage in stages:
        cells = [_kept(budget_ms(size, stage), took.get((size, stage))) for size in sizes]
        lines.append(f"| {stage.title} | {' | '.join(cells)} |")
    return [*lines, ""]


def _kept(budget: float | None, taken: float | None) -> str:
    is_over = budget is not None and taken is not None and taken > budget
    return f"{_cell(budget)} | {_cell(taken)}{' **over**' if is_over else ''}"


def _cell(value: float | None) -> str:
    return ABSENT if value is None else number(value)
