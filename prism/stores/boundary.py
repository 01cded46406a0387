"""The seam at which tests look at, or break, what a store writes.

A *boundary* is an instant between two durable effects: just before or after a commit, a file put in its
place, a call to Chroma. If a process dies there, what came before is on the disk and what follows is not.
Every store tells each boundary it reaches to the function it was given; in production that is `unwatched`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Reached: TypeAlias = Callable[[str], None]
"""Told the boundary's name, `store: before|after what`. Whatever it raises, the store raises."""


def unwatched(boundary: str) -> None:
    """Nobody is looking."""
