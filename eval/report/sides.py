"""Results beside one another: each has a letter, the first is the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.outcome.result import Result
from eval.report.blocks import Block, Heading
from prism.errors import UsageError

MOST_SIDES: Final = 6
"""Beyond these a reader tells neither columns nor markers apart."""


@dataclass(frozen=True, slots=True)
class Side:
    """A result and its letter, which is empty when it stands alone. `place` counts from 0."""

    letter: str
    place: int
    result: Result

    @property
    def name(self) -> str:
        """Its letter with the result's name, for keys."""
        role = " (baseline)" if self.letter and self.place == 0 else ""
        return f"{self.letter}: {self.result.name}{role}" if self.letter else self.result.name

    def headed(self, text: str) -> str:
        """A heading or a sentence of this side: `B: recall@5`."""
        return f"{self.letter}: {text}" if self.letter else text


def side_by_side(results: Sequence[Result]) -> tuple[Side, ...]:
    """The results under the letters A, B, C; one alone needs none.

    Raises:
        UsageError: there are none, or more than `MOST_SIDES`.
    """
    if not 1 <= len(results) <= MOST_SIDES:
        raise UsageError(
            f"report: {len(results)} results; it shows 1 to {MOST_SIDES} side by side. Name as many, or make "
            "several reports."
        )
    alone = len(results) == 1
    return tuple(
        Side("" if alone else "ABCDEF"[place], place, result) for place, result in enumerate(results)
    )


def under_headings(sides: Sequence[Side], parts: Sequence[Sequence[Block]]) -> tuple[Block, ...]:
    """The blocks of each side, under its name when there are several."""
    return tuple(
        block
        for side, blocks in zip(sides, parts, strict=True)
        for block in ((Heading(side.name), *blocks) if side.letter else blocks)
    )
