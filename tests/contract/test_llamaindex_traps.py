"""Each trap of the stock LlamaIndex classes we have a subclass for: the stock class steps in, ours does not.

When a stock half of a test fails, LlamaIndex has mended the trap, and the subclass may be able to go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import HierarchicalNodeParser, SentenceSplitter, get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever, QueryFusionRetriever
from llama_index.core.schema import (
    Document,
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.storage.storage_context import StorageContext
from llama_index.core.vector_stores.types import VectorStoreQuery
from llama_index.retrievers.bm25 import BM25Retriever
from llama_index.vector_stores.chroma import ChromaVectorStore

from prism.llamaindex.auto_merging import ForgivingAutoMergingRetriever
from prism.llamaindex.chat_engine import PrismChatEngine
from prism.llamaindex.fusion_retriever import RetrieverLeg, WeightedFusionRetriever
from prism.llamaindex.keyword_retriever import KeywordRetriever
from prism.llamaindex.node_parser import OffsetHierarchicalNodeParser
from prism.llamaindex.vector_store import CosineChromaVectorStore
from prism.query.fuse import fuse
from prism.query.merge import merge
from prism.types import Answer, LeafHit


class Fixed(BaseRetriever):
    def __init__(self, *found: NodeWithScore, error: Exception | None = None) -> None:
        super().__init__()
        self.found, self.error = found, error

    def _retrieve(self, query_bundle: Any) -> list[NodeWithScore]:
        if self.error:
            raise self.error
        return [NodeWithScore(node=item.node, score=item.score) for item in self.found]


def scored(node_id: str, score: float | None, text: str = "") -> NodeWithScore:
    return NodeWithScore(node=TextNode(id_=node_id, text=text or node_id), score=score)


def ids(found: list[NodeWithScore]) -> list[str]:
    return [item.node.node_id for item in found]


# ── QueryFusionRetriever ────────────────────────────────────────────────────────────────────────


def stock_fusion(*legs: BaseRetriever, weights: list[float]) -> QueryFusionRetriever:
    return QueryFusionRetriever(
        list(legs),
        llm=MockLLM(),
        mode="reciprocal_rerank",
        num_queries=1,
        use_async=False,
        similarity_top_k=4,
        retriever_weights=weights,
    )


def our_fusion(dense: BaseRetriever, keyword: BaseRetriever, *weights: float) -> WeightedFusionRetriever:
    return WeightedFusionRetriever(
        [RetrieverLeg("dense", dense), RetrieverLeg("keyword", keyword)],
        fuse=fuse,
        weights={"dense": weights[0], "keyword": weights[1]},
        similarity_top_k=4,
    )


def test_ret_06_weights_are_ignored_by_reciprocal_rank_fusion() -> None:
    legs = Fixed(scored("a", 0.9), scored("b", 0.8)), Fixed(scored("b", 5.0), scored("a", 4.0))
    stock = [
        ids(stock_fusion(*legs, weights=weights).retrieve("q")) for weights in ([0.99, 0.01], [0.01, 0.99])
    ]
    assert stock[0] == stock[1]
    ours = [ids(our_fusion(*legs, *weights).retrieve("q")) for weights in ((0.99, 0.01), (0.01, 0.99))]
    assert ours == [["a", "b"], ["b", "a"]]


def test_ret_17_equal_text_in_two_documents_becomes_one_result() -> None:
    legs = Fixed(scored("in-a", 0.9, "same"), scored("in-b", 0.9, "same")), Fixed()
    assert len(stock_fusion(*legs, weights=[0.5, 0.5]).retrieve("q")) == 1
    assert ids(our_fusion(*legs, 0.5, 0.5).retrieve("q")) == ["in-a", "in-b"]


def test_ret_04_keyword_hits_of_score_zero_get_full_credit() -> None:
    legs = (
        Fixed(scored("v0", 0.9), scored("v1", 0.8), scored("v2", 0.7)),
        Fixed(scored("z0", 0.0), scored("z1", 0.0), scored("z2", 0.0)),
    )
    assert "z0" in ids(stock_fusion(*legs, weights=[0.5, 0.5]).retrieve("q"))
    assert ids(our_fusion(*legs, 0.5, 0.5).retrieve("q")) == ["v0", "v1", "v2"]


def test_ret_26_one_failing_leg_fails_all() -> None:
    legs = Fixed(scored("a", 0.9)), Fixed(error=OSError("index gone"))
    with pytest.raises(OSError, match="index gone"):
        stock_fusion(*legs, weights=[0.5, 0.5]).retrieve("q")
    assert ids(our_fusion(*legs, 0.5, 0.5).retrieve("q")) == ["a"]


def test_a_missing_score_raises_in_score_fusion() -> None:
    legs = Fixed(scored("a", 0.9), scored("b", 0.4)), Fixed(scored("a", None), scored("b", 1.0))
    stock = QueryFusionRetriever(
        list(legs), llm=MockLLM(), mode="relative_score", num_queries=1, use_async=False
    )
    with pytest.raises(TypeError):
        stock.retrieve("q")
    assert ids(our_fusion(*legs, 0.5, 0.5).retrieve("q"))[0] == "a"


# ── AutoMergingRetriever ────────────────────────────────────────────────────────────────────────


def tree(children: dict[str, list[str]]) -> dict[str, TextNode]:
    names = {*children, *(child for group in children.values() for child in group)}
    nodes = {name: TextNode(id_=name, text=name) for name in names}
    for parent, group in children.items():
        nodes[parent].relationships[NodeRelationship.CHILD] = [
            RelatedNodeInfo(node_id=child) for child in group
        ]
        for child in group:
            nodes[child].relationships[NodeRelationship.PARENT] = RelatedNodeInfo(node_id=parent)
    return nodes


def both_mergers(nodes: dict[str, TextNode], found: dict[str, float], *, without: str = ""):
    docstore = SimpleDocumentStore()
    docstore.add_documents([node for name, node in nodes.items() if name != without])
    leaves = Fixed(*(NodeWithScore(node=nodes[name], score=score) for name, score in found.items()))
    stock = AutoMergingRetriever(leaves, StorageContext.from_defaults(docstore=docstore))
    return stock, ForgivingAutoMergingRetriever(leaves, docstore, merge=merge)


def test_ret_24_one_missing_parent_fails_the_query() -> None:
    nodes = tree({"p": ["a", "b"], "q": ["c", "d", "e"]})
    stock, ours = both_mergers(nodes, {"a": 0.9, "c": 0.5}, without="p")
    with pytest.raises(ValueError, match="not found"):
        stock.retrieve("q")
    assert ids(ours.retrieve("q")) == ["a", "c"]


def test_a_merged_parent_gets_the_mean_score_and_falls_behind() -> None:
    nodes = tree({"p": ["a", "b", "c"], "q": ["d", "e", "f"]})
    stock, ours = both_mergers(nodes, {"a": 0.9, "d": 0.6, "b": 0.1, "c": 0.1})
    assert ids(stock.retrieve("q")) == ["d", "p"]
    assert ids(ours.retrieve("q")) == ["p", "d"]


def test_a_chain_of_single_children_climbs_to_the_root() -> None:
    nodes = tree({"root": ["middle"], "middle": ["leaf"]})
    stock, ours = both_mergers(nodes, {"leaf": 0.9})
    assert ids(stock.retrieve("q")) == ["root"]
    assert ids(ours.retrieve("q")) == ["leaf"]


# ── HierarchicalNodeParser ──────────────────────────────────────────────────────────────────────

TEXT = " ".join(
    f"Rule number {place} limits the payment of clause {place} to some amount." for place in range(60)
)


def our_parser(*sizes: int) -> OffsetHierarchicalNodeParser:
    return OffsetHierarchicalNodeParser.from_sizes(
        sizes, tokenizer=str.split, node_id=lambda level, ordinal: f"{level}:{ordinal}"
    )


def true_offsets(text: str, nodes: list[Any]) -> list[bool]:
    return [text[node.start_char_idx : node.end_char_idx] == node.text for node in nodes]


def test_chk_07_leaf_offsets_are_relative_to_the_parent() -> None:
    document = Document(text=TEXT)
    stock = get_leaf_nodes(
        HierarchicalNodeParser.from_defaults([256, 64]).get_nodes_from_documents([document])
    )
    assert not all(true_offsets(TEXT, stock))
    ours = get_leaf_nodes(our_parser(128, 32).get_nodes_from_documents([document]))
    assert all(true_offsets(TEXT, ours))


def test_ids_are_random() -> None:
    document = Document(text=TEXT, id_="d")

    def names(parser: HierarchicalNodeParser) -> list[str]:
        return [node.node_id for node in parser.get_nodes_from_documents([document])]

    stock = HierarchicalNodeParser.from_defaults([256, 64])
    assert names(stock) != names(stock)
    assert names(our_parser(128, 32)) == names(our_parser(128, 32))


def test_chk_01_metadata_longer_than_a_chunk_raises() -> None:
    document = Document(text=TEXT, metadata={"file_path": "नीति/" * 60})
    with pytest.raises(ValueError, match="longer than chunk size"):
        HierarchicalNodeParser.from_defaults([256, 128]).get_nodes_from_documents([document])
    assert our_parser(128, 32).get_nodes_from_documents([document])


def test_chk_04_a_unit_larger_than_the_chunk_raises() -> None:
    text = "고객" * 50 + "👨‍👩‍👧‍👦"
    with pytest.raises(ValueError, match="Single token exceeded"):
        SentenceSplitter(chunk_size=2, chunk_overlap=0).split_text(text)
    parser = OffsetHierarchicalNodeParser.from_sizes([2], tokenizer=lambda piece: piece.encode())
    leaves = parser.get_nodes_from_documents([Document(text=text)])
    assert "".join(leaf.text for leaf in leaves) == text


def test_chk_08_the_danda_without_a_space_is_no_sentence_end() -> None:
    text = "यह नियम सभी कर्मचारियों पर समान रूप से लागू है।" * 30
    stock = SentenceSplitter(chunk_size=128, chunk_overlap=0).split_text(text)
    assert sum(chunk.endswith("।") for chunk in stock) < len(stock)
    ours = get_leaf_nodes(our_parser(64, 20).get_nodes_from_documents([Document(text=text)]))
    assert all(leaf.text.endswith("।") for leaf in ours)


def test_asynchronous_parsing_returns_documents_uncut() -> None:
    document = Document(text=TEXT)
    stock = asyncio.run(HierarchicalNodeParser.from_defaults([256, 64]).aget_nodes_from_documents([document]))
    assert len(stock) == 1
    assert len(asyncio.run(our_parser(128, 32).aget_nodes_from_documents([document]))) > 10


# ── BM25Retriever ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("question", ["zxqv", "what is the of and", ""])
def test_ret_03_a_query_that_matches_nothing_returns_k_nodes_of_score_zero(question: str) -> None:
    nodes = [TextNode(id_=name, text=f"{name} chunk words") for name in "abc"]
    stock = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=3).retrieve(question)
    assert [item.score for item in stock] == [0.0, 0.0, 0.0]
    by_id = {node.node_id: node for node in nodes}
    padded = tuple(LeafHit(name, rank, 0.0) for rank, name in enumerate("abc", start=1))
    ours = KeywordRetriever(search=lambda *_: padded, fetch=lambda _: by_id, similarity_top_k=3)
    assert ours.retrieve(question) == []


def test_ret_02_an_empty_store_raises() -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message differs by version; raising is the trap
        BM25Retriever.from_defaults(nodes=[], similarity_top_k=3)
    ours = KeywordRetriever(search=lambda *_: (), fetch=lambda _: {}, similarity_top_k=3)
    assert ours.retrieve("anything") == []


# ── ChromaVectorStore ───────────────────────────────────────────────────────────────────────────


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    opened = chromadb.PersistentClient(path=str(tmp_path), settings=Settings(anonymized_telemetry=False))
    yield opened
    opened.close()


@pytest.fixture
def stores(client) -> tuple[ChromaVectorStore, CosineChromaVectorStore]:
    cosine = {"hnsw": {"space": "cosine"}}
    stock, ours = (
        client.create_collection(name, embedding_function=None, configuration=cosine)
        for name in ("stock", "ours")
    )
    return (
        ChromaVectorStore(chroma_collection=stock),
        CosineChromaVectorStore(ours, batch_size=client.get_max_batch_size()),
    )


def embedded(node_id: str, text: str = "", **metadata: Any) -> TextNode:
    return TextNode(id_=node_id, text=text or node_id, embedding=[1.0, 0.0], metadata=metadata)


def test_ing_37_adding_an_id_again_keeps_the_old_text(stores) -> None:
    kept = []
    for store in stores:
        store.add([embedded("x", "OLD")])
        store.add([embedded("x", "NEW")])
        kept.append(store.get_nodes(["x"])[0].get_content())
    assert kept == ["OLD", "NEW"]


def test_ing_36_batches_are_larger_than_the_client_takes(stores) -> None:
    stock, ours = stores
    nodes = [embedded(f"n{place}") for place in range(5500)]
    with pytest.raises(Exception, match=r"(?i)batch size"):
        stock.add(nodes)
    assert len(ours.add(nodes)) == 5500


def test_the_score_is_not_the_cosine(stores) -> None:
    question = VectorStoreQuery(query_embedding=[-1.0, 0.0], similarity_top_k=1)
    scores = []
    for store in stores:
        store.add([embedded("x")])
        scores.append(store.query(question).similarities[0])
    assert scores == [pytest.approx(0.1353, abs=1e-4), pytest.approx(-1.0, abs=1e-6)]


def test_ids_of_documents_and_nodes_are_ignored(stores) -> None:
    question = VectorStoreQuery(
        query_embedding=[1.0, 0.0], similarity_top_k=9, node_ids=["x"], doc_ids=["none"]
    )
    found = []
    for store in stores:
        store.add([embedded("x"), embedded("y")])
        found.append(len(store.query(question).ids))
    assert found == [2, 0]


def test_ing_44_a_list_in_the_metadata_fails_the_batch(stores) -> None:
    stock, ours = stores
    awkward = embedded("x", a=None, tags=["x", "y"], m={"k": 1})
    with pytest.raises(ValueError, match="metadata tags"):
        stock.add([awkward])
    assert ours.add([awkward]) == ["x"]


# ── chat engines ────────────────────────────────────────────────────────────────────────────────


def test_nothing_retrieved_answers_empty_response() -> None:
    stock = CondensePlusContextChatEngine.from_defaults(retriever=Fixed(), llm=MockLLM())
    assert str(stock.chat("anything")) == "Empty Response"

    class Abstains:
        def ask(self, question: str) -> Answer:
            text = "Insufficient information"
            return Answer(question, text, True, (), (), (), (), None, "t", "quote", {})

        def stream(self, question: str) -> Iterator[Answer]:
            yield self.ask(question)

        def turns(self) -> list[Any]:
            return []

    assert str(PrismChatEngine(Abstains).chat("anything")) == "Insufficient information"
