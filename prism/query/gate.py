"""Gate: is the evidence good enough to answer at all?

A calibration (`calibration.py`; docs/gate.md) turns what the best leaves have to say (`evidence.py`) into the
probability that the question can be answered; below its threshold Prism abstains. A code in the question
weighs besides: one that the documents hold is evidence (an embedder sees little in `7(b)`); one that no found
passage mentions is not answered from its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import regex

from prism.query.calibration import Calibration, Features
from prism.types import Verdict

NAMED_BONUS = 2.5
"""In logits. By judgement, not fitted: the sets we have hold few codes."""

_WORD = regex.compile(r"[\p{L}\p{Nd}]+(?:[-_/.][\p{L}\p{Nd}]+)*")
_QUANTITY_OR_YEAR = regex.compile(r"\d+\p{L}+|(?:fy|cy|ay|q\d|h\d)?(?:19|20)\d\d(?:\d\d)?", regex.IGNORECASE)
_CODE_DIGITS = 3


def gate(
    features: Features,
    calibration: Calibration,
    *,
    threshold: float | None = None,
    names_one_thing: bool = False,
    unknown_codes: tuple[str, ...] = (),
) -> Verdict:
    """Abstain when the calibrated probability is below the threshold, or a code is unknown.

    Args:
        threshold: in [0, 1], instead of the calibration's; 0 never abstains.
        names_one_thing: the question names a code that some passages hold, or is one word that they hold.
    """
    limit = calibration.threshold if threshold is None else threshold
    score = calibration.judge(features)
    if names_one_thing:
        score = _raised(score, NAMED_BONUS)
    abstain = limit > 0 and (score < limit or bool(unknown_codes))
    return Verdict(abstain, score, limit, dict(features), unknown_codes)


def _raised(probability: float, logits: float) -> float:
    factor = math.exp(logits)
    return probability * factor / (1.0 - probability + probability * factor)


def missing_codes(question: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Codes of the question (letters with three digits or more: `0x80070005`, `LQT-6312`) that none of the
    texts holds, however they separate its parts. Quantities (`500kg`) and years (`FY2024`) are no codes."""
    wanted = {word: _bare(word) for word in _WORD.findall(question)}
    codes = {
        word: bare
        for word, bare in wanted.items()
        if sum(char.isdigit() for char in bare) >= _CODE_DIGITS
        and any(char.isalpha() for char in bare)
        and not _QUANTITY_OR_YEAR.fullmatch(bare)
    }
    if not codes:
        return ()
    known = [_bare(text) for text in texts]
    return tuple(word for word, bare in codes.items() if not any(bare in text for text in known))


def _bare(text: str) -> str:
    return str(regex.sub(r"[^\p{L}\p{Nd}]", "", text)).casefold()
