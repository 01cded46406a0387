"""Budgets are of stages there are, and the parts fit into the whole."""

from __future__ import annotations

import pytest

from eval.bench.budgets import BUDGETS_MS, SIZES, budget_ms
from eval.bench.stages import EMBEDDED, LOOKED_UP, STAGES, TOTAL, Stage


def test_every_budget_is_of_a_stage() -> None:
    assert BUDGETS_MS.keys() <= {(stage.name, stage.quantity) for stage in STAGES}


def test_a_stage_has_a_budget_at_the_sizes_laid_down_alone() -> None:
    whole = Stage(TOTAL, "query")
    assert [budget_ms(size, whole) for size in SIZES] == list(BUDGETS_MS[TOTAL, LOOKED_UP])
    assert budget_ms(1000, whole) is None
    assert budget_ms(10_000, Stage("none", "none")) is None


@pytest.mark.parametrize("at", range(len(SIZES)))
def test_the_whole_holds_each_of_its_parts_and_not_more_than_all(at: int) -> None:
    parts = [own[at] for key, own in BUDGETS_MS.items() if key[1] == LOOKED_UP and key[0] != TOTAL]
    assert max(parts) < BUDGETS_MS[TOTAL, LOOKED_UP][at] <= sum(parts)
    assert BUDGETS_MS[TOTAL, LOOKED_UP][at] < BUDGETS_MS[TOTAL, EMBEDDED][at]
