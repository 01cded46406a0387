"""Times that are compared: those who are compared take turns, so that a busy machine is busy for all."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median


def medians_ms(
    actions: Sequence[Callable[[], object]], rounds: int, clock_s: Callable[[], float] = time.perf_counter
) -> tuple[float, ...]:
    """The median time of each action in milliseconds.

    Args:
        rounds: how often each is done. Every round begins with another of them, since what one leaves in the
            processor's caches serves the next.
    """
    spent_ms: list[list[float]] = [[] for _ in actions]
    for turn in range(rounds):
        for place in range(len(actions)):
            number = (place + turn) % len(actions)
            began_s = clock_s()
            actions[number]()
            spent_ms[number].append((clock_s() - began_s) * 1000)
    return tuple(median(each) for each in spent_ms)
