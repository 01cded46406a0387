"""By how much a photographed or scanned page is askew.

Lines of print that lie level make rows of ink and rows of none; askew they blur. So the page, small, is
turned by a few degrees each way, and the angle at which its rows (or, on a page on its side, its columns)
differ most from the next is the one that sets it straight. Tesseract reads lines askew by up to 3 degrees;
beyond, it breaks them and puts the pieces in a wrong order, with great confidence.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

_SIDE = 600
_MOST_DEGREES = 12.0
_STEP_DEGREES = 1.0
_FINE_DEGREES = 0.25
_LEAST_DEGREES = 1.5
_MIN_GAIN = 1.2
"""How much sharper rows must become: pictures without lines gain nothing by any angle."""


def straightening(picture: Image.Image) -> float:
    """By how many degrees to turn a grey picture counter-clockwise so that its lines lie level; 0 when they
    do, or nothing can be told."""
    small = picture.copy()
    small.thumbnail((_SIDE, _SIDE), Image.Resampling.BOX)
    if min(small.size) < 2:
        return 0.0
    ground = int(np.median(np.asarray(small)))
    level = _sharpness(small, 0.0, ground)
    steps = np.arange(-_MOST_DEGREES, _MOST_DEGREES + _STEP_DEGREES, _STEP_DEGREES)
    coarse = max(steps, key=lambda angle: _sharpness(small, angle, ground))
    near = np.arange(coarse - _STEP_DEGREES, coarse + _STEP_DEGREES + _FINE_DEGREES, _FINE_DEGREES)
    best = max(near, key=lambda angle: _sharpness(small, angle, ground))
    is_askew = abs(best) >= _LEAST_DEGREES and _sharpness(small, best, ground) > _MIN_GAIN * level
    return float(best) if is_askew else 0.0


def _sharpness(picture: Image.Image, degrees: float, ground: int) -> float:
    turned = picture.rotate(degrees, Image.Resampling.BILINEAR, fillcolor=ground) if degrees else picture
    ink = np.asarray(turned, dtype=np.float32) - ground
    return max(float(np.square(np.diff(ink.sum(axis=axis))).sum()) for axis in (0, 1))
