"""What Prism overrides and relies on in bm25s: an upgrade that changes it must fail here, loudly."""

from __future__ import annotations

import inspect
import math
from pathlib import Path

import bm25s
import numpy as np
import pytest
from bm25s import scoring

from prism.stores.bm25 import FrequencyIndex, LeafTokens, build_segment


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_the_overridden_builder_has_the_signature_we_replace() -> None:
    theirs = inspect.signature(bm25s.BM25.build_index_from_ids)
    ours = inspect.signature(FrequencyIndex.build_index_from_ids)
    assert list(ours.parameters) == list(theirs.parameters)
    assert list(theirs.parameters)[1:] == [
        "unique_token_ids",
        "corpus_token_ids",
        "show_progress",
        "leave_progress",
    ]


def test_index_calls_the_builder_for_token_ids_with_a_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[int], list[list[int]]]] = []
    original = FrequencyIndex.build_index_from_ids

    def spy(
        self: FrequencyIndex, unique_token_ids: list[int], corpus_token_ids: list[list[int]], **rest: bool
    ) -> object:
        calls.append((unique_token_ids, corpus_token_ids))
        return original(self, unique_token_ids, corpus_token_ids, **rest)

    monkeypatch.setattr(FrequencyIndex, "build_index_from_ids", spy)
    index = FrequencyIndex(dtype="int32")
    index.index(([[0, 1, 0], [1]], {"ant": 0, "bee": 1}), create_empty_token=False, show_progress=False)
    assert calls == [([0, 1], [[0, 1, 0], [1]])]
    assert index.vocab_dict == {"ant": 0, "bee": 1}, "the vocabulary is kept as given, with no empty token"


def test_the_matrix_has_their_layout_with_frequencies_for_scores() -> None:
    segment = build_segment([LeafTokens("a", "d", 1, ("x", "y", "x")), LeafTokens("b", "d", 1, ("y",))])
    theirs = bm25s.BM25()
    theirs.index(([[0, 1, 0], [1]], {"x": 0, "y": 1}), create_empty_token=False, show_progress=False)
    ours = segment.index.scores
    assert set(ours) == set(theirs.scores) == {"data", "indices", "indptr", "num_docs"}
    assert ours["num_docs"] == theirs.scores["num_docs"] == 2
    np.testing.assert_array_equal(ours["indptr"], theirs.scores["indptr"])
    np.testing.assert_array_equal(ours["indices"], theirs.scores["indices"])
    assert ours["data"].tolist() == [2, 1, 1]


def test_save_and_load_keep_the_arrays_the_vocabulary_and_the_class(tmp_path: Path) -> None:
    segment = build_segment([LeafTokens("a", "d", 1, ("x", "नीति", "x"))])
    segment.index.save(tmp_path, show_progress=False)
    assert {path.name for path in tmp_path.iterdir()} == {
        "data.csc.index.npy",
        "indices.csc.index.npy",
        "indptr.csc.index.npy",
        "vocab.index.json",
        "params.index.json",
    }
    loaded = FrequencyIndex.load(tmp_path, mmap=True, show_progress=False, verbosity=0)
    assert type(loaded) is FrequencyIndex
    assert loaded.vocab_dict == segment.index.vocab_dict
    assert isinstance(loaded.scores["data"], np.memmap)
    for name in ("data", "indices", "indptr", "num_docs"):
        np.testing.assert_array_equal(loaded.scores[name], segment.index.scores[name])


def test_the_lucene_formulas_are_where_and_what_we_take_them_for() -> None:
    assert parameters(scoring._score_idf_lucene) == ["df", "N"]
    assert parameters(scoring._score_tfc_lucene)[:5] == ["tf_array", "l_d", "l_avg", "k1", "b"]
    assert scoring._score_idf_lucene(1, N=3) == pytest.approx(math.log(1 + 2.5 / 1.5))
    assert scoring._score_idf_lucene(0, N=0) == pytest.approx(math.log(2))
    assert scoring._score_tfc_lucene(np.array([2.0]), np.array([3]), 2.0, 1.5, 0.75) == pytest.approx(
        2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2))
    )
    assert scoring._select_tfc_scorer("lucene") is scoring._score_tfc_lucene
    assert scoring._select_idf_scorer("lucene") is scoring._score_idf_lucene
