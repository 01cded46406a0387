"""Auto-merging: leaves give way to their parent when enough of it was found.

`merge` looks at the whole reranked pool. A parent, of any level, stands in for its leaves when strictly
more than `threshold` of *all the leaves below it* are in the pool; the highest such parent is taken. The
share is counted in leaves at every level, not in children: half of the halves would bring in a text three
quarters of which nobody asked for, and the result would depend on the order of the passes.

A parent that holds no more leaves than what already stands (a chain of single children, as in a short
document) adds nothing, so the lower node stays. A parent that cannot be found leaves the leaf.

`grow` then spends what is left of a token budget: lone leaves, best first, widen to their parent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from prism.types import Candidate, LegKind, Merged

ParentOf = Mapping[str, str | None]


def merge(
    pool: Sequence[Candidate],
    *,
    parent_of: ParentOf,
    leaf_count: Mapping[str, int],
    threshold: float,
) -> tuple[Merged, ...]:
    """The pool with leaves replaced by their parents where enough were found.

    Args:
        pool: reranked leaves, best first, one per node.
        parent_of: the parent of each leaf of the pool and of each of its ancestors.
        leaf_count: how many leaves each parent has below it, at any depth; a parent that is absent is
            taken as missing from the store.
        threshold: share in [0, 1] of a parent's leaves that must be exceeded.

    Returns:
        leaves and parents, best first, ties by node id. Each carries the best score of its leaves, their
        best rank per leg, and their ids, best first. Every leaf of the pool is in exactly one.
    """
    found = Counter(ancestor for leaf in pool for ancestor in ancestors(leaf.node_id, parent_of))

    def standing_in(leaf_id: str) -> str:
        chosen, covered = leaf_id, 1
        for ancestor in ancestors(leaf_id, parent_of):
            leaves = leaf_count.get(ancestor, 0)
            if leaves > covered and found[ancestor] / leaves > threshold:
                chosen, covered = ancestor, leaves
        return chosen

    groups: defaultdict[str, list[Candidate]] = defaultdict(list)
    for leaf in pool:
        groups[standing_in(leaf.node_id)].append(leaf)
    return _best_first(
        Merged(
            node_id,
            tuple(leaf.node_id for leaf in leaves),
            max(leaf.score for leaf in leaves),
            best_ranks(leaf.legs for leaf in leaves),
        )
        for node_id, leaves in groups.items()
    )


def grow(
    merged: Sequence[Merged],
    *,
    parent_of: ParentOf,
    token_count: Mapping[str, int],
    budget_tokens: int,
) -> tuple[Merged, ...]:
    """Lone leaves widened to their parent, best first, while the passages together fit the budget.

    Other leaves of that parent among the passages are taken in with it, so no text comes twice. A leaf
    whose parent is missing, no longer than itself, or too long for what is left, stays.

    Args:
        merged: the passages chosen, after the cut to k.
        token_count: length in tokens of every passage, and of the parents that exist.
        budget_tokens: for all passages together. Nothing is dropped when they are over it already.

    Returns:
        the passages, best first, ties by node id; fewer than given when some were taken in.
    """
    passages = {passage.node_id: passage for passage in merged}
    spare = budget_tokens - sum(token_count[node_id] for node_id in passages)
    for passage in merged:
        parent = parent_of.get(passage.node_id)
        is_leaf = passage.leaf_ids == (passage.node_id,)
        if passage.node_id not in passages or not is_leaf or parent is None or parent in passages:
            continue
        family = [other for other in passages.values() if parent_of.get(other.node_id) == parent]
        extra = token_count.get(parent, 0) - sum(token_count[member.node_id] for member in family)
        if token_count.get(parent, 0) <= token_count[passage.node_id] or extra > spare:
            continue
        for member in family:
            del passages[member.node_id]
        passages[parent] = _united(parent, family)
        spare -= extra
    return _best_first(passages.values())


def best_ranks(legs: Iterable[Mapping[LegKind, int | None]]) -> dict[LegKind, int | None]:
    """The best rank per leg kind over several nodes; None where no node was found by the leg."""
    best: dict[LegKind, int | None] = {}
    for ranks in legs:
        for leg, rank in ranks.items():
            known = best.get(leg)
            best[leg] = rank if known is None else known if rank is None else min(known, rank)
    return best


def ancestors(node_id: str, parent_of: ParentOf) -> Iterator[str]:
    """Parent, grandparent and so on; a damaged record that runs in a circle ends where it began."""
    seen = {node_id}
    parent = parent_of.get(node_id)
    while parent is not None and parent not in seen:
        seen.add(parent)
        yield parent
        parent = parent_of.get(parent)


def _united(node_id: str, family: Sequence[Merged]) -> Merged:
    by_score = _best_first(family)
    return Merged(
        node_id,
        leaf_ids=tuple(leaf_id for member in by_score for leaf_id in member.leaf_ids),
        score=by_score[0].score,
        legs=best_ranks(member.legs for member in by_score),
        copies=tuple(copy for member in by_score for copy in member.copies),
    )


def _best_first(passages: Iterable[Merged]) -> tuple[Merged, ...]:
    return tuple(sorted(passages, key=lambda passage: (-passage.score, passage.node_id)))
