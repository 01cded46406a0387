"""The kinds of question a gate is calibrated on, and what each of them counts.

*Answerable*: the collection answers it. *Unanswerable*: the set's own authors say that nothing does. *Near*:
an answerable question whose documents are taken out of scope, so that only neighbours on the subject are
left. *Far*: a question of another set, about something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Kind = Literal["answerable", "unanswerable", "near", "far"]

ANSWERABLE: Final[Kind] = "answerable"
REFUSABLE: Final[tuple[Kind, ...]] = ("unanswerable", "near", "far")
"""The kinds that a gate should refuse."""

KINDS: Final[tuple[Kind, ...]] = (ANSWERABLE, *REFUSABLE)

WEIGHTS: Final[Mapping[Kind, float]] = {"answerable": 1.0, "unanswerable": 1.0, "near": 0.5, "far": 0.5}
"""What a question of each kind counts, in fitting and in the rate of false answers. *Near* and *far* are made
and not asked by anybody, and another paragraph may answer a *near* one, so they count half."""
