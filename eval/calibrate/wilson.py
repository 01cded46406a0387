"""Between what bounds a share lies that was counted on few questions."""

from __future__ import annotations

import math
from typing import Final

Z: Final = 1.959964
"""The normal distribution's 97.5 % quantile: 95 % lie within ± Z."""


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % score interval of `part` of `whole` (Wilson 1927). It never leaves [0, 1], and has a width
    where all or none were counted too. Of no questions nothing is known."""
    if not whole:
        return 0.0, 1.0
    share, squared = part / whole, Z * Z / whole
    centre = (share + squared / 2) / (1 + squared)
    half = Z * math.sqrt(share * (1 - share) / whole + squared / (4 * whole)) / (1 + squared)
    return max(0.0, centre - half), min(1.0, centre + half)
