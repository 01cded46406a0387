"""Gate: is the evidence good enough to answer at all?

Until a reranker judges passages, two signals do: the best cosine of the dense leg, and the IDF-weighted
share of the question's terms that the best leaves hold. A logistic curve joins them into a score in [0, 1];
its coefficients are fitted by `python -m eval.calibrate_gate` (table in docs/gate.md). A code in the question
weighs besides: one that the documents hold is evidence (an embedder sees little in `7(b)`); one that no found
passage mentions is not answered from its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import regex

from prism.models.protocols import Embedder
from prism.text.sentences import sentence_spans
from prism.types import Verdict

COSINE_WEIGHT = 11.78
COVERAGE_WEIGHT = 5.76
BIAS = -8.99
COVERAGE_ONLY_WEIGHT = 7.89
COVERAGE_ONLY_BIAS = -4.45
NAMED_BONUS = 2.5
"""In logits. By judgement, not fitted: the sets we have hold few codes."""

MAX_SENTENCES = 40
CLOSER_FACTOR = 1.6
"""The threshold is this much higher for a sentence: the best of forty is near to many a question."""

_WORD = regex.compile(r"[\p{L}\p{Nd}]+(?:[-_/.][\p{L}\p{Nd}]+)*")
_QUANTITY_OR_YEAR = regex.compile(r"\d+\p{L}+|(?:fy|cy|ay|q\d|h\d)?(?:19|20)\d\d(?:\d\d)?", regex.IGNORECASE)
_CODE_DIGITS = 3


def gate(
    *,
    top_cosine: float | None,
    coverage: float,
    threshold: float,
    names_one_thing: bool = False,
    unknown_codes: tuple[str, ...] = (),
) -> Verdict:
    """Abstain when the calibrated score is below the threshold, or a code is unknown.

    Args:
        top_cosine: best cosine similarity of the dense leg in [-1, 1], or None.
        coverage: IDF-weighted share of the question's terms found, in [0, 1].
        threshold: in [0, 1]; 0 never abstains.
        names_one_thing: the question names a code that some passages hold, or is one word that they hold.
    """
    if top_cosine is None:
        logit = COVERAGE_ONLY_WEIGHT * coverage + COVERAGE_ONLY_BIAS
    else:
        logit = COSINE_WEIGHT * top_cosine + COVERAGE_WEIGHT * coverage + BIAS
    logit += NAMED_BONUS * names_one_thing
    score = 1.0 / (1.0 + math.exp(-logit))
    abstain = threshold > 0 and (score < threshold or bool(unknown_codes))
    return Verdict(abstain, score, threshold, top_cosine, coverage, unknown_codes)


def look_closer(
    verdict: Verdict, question: str, texts: Sequence[str], embedder: Embedder, *, names_one_thing: bool
) -> Verdict:
    """The verdict again, by the best *sentence* where the leaves as wholes were too weak.

    A leaf on several subjects is near to none of them. Only questions about to be turned away cost this look,
    and it asks for a higher score.

    Args:
        texts: the best leaves'.
    """
    if not verdict.abstain or verdict.top_cosine is None or verdict.unknown_codes or not texts:
        return verdict
    sentences = [text[start:end].strip() for text in texts for start, end in sentence_spans(text)]
    cosines = embedder.embed(sentences[:MAX_SENTENCES]) @ embedder.embed_query(question)
    closer = gate(
        top_cosine=max(verdict.top_cosine, float(cosines.max(initial=-1.0))),
        coverage=verdict.coverage,
        threshold=min(1.0, CLOSER_FACTOR * verdict.threshold),
        names_one_thing=names_one_thing,
    )
    return verdict if closer.abstain else closer


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
