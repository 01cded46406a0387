"""Keyword search over exactly the leaves that are visible at one moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from bm25s.scoring import _score_idf_lucene, _score_tfc_lucene

from prism.stores.bm25 import Ints, Segment
from prism.stores.visible import Mask, SegmentLeaves
from prism.text.amounts import EXACT
from prism.text.tokens import LANGUAGE_MARK, query_terms, query_tokens
from prism.types import LeafHit

Floats: TypeAlias = npt.NDArray[np.float64]


COVERAGE_LEAVES = 100
"""Coverage weighs terms as if there were at least this many leaves: among five, a term's frequency says
nothing of how telling it is."""


class KeywordView:
    """A snapshot: only leaves of the given generations count, in scores, idf and average length alike.

    Scores equal those of a fresh bm25s index (method `lucene`) over exactly these leaves. Immutable; safe
    for any number of threads; later additions and removals do not reach it.
    """

    def __init__(
        self, segments: Sequence[Segment], active: Mapping[str, int], *, k1: float, b: float
    ) -> None:
        """`active` maps document_id to its visible generation."""
        self._segments = tuple(segments)
        self._active = dict(active)
        self._k1, self._b = k1, b
        self._visible = tuple(self._mask(segment, None) for segment in self._segments)
        self.leaf_count = int(sum(np.count_nonzero(mask) for mask in self._visible))
        lengths = sum(
            int(segment.lengths[mask].sum())
            for segment, mask in zip(self._segments, self._visible, strict=True)
        )
        self._average_length = lengths / self.leaf_count if self.leaf_count else 0.0

    def weighing(self, *, k1: float, b: float) -> KeywordView:
        """The same leaves under other BM25 parameters; this very view when they are its own."""
        if (k1, b) == (self._k1, self._b):
            return self
        return KeywordView(self._segments, self._active, k1=k1, b=b)

    def search(self, query: str, k: int, document_ids: frozenset[str] | None = None) -> tuple[LeafHit, ...]:
        """The best `k` leaves for a question, best first; fewer when fewer hold any of its tokens.

        Args:
            query: the question as typed.
            k: how many leaves at most.
            document_ids: leaves of other documents are left out; None means no limit. It does not change
                scores.

        Returns:
            Hits with BM25 scores above 0, ranks from 1; equal scores in order of node id.
        """
        return self.search_tokens(query_tokens(query, self.languages), k, document_ids)

    def search_tokens(
        self, tokens: Iterable[str], k: int, document_ids: frozenset[str] | None = None
    ) -> tuple[LeafHit, ...]:
        """`search` for tokens already made; each counts once however often it is given."""
        allowed = self._masks(document_ids)
        scores = self._scores(tuple(dict.fromkeys(tokens)))
        found = [
            (float(score), segment.node_ids[row])
            for segment, mask, totals in zip(self._segments, allowed, scores, strict=True)
            for row, score in _best(np.where(mask, totals, 0.0), k)
        ]
        found.sort(key=lambda hit: (-hit[0], hit[1]))
        return tuple(
            LeafHit(node_id, rank, score) for rank, (score, node_id) in enumerate(found[: max(0, k)], 1)
        )

    def leaves(self, document_ids: frozenset[str] | None = None) -> SegmentLeaves:
        """The leaves themselves: all of them, or those of some documents."""
        return SegmentLeaves(self._segments, self._masks(document_ids))

    def document_frequency(self, token: str) -> int:
        """In how many visible leaves `token` occurs."""
        return sum(len(rows) for rows, _ in self._postings(token))

    def idf(self, token: str) -> float:
        """Lucene's inverse document frequency over the visible leaves; highest for an unknown token."""
        return float(_score_idf_lucene(self.document_frequency(token), N=self.leaf_count))

    def coverage(self, query: str, leaf_tokens: Iterable[Collection[str]]) -> float:
        """How much of a question occurs in some leaves: the idf-weighted share of its terms, 0 to 1.

        Args:
            query: the question.
            leaf_tokens: stored tokens of each leaf looked at; a term may occur in any of them.

        Returns:
            1.0 when every term occurs, 0.0 when none does or the question has no term. Terms that no
            visible leaf holds weigh most.
        """
        return self.coverage_of(query)(leaf_tokens)

    def coverage_of(self, query: str) -> Callable[[Iterable[Collection[str]]], float]:
        """`coverage` of one question by many passages: its terms are weighed once."""
        terms = [term for term in query_terms(query, self.languages) if not term[0].startswith(EXACT)]
        weight_of_term = {term: min(map(self._floored_idf, term)) for term in terms}
        total = sum(weight_of_term.values())

        def share(leaf_tokens: Iterable[Collection[str]]) -> float:
            present = frozenset(token for tokens in leaf_tokens for token in tokens)
            covered = sum(weight for term, weight in weight_of_term.items() if not present.isdisjoint(term))
            return covered / total if total else 0.0

        return share

    def _floored_idf(self, token: str) -> float:
        leaves = max(self.leaf_count, COVERAGE_LEAVES)
        return float(_score_idf_lucene(self.document_frequency(token), N=leaves))

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages the visible leaves were read in."""
        marks = {mark for segment in self._segments for mark in segment.language_marks}
        return frozenset(mark.removeprefix(LANGUAGE_MARK) for mark in marks if self.document_frequency(mark))

    def _masks(self, document_ids: frozenset[str] | None) -> tuple[Mask, ...]:
        if document_ids is None:
            return self._visible
        return tuple(self._mask(segment, document_ids) for segment in self._segments)

    def _mask(self, segment: Segment, document_ids: frozenset[str] | None) -> Mask:
        visible = [
            self._active.get(document_id) == generation
            and (document_ids is None or document_id in document_ids)
            for document_id, generation in segment.groups
        ]
        mask: Mask = np.array(visible, dtype=bool)[segment.group_codes]
        return mask

    def _postings(self, token: str) -> list[tuple[Ints, Ints]]:
        """Visible rows and frequencies of `token`, per segment."""
        result = []
        for segment, visible in zip(self._segments, self._visible, strict=True):
            rows, frequencies = segment.postings(token)
            kept = visible[rows]
            result.append((rows[kept], frequencies[kept]))
        return result

    def _scores(self, tokens: Iterable[str]) -> list[Floats]:
        """BM25 totals per segment and row: sum over tokens of idf(token) * tfc(frequency, length)."""
        totals = [np.zeros(len(segment)) for segment in self._segments]
        for token in tokens:
            postings = self._postings(token)
            frequency = sum(len(rows) for rows, _ in postings)
            if not frequency:
                continue
            idf = _score_idf_lucene(frequency, N=self.leaf_count)
            for segment, total, (rows, frequencies) in zip(self._segments, totals, postings, strict=True):
                total[rows] += idf * _score_tfc_lucene(
                    frequencies.astype(np.float64),
                    segment.lengths[rows],
                    self._average_length,
                    self._k1,
                    self._b,
                )
        return totals


def _best(scores: Floats, k: int) -> list[tuple[int, float]]:
    """Rows of the `k` highest scores above 0, with every row that ties with the last of them."""
    rows = np.flatnonzero(scores > 0.0)
    if k < 1 or not len(rows):
        return []
    if len(rows) > k:
        threshold = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
        rows = rows[scores[rows] >= threshold]
    return [(int(row), float(scores[row])) for row in rows]
