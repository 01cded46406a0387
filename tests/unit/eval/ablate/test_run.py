"""Each choice is measured on the same questions and set beside the base."""

from __future__ import annotations

import pytest

from eval.ablate.axes import Variant
from eval.ablate.run import ablate
from eval.outcome.result import Result
from prism.settings import Settings, overlay_settings
from tests.unit.eval.rows import make_result, make_row

BASE = Settings()
MORE = overlay_settings(BASE, {"retrieval.k": 9})
CHOICE = Variant("k", "retrieval.k = 9", {"retrieval.k": 9})
# The gold is `a`: at rank 1 for the first question, nowhere for the second, and the other way round.
ROWS = {
    "base": [make_row("1", ranking=("a",)), make_row("2", ranking=("x",)), make_row("3", ranking=("x",))],
    CHOICE.label: [
        make_row("1", ranking=("x",)),
        make_row("2", ranking=("a",)),
        make_row("3", ranking=("a",)),
    ],
}


class Runs:
    """Stands for runs: gives the rows of a label, and remembers what was asked for."""

    def __init__(self) -> None:
        self.ran: list[tuple[Settings, str]] = []

    def __call__(self, settings: Settings, label: str) -> Result:
        self.ran.append((settings, label))
        return make_result(ROWS[label], name=label)


def test_the_base_is_measured_once_and_first() -> None:
    runs = Runs()
    base, trials = ablate(BASE, [(CHOICE, MORE)], runs)
    assert runs.ran == [(BASE, "base"), (MORE, CHOICE.label)]
    assert base.name == "base"
    assert [(trial.variant, trial.result.name) for trial in trials] == [(CHOICE, CHOICE.label)]


def test_differences_are_means_over_the_same_questions() -> None:
    _, (trial,) = ablate(BASE, [(CHOICE, MORE)], Runs(), metrics=("hit@1", "no such measure"))
    assert trial.differences.keys() == {"hit@1"}
    difference = trial.differences["hit@1"]
    # Two of three instead of one of three; by question -1, +1 and +1.
    assert difference.mean == pytest.approx(1 / 3)
    assert (difference.low, difference.high) == (-1.0, 1.0)


def test_a_measure_that_one_side_lacks_has_no_difference() -> None:
    def unscorable(settings: Settings, label: str) -> Result:
        return make_result([make_row(gold={}) if label != "base" else make_row()])

    _, (trial,) = ablate(BASE, [(CHOICE, MORE)], unscorable)
    assert trial.differences == {}


def test_without_choices_the_base_stands_alone() -> None:
    base, trials = ablate(BASE, [], Runs())
    assert (base.name, trials) == ("base", ())
