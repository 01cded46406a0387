"""Words of a text against those of a reference: how many are right, how many are there, and in what order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two lists of words share, each word as often as both have it.

    `in_order`: the longest common subsequence as a share of the reference. Recall sees no wrong reading
    order; this does, since two columns read line by line across keep one column's words at most.
    """

    words: int
    reference: int
    shared: int
    in_order: float

    @property
    def precision(self) -> float:
        """Share of the text's words that the reference has."""
        return self.shared / self.words if self.words else 0.0

    @property
    def recall(self) -> float:
        """Share of the reference's words that the text has."""
        return self.shared / self.reference if self.reference else 1.0


def overlap(words: Sequence[str], reference: Sequence[str]) -> Overlap:
    """Compare them."""
    shared = (Counter(words) & Counter(reference)).total()
    longest = common_subsequence(words, reference)
    return Overlap(len(words), len(reference), shared, longest / len(reference) if reference else 1.0)


def missing_words(words: Sequence[str], reference: Sequence[str], most: int) -> list[tuple[str, int]]:
    """The reference's words that the text lacks, and how often, those most often lacking first."""
    return (Counter(reference) - Counter(words)).most_common(most)


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, a bit per word of `second` (Crochemore et al. 2001)."""
    places: dict[str, int] = defaultdict(int)
    for place, word in enumerate(second):
        places[word] |= 1 << place
    full = (1 << len(second)) - 1
    open_places = full
    for word in first:
        matched = open_places & places.get(word, 0)
        open_places = ((open_places + matched) | (open_places - matched)) & full
    return len(second) - open_places.bit_count()
