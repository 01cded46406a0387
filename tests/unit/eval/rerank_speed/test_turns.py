from __future__ import annotations

import pytest

from eval.rerank_speed.turns import medians_ms


class Clock:
    """Stands still but for what the actions spend."""

    def __init__(self) -> None:
        self.now_s = 10.0
        self.done: list[str] = []

    def __call__(self) -> float:
        return self.now_s

    def action(self, name: str, *spends_s: float):
        left = list(spends_s)

        def act() -> None:
            self.done.append(name)
            self.now_s += left.pop(0)

        return act


def test_the_median_of_each_in_milliseconds() -> None:
    clock = Clock()
    actions = (clock.action("a", 0.002, 0.5, 0.003), clock.action("b", 0.2, 0.1, 0.3))
    assert medians_ms(actions, 3, clock) == pytest.approx((3.0, 200.0))


def test_who_begins_changes_from_round_to_round() -> None:
    clock = Clock()
    actions = [clock.action(name, *[1.0] * 4) for name in "abc"]
    medians_ms(actions, 4, clock)
    assert "".join(clock.done) == "abc" + "bca" + "cab" + "abc"
