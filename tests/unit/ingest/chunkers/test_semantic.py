"""Distances, smoothing and boundaries worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from prism.ingest.chunkers import semantic
from prism.ingest.chunkers.semantic import boundaries, group_units, neighbour_distances, smooth
from prism.text.pack import Unit
from tests.chunked import leaves, plain

AXES = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.6, 0.8]}


def embed(texts):
    return np.array([AXES[text[0]] for text in texts], dtype=np.float32)


def test_the_distance_of_neighbours_is_one_less_their_cosine() -> None:
    # a·a = 1, a·b = 0, b·c = .8
    assert neighbour_distances(["a", "a", "b", "c"], embed) == pytest.approx([0.0, 1.0, 0.2])
    assert neighbour_distances(["a"], embed).tolist() == []


def test_distances_do_not_depend_on_how_many_texts_are_embedded_at_once(monkeypatch) -> None:
    texts = list("aabcabbcca")
    whole = neighbour_distances(texts, embed)
    monkeypatch.setattr(semantic, "SLICE_UNITS", 3)
    assert neighbour_distances(texts, embed) == pytest.approx(whole)


def test_neighbours_are_compared_together_where_asked() -> None:
    seen: list[str] = []
    neighbour_distances(["a", "b", "c"], lambda texts: (seen.extend(texts), embed(texts))[1], buffer=1)
    assert seen == ["a b", "a b c", "b c"]


def test_smoothing_weighs_a_quarter_a_half_and_a_quarter_with_true_ends() -> None:
    # First: (½·0 + ¼·1) / ¾ = ⅓. Second: ¼·0 + ½·1 + ¼·0.2 = .55. Last: (¼·1 + ½·0.2) / ¾ = .4667.
    assert smooth(np.array([0.0, 1.0, 0.2])) == pytest.approx([1 / 3, 0.55, 0.35 / 0.75])


def test_a_level_stretch_stays_level_to_its_ends() -> None:
    assert smooth(np.full(5, 0.4)) == pytest.approx([0.4] * 5)
    assert smooth(np.array([0.4])).tolist() == [0.4]
    assert smooth(np.array([0.4, 0.4])) == pytest.approx([0.4, 0.4])
    assert smooth(np.array([])).tolist() == []


def test_boundaries_are_above_the_percentile() -> None:
    # Of 0 to .20 in 21 steps the 95th percentile is .19: only .20 is above it.
    rising = np.arange(21) / 100
    assert boundaries(rising, 95.0) == (20,)
    # The 90th of five values lies .6 of the way from the fourth to the fifth: .1 + .6 · .4 = .34.
    assert boundaries(np.array([0.1, 0.1, 0.5, 0.1, 0.1]), 90.0) == (2,)
    assert boundaries(np.full(4, 0.3), 95.0) == ()
    assert boundaries(np.array([]), 95.0) == ()


def units(*lengths: int) -> list[Unit]:
    return [Unit(place, place + 1, length) for place, length in enumerate(lengths)]


def grouped(lengths: list[int], ends: list[int], least: int, most: int) -> list[list[int]]:
    groups = group_units(units(*lengths), ends, least=least, most=most)
    return [[unit.tokens for unit in group] for group in groups]


def test_a_boundary_counts_once_the_least_size_is_reached() -> None:
    assert grouped([3, 3, 3, 3, 3], [0, 2], least=5, most=20) == [[3, 3, 3], [3, 3]]


def test_a_run_over_the_greatest_size_is_cut_evenly() -> None:
    assert grouped([4, 4, 4, 4], [], least=4, most=12) == [[4, 4], [4, 4]]


def test_a_short_end_joins_what_is_before_it() -> None:
    assert grouped([5, 5, 2], [0, 1], least=5, most=10) == [[5], [5, 2]]
    assert grouped([2], [], least=5, most=10) == [[2]]


def test_a_text_of_three_sentences_is_not_cut() -> None:
    text = "The cap is ten. Zebras graze. Pay by Friday."
    assert leaves(semantic.cut, plain(text)) == [text]


def test_a_text_is_cut_where_its_subject_changes() -> None:
    one = "Aaa aa aaa aaaa aaa. " * 8
    two = "Zzz zz zzz zzzz zzz. " * 8
    found = leaves(semantic.cut, plain(one + two), semantic_min_tokens=10, semantic_max_tokens=100)
    assert found == [one.strip(), two.strip()]
