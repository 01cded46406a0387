"""What our subclasses rely on in LlamaIndex and Chroma, so that an upgrade fails here, loudly, and first.

A hook is a method we override (the base class must still have it and still call it with these parameters)
or a private name we read.
"""

from __future__ import annotations

import inspect

import pytest
from chromadb.api.client import Client
from chromadb.api.models.Collection import Collection
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine.types import BaseChatEngine, StreamingAgentChatResponse
from llama_index.core.node_parser import HierarchicalNodeParser
from llama_index.core.retrievers import AutoMergingRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeRelationship, QueryBundle, TextNode
from llama_index.core.storage.docstore.types import BaseDocumentStore
from llama_index.core.vector_stores.types import VectorStoreQuery
from llama_index.retrievers.bm25 import BM25Retriever
from llama_index.vector_stores.chroma import ChromaVectorStore
from llama_index.vector_stores.chroma import base as chroma_base

HOOKS = [
    (HierarchicalNodeParser, "get_nodes_from_documents", ["documents", "show_progress", "kwargs"]),
    (HierarchicalNodeParser, "aget_nodes_from_documents", ["documents", "show_progress", "kwargs"]),
    (HierarchicalNodeParser, "_recursively_get_nodes_from_nodes", ["nodes", "level", "show_progress"]),
    (BaseRetriever, "_retrieve", ["query_bundle"]),
    (BaseRetriever, "_aretrieve", ["query_bundle"]),
    (BM25Retriever, "_retrieve", ["query_bundle"]),
    (BM25Retriever, "persist", ["path", "encoding", "kwargs"]),
    (BM25Retriever, "get_persist_args", []),
    (QueryFusionRetriever, "_retrieve", ["query_bundle"]),
    (QueryFusionRetriever, "_aretrieve", ["query_bundle"]),
    (AutoMergingRetriever, "_retrieve", ["query_bundle"]),
    (ChromaVectorStore, "add", ["nodes", "add_kwargs"]),
    (ChromaVectorStore, "delete_nodes", ["node_ids", "filters"]),
    (ChromaVectorStore, "clear", []),
    (ChromaVectorStore, "query", ["query", "kwargs"]),
    (ChromaVectorStore, "_query", ["query_embeddings", "n_results", "where", "kwargs"]),
    (BaseQueryEngine, "_query", ["query_bundle"]),
    (BaseQueryEngine, "_aquery", ["query_bundle"]),
    (BaseQueryEngine, "_get_prompt_modules", []),
    (BaseChatEngine, "chat", ["message", "chat_history"]),
    (BaseChatEngine, "achat", ["message", "chat_history"]),
    (BaseChatEngine, "stream_chat", ["message", "chat_history"]),
    (BaseChatEngine, "astream_chat", ["message", "chat_history"]),
    (BaseChatEngine, "reset", []),
    (Client, "close", []),
    (Client, "get_max_batch_size", []),
]


@pytest.mark.parametrize(
    ("owner", "name", "parameters"), HOOKS, ids=lambda part: getattr(part, "__name__", None)
)
def test_a_method_we_override_or_call_takes_what_it_took(
    owner: type, name: str, parameters: list[str]
) -> None:
    signature = inspect.signature(getattr(owner, name))
    assert [parameter for parameter in signature.parameters if parameter != "self"] == parameters


def test_the_docstore_asks_for_exactly_what_our_view_gives() -> None:
    assert BaseDocumentStore.__abstractmethods__ == {
        "docs",
        *(
            name
            for base in ("add_documents", "delete_document", "delete_ref_doc", "document_exists")
            for name in (base, f"async_{base}" if base == "add_documents" else f"a{base}")
        ),
        *(
            f"{prefix}{name}"
            for name in (
                "get_document",
                "set_document_hash",
                "set_document_hashes",
                "get_document_hash",
                "get_all_document_hashes",
                "get_all_ref_doc_info",
                "get_ref_doc_info",
            )
            for prefix in ("", "a")
        ),
    }


def test_the_hierarchical_parser_hands_each_document_to_the_hook_we_override() -> None:
    source = inspect.getsource(HierarchicalNodeParser.get_nodes_from_documents)
    assert "self._recursively_get_nodes_from_nodes([doc], 0)" in source


def test_the_auto_merger_keeps_its_retriever_and_threshold_where_we_read_them() -> None:
    source = inspect.getsource(AutoMergingRetriever.__init__)
    assert "self._vector_retriever = vector_retriever" in source
    assert "self._simple_ratio_thresh = simple_ratio_thresh" in source


def test_the_bm25_constructor_sets_nothing_else_that_retrieving_needs() -> None:
    # Ours does not call it; `retrieve` itself lives in the base class and uses these.
    assert "retrieve" not in vars(BM25Retriever)
    assert {"callback_manager", "object_map", "_verbose"} <= set(vars(_BareRetriever()))


class _BareRetriever(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list:
        return []


def test_the_fusion_constructor_takes_a_model_so_that_none_is_reached_globally() -> None:
    source = inspect.getsource(QueryFusionRetriever.__init__)
    assert "if llm else Settings.llm" in source


def test_the_chroma_store_keeps_its_collection_and_scores_by_the_exponential_we_undo() -> None:
    assert "_collection" in ChromaVectorStore.__private_attributes__
    assert "math.exp(-distance)" in inspect.getsource(ChromaVectorStore._query)
    assert callable(chroma_base._to_chroma_filter)
    assert "ids" in inspect.signature(Collection.query).parameters
    assert isinstance(inspect.getattr_static(Collection, "configuration_json"), property)


def test_a_vector_query_still_has_the_fields_we_honour() -> None:
    query = VectorStoreQuery()
    assert query.doc_ids is None
    assert query.node_ids is None
    assert query.filters is None


def test_a_chat_stream_that_writes_no_memory_is_read_straight_from_its_generator() -> None:
    response = StreamingAgentChatResponse(is_writing_to_memory=False)
    assert response.chat_stream is None
    source = inspect.getsource(StreamingAgentChatResponse.response_gen.fget)
    assert "for chat_response in self.chat_stream" in source


def test_a_query_bundle_embeds_custom_texts_first_and_its_question_otherwise() -> None:
    assert QueryBundle("q").embedding_strs == ["q"]
    assert QueryBundle("q", custom_embedding_strs=["h", "q"]).embedding_strs == ["h", "q"]


def test_nodes_have_the_relationships_and_templates_we_set() -> None:
    assert {"SOURCE", "PREVIOUS", "NEXT", "PARENT", "CHILD"} <= set(NodeRelationship.__members__)
    assert {"metadata_template", "text_template", "start_char_idx", "end_char_idx"} <= set(
        TextNode.model_fields
    )
