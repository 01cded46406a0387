"""Folds: hold questions out of the fit that they are judged by, together with all others on their documents.

Questions on one document resemble each other, and so do their features. A curve that was fitted on some of
them and judged on the rest would look better than it is on documents that it has never seen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from sklearn.model_selection import GroupKFold

FOLDS: Final = 5


def folds_of(documents: Sequence[Collection[str]], most: int = FOLDS) -> list[list[int]]:
    """The places of the questions, dealt into folds of about the same size; the same ones every time.

    Args:
        documents: those that each question is on. No document is in two folds; a question on none known is
            on one of its own.
        most: there are fewer folds where there are fewer documents, and none where there is but one.
    """
    groups = groups_of(documents)
    count = min(most, len(set(groups)))
    if count < 2:
        return []
    places = np.arange(len(groups))
    return [held_out.tolist() for _, held_out in GroupKFold(count).split(places, groups=groups)]


def groups_of(documents: Sequence[Collection[str]]) -> list[int]:
    """A group for each question: the same one for two that share a document, or that others link."""
    linked = list(range(len(documents)))
    first_on: dict[str, int] = {}

    def root(place: int) -> int:
        while linked[place] != place:
            place = linked[place]
        return place

    for place, names in enumerate(documents):
        for name in names:
            earlier, later = sorted((root(first_on.setdefault(name, place)), root(place)))
            linked[later] = earlier
    return [root(place) for place in range(len(documents))]
