"""Exact: a question that names a code is about that code, not about its siblings.

`LQT-6312`, `Section 7(b)`, `₹1,25,000`: to an embedder these look like every other code, section and amount.
By rank alone its guess would outvote the keyword leg's certainty, so where some passages hold the very code,
the dense leg is left to break ties and to fill up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import regex

from prism.text.amounts import EXACT
from prism.text.words import Term

TIE_BREAK_SHARE = 0.01
"""Share of its weight that the dense leg keeps: with rrf_k = 60 less than the step from one keyword rank to
the next, down to rank 18."""

_YEAR = regex.compile(r"(?:19|20)\d\d")
_CODE = regex.compile(
    r"(?:.*\d){3}.*"  # three digits: 823, IL-1235, ₹200000
    r"|\d.*[^\d]"  # a digit first: 7(b), 80C, 7.5%
    r"|\d+\.\d+"  # 8.2
    r"|.*[()_/].*\d.*|.*\d.*[()_/].*"  # K_7, A/1, s(1)
    r"|\p{Sc}.*"
)
_ORDINAL = regex.compile(r"\d+(?:st|nd|rd|th)")
_QUANTITY = regex.compile(r"\p{Sc}?[\d.,]+%?|\d{1,2}/\d{1,2}")

MAX_WORDS_BESIDE_CODE = 6
MAX_WORDS_BESIDE_QUANTITY = 3
"""What a short question names is what it is about (`How do I fix error 0x80070005?`; a bare number or
percentage only in a very short one, `part 6312`); in a long one it is a detail. Following details costs: on
15 SciFact claims with a held code or quantity, over 856 of its abstracts, nDCG@10 fell from .750 to .669
before these bounds."""


class Frequencies(Protocol):
    """What is asked of the keyword view."""

    def document_frequency(self, token: str) -> int:
        """In how many visible leaves a token occurs."""
        ...


def names_held_code(terms: Iterable[Term], keywords: Frequencies, *, most: int) -> bool:
    """Whether a question names a code, section or amount that some visible leaves hold, but at most `most`.

    Years and ordinals are no codes, nor are numbers of one or two digits: those stand in too many places.

    Args:
        terms: the question's, from `prism.text.tokens.query_terms`.
    """
    asked = list(terms)
    words = sum(not any(map(str.isdigit, token)) for token, *_ in asked)
    if words > MAX_WORDS_BESIDE_CODE:
        return False
    wholes = (token for term in asked for token in term if token.startswith(EXACT))
    with_quantities = words <= MAX_WORDS_BESIDE_QUANTITY
    codes = (whole for whole in wholes if _is_code(whole.removeprefix(EXACT), or_quantity=with_quantities))
    return any(0 < keywords.document_frequency(code) <= most for code in codes)


def _is_code(whole: str, *, or_quantity: bool) -> bool:
    if _YEAR.fullmatch(whole) or _ORDINAL.fullmatch(whole):
        return False
    if _QUANTITY.fullmatch(whole) and not or_quantity:
        return False
    return _CODE.fullmatch(whole) is not None
