"""What each stage of a query may take, in milliseconds (p50, two cores, nothing else running).

About half as much again as was measured when a budget was set, rounded: room for another machine and another
day, none for a stage that has become twice as slow. docs/performance.md shows them beside a measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from eval.bench.stages import EMBED, EMBEDDED, LOOKED_UP, REST, TOTAL, Stage

SIZES: Final = (10_000, 100_000)
"""Leaves the budgets are for."""

BUDGETS_MS: Final[Mapping[tuple[str, str], tuple[float, float]]] = {
    ("dense", LOOKED_UP): (4.5, 5.0),
    ("keyword", LOOKED_UP): (1.0, 2.5),
    ("fuse", LOOKED_UP): (1.0, 1.0),
    ("climb", LOOKED_UP): (2.0, 8.0),
    ("rerank", LOOKED_UP): (3.5, 11.0),
    ("merge", LOOKED_UP): (3.0, 4.0),
    ("gate", LOOKED_UP): (6.0, 7.0),
    ("assemble", LOOKED_UP): (0.7, 0.9),
    (REST, LOOKED_UP): (3.0, 3.5),
    (TOTAL, LOOKED_UP): (24.0, 42.0),
    (EMBED, EMBEDDED): (27.0, 27.0),
    (TOTAL, EMBEDDED): (54.0, 72.0),
}
"""By stage and the quantity it belongs to (`Stage.name`, `Stage.quantity`), one for each of `SIZES`."""


def budget_ms(leaves: int, stage: Stage) -> float | None:
    """What a stage may take; None where nothing was laid down."""
    budgets = BUDGETS_MS.get((stage.name, stage.quantity))
    return budgets[SIZES.index(leaves)] if budgets is not None and leaves in SIZES else None
