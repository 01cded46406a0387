"""Observations made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from eval.calibrate.kinds import Kind
from eval.calibrate.measure import Observed
from eval.calibrate.observe import Observation


def seen(kind: Kind, *values: float | None, feature: str = "x") -> list[Observation]:
    """Questions of one kind with one feature."""
    return [Observation(f"{kind}/{at}", kind, {feature: value}) for at, value in enumerate(values)]


def observed(name: str, observations: Sequence[Observation]) -> Observed:
    return Observed(name, "f00d", 1400, 2800, tuple(observations))
