"""Batches: which texts a network computes together.

A batch is padded to its longest text, so it costs texts times longest. Sorted by tokens, texts of one length
meet and almost nothing is padded; a budget of tokens, rather than a number of texts, keeps the time and the
memory of all batches alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def length_sorted_batches(lengths: Sequence[int], budget_tokens: int) -> Iterator[list[int]]:
    """Positions in `lengths`, each once, the longest texts first; equal lengths keep their order.

    Args:
        lengths: tokens of each text.
        budget_tokens: what a batch costs at most, padding included. A longer text is a batch of its own.
    """
    order = sorted(range(len(lengths)), key=lambda position: -lengths[position])
    start = 0
    while start < len(order):
        size = max(1, budget_tokens // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size
