"""Which leaves a generation has, in a form small enough to be kept and compared at every opening."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

_CHECKSUM_BYTES = 8


@dataclass(frozen=True, slots=True)
class LeafSet:
    """A set of node ids: how many, and a checksum over them (hexadecimal, whatever their order)."""

    count: int
    checksum: str


def leaf_set(node_ids: Iterable[str]) -> LeafSet:
    """The `LeafSet` of these ids; an id given twice counts once."""
    unique = sorted(set(node_ids))
    digest = hashlib.blake2b("\n".join(unique).encode(), digest_size=_CHECKSUM_BYTES)
    return LeafSet(len(unique), digest.hexdigest())
