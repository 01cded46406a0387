"""Fusing retrievers: weights, identity, failing legs, no model."""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import partial

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from prism.errors import SearchError
from prism.llamaindex.fusion_retriever import RetrieverLeg, WeightedFusionRetriever
from prism.query.fuse import fuse
from prism.types import Notice

USUAL = {"dense": 0.7, "keyword": 0.3}


class Fixed(BaseRetriever):
    """Returns the same rows for every query and remembers the bundles."""

    def __init__(self, *rows, error: Exception | None = None) -> None:
        super().__init__()
        self.rows, self.error, self.bundles = rows, error, []

    def _retrieve(self, query_bundle):
        self.bundles.append(query_bundle)
        if self.error:
            raise self.error
        return [
            NodeWithScore(node=TextNode(id_=name, text="same text"), score=score) for name, score in self.rows
        ]


def fusion(dense: BaseRetriever, keyword: BaseRetriever, *, weights=USUAL, fuse=fuse, k=10, **options):
    legs = [RetrieverLeg("dense", dense), RetrieverLeg("keyword", keyword)]
    return WeightedFusionRetriever(legs, fuse=fuse, weights=weights, similarity_top_k=k, **options)


def rows(found: list[NodeWithScore]) -> list[tuple[str, float]]:
    return [(item.node.node_id, item.score) for item in found]


def test_scores_are_weight_over_k_plus_rank_summed_per_node() -> None:
    retriever = fusion(Fixed(("a", 0.9), ("b", 0.8)), Fixed(("b", 5.0)))
    expected = [("b", pytest.approx(0.7 / 62 + 0.3 / 61)), ("a", pytest.approx(0.7 / 61))]
    assert rows(retriever.retrieve("q")) == expected
    assert rows(asyncio.run(retriever.aretrieve("q"))) == expected


def test_k_and_the_kind_of_fusion_are_the_callers() -> None:
    retriever = fusion(Fixed(("a", 0.9), ("b", 0.8)), Fixed(), fuse=partial(fuse, kind="min_max"), k=1)
    assert rows(retriever.retrieve("q")) == [("a", 0.7)]


def test_a_leg_of_weight_zero_is_not_even_asked() -> None:
    keyword = Fixed(("b", 5.0))
    assert rows(fusion(Fixed(("a", 0.9)), keyword, weights={"dense": 1.0, "keyword": 0.0}).retrieve("q")) == [
        ("a", pytest.approx(1 / 61))
    ]
    assert keyword.bundles == []


def test_ret_26_a_failing_leg_is_logged_and_told_and_the_other_answers(caplog) -> None:
    notices: list[Notice] = []
    retriever = fusion(Fixed(("a", 0.9)), Fixed(error=OSError("index gone")), on_notice=notices.append)
    with caplog.at_level(logging.WARNING):
        assert [name for name, _ in rows(retriever.retrieve("q"))] == ["a"]
        assert [name for name, _ in rows(asyncio.run(retriever.aretrieve("q")))] == ["a"]
    assert "index gone" in caplog.text
    assert [notice.code for notice in notices] == ["search_reduced", "search_reduced"]
    assert "keyword" in notices[0].message


def test_ret_26_an_empty_leg_is_no_failure() -> None:
    notices: list[Notice] = []
    retriever = fusion(Fixed(("a", 0.9)), Fixed(), on_notice=notices.append)
    assert [name for name, _ in rows(retriever.retrieve("q"))] == ["a"]
    assert notices == []
    assert fusion(Fixed(), Fixed()).retrieve("q") == []


def test_when_every_leg_fails_it_is_an_error_not_nothing() -> None:
    broken = fusion(Fixed(error=OSError("one")), Fixed(error=ValueError("two")))
    with pytest.raises(SearchError, match=r"dense: one.*keyword: two"):
        broken.retrieve("q")
    with pytest.raises(SearchError):
        asyncio.run(broken.aretrieve("q"))


def test_a_leg_without_scores_counts_by_its_order() -> None:
    assert [name for name, _ in rows(fusion(Fixed(), Fixed(("a", None), ("b", None))).retrieve("q"))] == [
        "a",
        "b",
    ]


def test_other_phrasings_reach_every_leg_once_and_hyde_text_stays_with_the_question() -> None:
    dense, keyword = Fixed(("a", 0.9)), Fixed(("a", 1.0))
    retriever = fusion(dense, keyword, rephrase=lambda question: ["other", question, " ", "other"])
    retriever.retrieve(QueryBundle("q", custom_embedding_strs=["hypothesis", "q"]))
    assert sorted(bundle.query_str for bundle in dense.bundles) == ["other", "q"]
    assert sorted(bundle.query_str for bundle in keyword.bundles) == ["other", "q"]
    by_text = {bundle.query_str: bundle for bundle in dense.bundles}
    assert by_text["q"].embedding_strs == ["hypothesis", "q"]
    assert by_text["other"].embedding_strs == ["other"]
    assert not {id(bundle) for bundle in dense.bundles} & {id(bundle) for bundle in keyword.bundles}


def test_legs_run_side_by_side() -> None:
    both_are_in = threading.Barrier(2, timeout=10)

    class Waits(Fixed):
        def _retrieve(self, query_bundle):
            both_are_in.wait()
            return super()._retrieve(query_bundle)

    retriever = fusion(Waits(("a", 0.9)), Waits(("b", 1.0)))
    assert len(retriever.retrieve("q")) == 2
    assert len(asyncio.run(retriever.aretrieve("q"))) == 2


def test_what_the_legs_returned_is_not_changed() -> None:
    class Keeps(Fixed):
        def _retrieve(self, query_bundle):
            self.kept = super()._retrieve(query_bundle)
            return self.kept

    dense = Keeps(("a", 0.9))
    fusion(dense, Fixed(("a", 3.0))).retrieve("q")
    assert dense.kept[0].score == 0.9
