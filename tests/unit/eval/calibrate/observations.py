"""Observations made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from eval.calibrate.kinds import Kind
from eval.calibrate.measure import Observed
from eval.calibrate.observe import Observation


def seen(kind: Kind, *values: float | None, feature: str = "x", on: str = "") -> list[Observation]:
    """Questions of one kind with one feature, all on one document, or each on one of its own."""
    documents = (on,) if on else ()
    return [Observation(f"{kind}/{at}", kind, {feature: value}, documents) for at, value in enumerate(values)]


def observed(name: str, observations: Sequence[Observation]) -> Observed:
    return Observed(name, "f00d", 1400, 2800, tuple(observations))
