"""Limit: k different texts, and neither copies of one nor a single document fill the list.

The k places go to k different texts. A near-copy (`copies.py`) in another document takes none of them: it
comes along where its score puts it, with a number of its own, since an asker who has one clause in two
contracts wants to see both cited. At most `MAX_BESIDE` copies of a passage come along, one a document; the
others are not shown, but the passage lists all of them. So a list is longer than k where documents repeat
each other, and never holds more than k different texts.

A document that floods the list is held back, not cut off: see `spread`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from prism.query.copies import Originals
from prism.query.merge import ParentOf, ancestors
from prism.types import Merged, Node

MAX_BESIDE = 3


@dataclass(frozen=True, slots=True)
class Limited:
    """`kept`: the different texts, best first, each with the node ids of its copies; `beside`: copies of them
    in other documents, which are shown too; `dropped`: copies that are not."""

    kept: tuple[Merged, ...]
    beside: tuple[Merged, ...]
    dropped: tuple[Merged, ...]


def limit(
    ranked: Sequence[Merged],
    *,
    nodes: Mapping[str, Node],
    k: int,
    max_per_document: int,
    close_share: float,
) -> Limited:
    """Choose what is shown.

    Args:
        ranked: best first, one a node.
        nodes: by id; all of `ranked` are there.
        k: how many different texts.
        max_per_document: passages a document may have before close ones of others go first; 0 sets no bound.
        close_share: see `spread`.
    """
    groups = _by_text(ranked, nodes)
    kept = spread(
        [replace(first, copies=tuple(item.node_id for item in copies)) for first, *copies in groups],
        document_of={item.node_id: nodes[item.node_id].document_id for item in ranked},
        max_per_document=max_per_document,
        close_share=close_share,
    )[:k]
    copies_of = {first.node_id: copies for first, *copies in groups}
    beside = [
        copy
        for item in kept
        for copy in _in_other_documents(item, copies_of[item.node_id], nodes)[:MAX_BESIDE]
    ]
    shown = {item.node_id for item in beside}
    dropped = [copy for item in kept for copy in copies_of[item.node_id] if copy.node_id not in shown]
    return Limited(kept, _best_first(beside), _best_first(dropped))


def spread(
    ranked: Sequence[Merged],
    *,
    document_of: Mapping[str, str],
    max_per_document: int,
    close_share: float,
) -> tuple[Merged, ...]:
    """The same passages with those of a flooding document put behind others that are about as good.

    Once a document has `max_per_document` passages above, its next one lets those of documents that have
    fewer go first, as far as their scores are close: below it by at most `close_share` of the distance from
    the best score to the last. (Scores mean something within one ranking only, and a cross-encoder's may be
    negative, so that a share of the best score itself would not do.) Passages of one document stay in their
    order, and no passage is lost.

    Args:
        ranked: best first.
        document_of: document id by node id.
        max_per_document: 0 leaves the order as it is.
        close_share: in [0, 1]; at 0 only equals go first, at 1 any.
    """
    if not max_per_document or not ranked:
        return tuple(ranked)
    close = close_share * (ranked[0].score - ranked[-1].score)
    count: Counter[str] = Counter()
    waiting, placed = list(ranked), list[Merged]()
    while waiting:
        first = waiting[0]
        next_one = next(
            (
                item
                for item in waiting
                if count[document_of[item.node_id]] < max_per_document and first.score - item.score <= close
            ),
            first,
        )
        waiting.remove(next_one)
        placed.append(next_one)
        count[document_of[next_one.node_id]] += 1
    return tuple(placed)


def line_up(limited: Limited, grown: Sequence[Merged], parent_of: ParentOf) -> tuple[Merged, ...]:
    """What is shown, in one list: the different texts in the order that `limit` gave them, and each copy
    below every text that scores as high.

    Args:
        grown: the kept passages after growing, in any order. A copy that lies within one of them is no
            passage of its own.
        parent_of: the parent of each copy and of each of its ancestors.
    """
    place = {leaf_id: at for at, item in enumerate(limited.kept) for leaf_id in item.leaf_ids}
    lined = sorted(grown, key=lambda item: min(place[leaf_id] for leaf_id in item.leaf_ids))
    shown = {item.node_id for item in grown}
    for copy in limited.beside:
        if shown.isdisjoint(ancestors(copy.node_id, parent_of)):
            higher = [at for at, item in enumerate(lined) if item.score >= copy.score]
            lined.insert(max(higher, default=-1) + 1, copy)
    return tuple(lined)


def _by_text(ranked: Sequence[Merged], nodes: Mapping[str, Node]) -> list[list[Merged]]:
    """Passages that say the same, the best first; groups in the order of their best."""
    originals, groups = Originals(), list[list[Merged]]()
    for item in ranked:
        place = originals.original_of(nodes[item.node_id].text)
        if place is None:
            groups.append([item])
        else:
            groups[place].append(item)
    return groups


def _in_other_documents(
    original: Merged, copies: Sequence[Merged], nodes: Mapping[str, Node]
) -> list[Merged]:
    """The best copy of each document but the original's."""
    best: dict[str, Merged] = {}
    for copy in copies:
        best.setdefault(nodes[copy.node_id].document_id, copy)
    best.pop(nodes[original.node_id].document_id, None)
    return list(best.values())


def _best_first(passages: Sequence[Merged]) -> tuple[Merged, ...]:
    return tuple(sorted(passages, key=lambda item: -item.score))
