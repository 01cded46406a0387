"""Retrieve: run every leg of the search; one that fails reduces the search, not ends it.

One after another, in the asking thread: beside each other in threads of their own they took 6 ms longer than
they do so (of 23 ms, embedding included), since torch sets up its workers anew for each new thread that calls
it, and they are more than two cores carry.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from prism.errors import SearchError
from prism.types import LeafHit, LegKind, Ranking

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Leg:
    """One way of searching: its kind, and a function from a text and k to hits, best first."""

    kind: LegKind
    search: Callable[[str, int], tuple[LeafHit, ...]]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Every leg's ranking, the legs that failed with the reason, and the milliseconds each leg took."""

    rankings: tuple[Ranking, ...]
    failures: tuple[tuple[LegKind, str], ...]
    spent_ms: Mapping[LegKind, float]


def retrieve(legs: Sequence[Leg], queries: Sequence[str], *, k: int) -> Retrieved:
    """Search each query through each leg.

    Args:
        k: hits wanted per leg and query.

    Raises:
        SearchError: a leg failed and no other found anything, so that "nothing found" would be a guess.
    """
    rankings: list[Ranking] = []
    failures: dict[LegKind, str] = {}
    spent_ms: defaultdict[LegKind, float] = defaultdict(float)
    for leg, query in product(legs, queries):
        began = time.perf_counter()
        try:
            rankings.append(Ranking(leg.kind, query, leg.search(query, k)))
        except Exception as error:
            logger.warning("the %s search failed", leg.kind, exc_info=error)
            failures[leg.kind] = f"{type(error).__name__}: {error}"
        spent_ms[leg.kind] += (time.perf_counter() - began) * 1000
    if failures and not any(ranking.hits for ranking in rankings):
        reasons = "; ".join(f"{kind}: {reason}" for kind, reason in failures.items())
        raise SearchError(
            f"The search failed, so no answer was attempted ({reasons}). Try again; if it persists, run "
            "'prism doctor'."
        )
    return Retrieved(tuple(rankings), tuple(failures.items()), spent_ms)
