"""Retrieve: run every leg of the search side by side; one that fails reduces the search, not ends it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

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
    """Every leg's ranking, and the legs that failed with the reason."""

    rankings: tuple[Ranking, ...]
    failures: tuple[tuple[LegKind, str], ...]


def retrieve(legs: Sequence[Leg], queries: Sequence[str], *, k: int) -> Retrieved:
    """Search each query through each leg.

    Args:
        k: hits wanted per leg and query.

    Raises:
        SearchError: a leg failed and no other found anything, so that "nothing found" would be a guess.
    """
    calls = [(leg, query) for leg in legs for query in queries]
    with ThreadPoolExecutor(max_workers=max(len(legs), 1)) as pool:
        futures = [pool.submit(leg.search, query, k) for leg, query in calls]
    rankings: list[Ranking] = []
    failures: dict[LegKind, str] = {}
    for (leg, query), future in zip(calls, futures, strict=True):
        error = future.exception()
        if error is None:
            rankings.append(Ranking(leg.kind, query, future.result()))
            continue
        if not isinstance(error, Exception):
            raise error
        logger.warning("the %s search failed", leg.kind, exc_info=error)
        failures[leg.kind] = f"{type(error).__name__}: {error}"
    if failures and not any(ranking.hits for ranking in rankings):
        reasons = "; ".join(f"{kind}: {reason}" for kind, reason in failures.items())
        raise SearchError(
            f"The search failed, so no answer was attempted ({reasons}). Try again; if it persists, run "
            "'prism doctor'."
        )
    return Retrieved(tuple(rankings), tuple(failures.items()))
