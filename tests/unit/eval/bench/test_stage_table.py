"""The tables of stages and of budgets, as a person reads them."""

from __future__ import annotations

from eval.bench.log import Record
from eval.bench.stage_table import stage_tables
from tests.unit.eval.bench.records import RECORDS


def told(leaves: int, **stages_ms: float) -> Record:
    """One repetition of Prism."""
    return Record(leaves, 1, "prism", "query_p50", 10.0, {"stages_p50_ms": stages_ms})


def cells(beginning: str, lines: list[str]) -> list[str]:
    return [
        cell.strip() for line in lines if line.startswith(f"| {beginning}") for cell in line.split("|")[2:-1]
    ]


def test_stages_in_order_with_what_one_build_lacks_left_open() -> None:
    lines = stage_tables(RECORDS)
    assert lines[0] == "| stages at 1,000 leaves, p50 ms | Prism | plain | times better (95 %) |"
    assert [line.split("|")[1].strip() for line in lines[2:6]] == [
        "search by meaning",
        "reading and merging together",
        "gate",
        "query",
    ]
    assert cells("gate", lines) == ["1.50", "–", "–"]
    assert cells("reading and merging", lines) == ["–", "2.00", "–"]


def test_a_size_without_stages_has_no_table() -> None:
    lines = stage_tables([Record(10_000, 1, "prism", "query_p50", 10.0), *RECORDS])
    assert not any("10,000" in line for line in lines)


def test_budgets_are_for_the_sizes_measured() -> None:
    lines = stage_tables([told(10_000, gate=1.0)])
    assert any("Prism's budgets, p50 ms | 10,000 leaves: budget | taken |" in line for line in lines)
    assert not any("100,000" in line for line in lines)


def test_a_budget_says_whether_it_is_kept() -> None:
    lines = stage_tables([told(10_000, gate=1.0), told(100_000, gate=99.0)])
    budgets = lines[next(at for at, line in enumerate(lines) if "budgets" in line) :]
    _, small, _, large = cells("gate", budgets)
    assert (small, large) == ("1.00", "99.0 **over**")
    _, lacking, _, _ = cells("reranking", budgets)
    assert lacking == "–"


def test_there_are_no_budgets_for_other_sizes() -> None:
    assert not any("budget" in line for line in stage_tables(RECORDS))
