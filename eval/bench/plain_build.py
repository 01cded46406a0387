"""The same parts put together as LlamaIndex's documentation does it.

VectorStoreIndex over a persistent ChromaVectorStore, BM25Retriever, QueryFusionRetriever and
AutoMergingRetriever over a SimpleDocumentStore. No strawman: batches as large as Chroma takes, everything
kept on disk and loaded back, leaves held in memory for what must be built again, what leaks through filters
taken out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import chromadb
from chromadb.config import Settings as ChromaSettings
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever, QueryFusionRetriever, VectorIndexRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import (
    BaseNode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import FilterOperator, MetadataFilter, MetadataFilters
from llama_index.retrievers.bm25 import BM25Retriever
from llama_index.vector_stores.chroma import ChromaVectorStore

from eval.bench.builds import PASSAGES, POOL, Answered, Scope
from eval.bench.lookup import LookupEmbedding
from eval.bench.material import Material, Question, Ready
from eval.bench.stages import EMBED, READ_MERGE
from eval.bench.stopwatch import Stopwatch
from prism.models.embedder import load_embedder
from prism.models.protocols import Vectors
from prism.settings import EmbedderSettings

COLLECTION = "leaves"
SOURCE = "source"
"""Metadata key that names a node's document, for filters."""


class PlainBuild:
    """The plain build over a folder."""

    def __init__(self, folder: Path, material: Material) -> None:
        self._folder = folder
        self._embedding = LookupEmbedding(material)
        self._client: Any = None
        self._leaves: list[BaseNode] = []
        self._index: VectorStoreIndex
        self._docstore: SimpleDocumentStore
        self._keywords: BM25Retriever
        self._retriever: Timed

    def index(self, documents: Iterable[Ready]) -> float:
        """All nodes at once, so that BM25 is built once."""
        nodes = [node for document in documents for node in text_nodes(document)]
        began = time.perf_counter()
        self._folder.mkdir(parents=True)
        self._connect()
        self._docstore = SimpleDocumentStore()
        self._docstore.add_documents(nodes)
        self._leaves = get_leaf_nodes(nodes)
        self._index = VectorStoreIndex(
            self._leaves,
            storage_context=self._context(),
            embed_model=self._embedding,
            insert_batch_size=self._client.get_max_batch_size(),
        )
        self._build_keywords()
        self._persist()
        self.close()
        return time.perf_counter() - began

    def open(self) -> None:
        """Load what was persisted."""
        self._connect()
        self._docstore = SimpleDocumentStore.from_persist_path(str(self._folder / "docstore.json"))
        self._index = VectorStoreIndex.from_vector_store(self._vector_store(), embed_model=self._embedding)
        self._keywords = BM25Retriever.from_persist_dir(str(self._folder / "bm25"))
        self._retriever = self._assemble(None, self._keywords)

    def close(self) -> None:
        """Chroma alone holds files open."""
        if self._client is not None:
            self._client.close()
        self._client = None
        self._leaves = []

    def ask(self, question: Question, scope: Scope = None) -> Answered:
        """Retrieve, merge, cut; BM25 pads its results with leaves that hold no term, which are kept here as
        the documentation keeps them, but not outside a scope."""
        began = time.perf_counter()
        bundle = QueryBundle(question.text, embedding=self._embedding.get_query_embedding(question.text))
        embed_ms = (time.perf_counter() - began) * 1000
        retriever = self._retriever if scope is None else self._scoped(scope)
        found = retriever.merging.retrieve(bundle)[:PASSAGES]
        documents = tuple(item.node.ref_doc_id or "" for item in found)
        total_ms = (time.perf_counter() - began) * 1000
        return Answered(documents, retriever.stages_ms(embed_ms=embed_ms, total_ms=total_ms))

    def nearest(self, vector: Vectors, k: int) -> Sequence[str]:
        """The vector retriever alone."""
        bundle = QueryBundle("", embedding=vector.tolist())
        return [item.node.node_id for item in self._index.as_retriever(similarity_top_k=k).retrieve(bundle)]

    def embed_questions(self) -> None:
        """With `HuggingFaceEmbedding` as it comes, over the same folder."""
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        folder = load_embedder(EmbedderSettings()).folder
        self._embedding.embed_questions(HuggingFaceEmbedding(model_name=str(folder)))

    def prepare_changes(self) -> None:
        """Hold the leaves, which BM25 is built of again at every change."""
        self._leaves = get_leaf_nodes(list(self._docstore.docs.values()))

    def add(self, document: Ready) -> None:
        """BM25 cannot be added to: it is built again, and everything is written."""
        nodes = text_nodes(document)
        leaves = get_leaf_nodes(nodes)
        self._docstore.add_documents(nodes)
        self._index.insert_nodes(leaves)
        self._leaves = [*self._leaves, *leaves]
        self._build_keywords()
        self._persist()

    def delete(self, document_id: str) -> None:
        """The index's own `delete_ref_doc` leaves the nodes in docstore and BM25, so they go one by one."""
        self._index.delete_ref_doc(document_id)
        self._docstore.delete_ref_doc(document_id)
        self._leaves = [leaf for leaf in self._leaves if leaf.ref_doc_id != document_id]
        self._build_keywords()
        self._persist()

    @property
    def deletes_for_good(self) -> bool:
        """Yes."""
        return True

    def purge(self, document_id: str) -> None:
        """The same as deleting."""
        self.delete(document_id)

    def _connect(self) -> None:
        self._client = chromadb.PersistentClient(
            path=str(self._folder / "chroma"), settings=ChromaSettings(anonymized_telemetry=False)
        )

    def _vector_store(self) -> ChromaVectorStore:
        return ChromaVectorStore(chroma_collection=self._client.get_or_create_collection(COLLECTION))

    def _context(self) -> StorageContext:
        return StorageContext.from_defaults(docstore=self._docstore, vector_store=self._vector_store())

    def _build_keywords(self) -> None:
        self._keywords = BM25Retriever.from_defaults(nodes=self._leaves, similarity_top_k=POOL)
        self._retriever = self._assemble(None, self._keywords)

    def _persist(self) -> None:
        self._keywords.persist(str(self._folder / "bm25"))
        self._docstore.persist(str(self._folder / "docstore.json"))

    def _assemble(self, filters: MetadataFilters | None, keywords: BaseRetriever) -> Timed:
        dense_watch = Stopwatch(self._index.as_retriever(similarity_top_k=POOL, filters=filters))
        keyword_watch = Stopwatch(keywords)
        fusion = QueryFusionRetriever(
            [_as_declared(dense_watch), _as_declared(keyword_watch)],
            llm=MockLLM(),
            mode=FUSION_MODES.RECIPROCAL_RANK,
            similarity_top_k=POOL,
            num_queries=1,
            use_async=False,
        )
        fusion_watch = Stopwatch(fusion)
        merging = AutoMergingRetriever(
            _as_declared(fusion_watch), StorageContext.from_defaults(docstore=self._docstore)
        )
        return Timed(merging, dense_watch, keyword_watch, fusion_watch)

    def _scoped(self, scope: frozenset[str]) -> Timed:
        filters = MetadataFilters(
            filters=[MetadataFilter(key=SOURCE, value=sorted(scope), operator=FilterOperator.IN)]
        )
        # A mask made here instead of BM25Retriever(filters=…), which makes the same one several times slower.
        mask = [int(entry[SOURCE] in scope) for entry in self._keywords.corpus]
        keywords = BM25Retriever(
            existing_bm25=self._keywords.bm25, similarity_top_k=POOL, corpus_weight_mask=mask
        )
        return self._assemble(filters, WithoutLeaks(keywords, scope))


@dataclass(frozen=True, slots=True)
class Timed:
    """The retriever of the build, and the stopwatches inside it."""

    merging: AutoMergingRetriever
    dense: Stopwatch
    keyword: Stopwatch
    fusion: Stopwatch

    def stages_ms(self, *, embed_ms: float, total_ms: float) -> Mapping[str, float]:
        """Milliseconds of the last question's stages, under the names of `stages.py`."""
        return {
            EMBED: embed_ms,
            "dense": self.dense.spent_ms,
            "keyword": self.keyword.spent_ms,
            "fuse": self.fusion.spent_ms - self.dense.spent_ms - self.keyword.spent_ms,
            READ_MERGE: total_ms - embed_ms - self.fusion.spent_ms,
        }


def _as_declared(retriever: Stopwatch) -> VectorIndexRetriever:
    """Annotations ask for a retriever, some for a narrower one than the documentation puts there; what is
    called is `retrieve` alone."""
    return cast(VectorIndexRetriever, retriever)


class WithoutLeaks(BaseRetriever):
    """BM25 within a scope: masked leaves come back with score 0 and would enter the fusion."""

    def __init__(self, keywords: BM25Retriever, scope: frozenset[str]) -> None:
        super().__init__()
        self._keywords = keywords
        self._scope = scope

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._keywords.retrieve(query_bundle)
        return [item for item in found if item.score and item.node.metadata[SOURCE] in self._scope]


def text_nodes(document: Ready) -> list[BaseNode]:
    """The document's leaves and parents as LlamaIndex nodes: same ids, same texts, linked both ways."""
    source = RelatedNodeInfo(node_id=document.document_id)
    children: dict[str, list[RelatedNodeInfo]] = {}
    for node in document.nodes:
        if node.parent_id is not None:
            children.setdefault(node.parent_id, []).append(RelatedNodeInfo(node_id=node.node_id))
    made: list[BaseNode] = []
    for node in document.nodes:
        relations: Mapping[NodeRelationship, Any] = {
            NodeRelationship.SOURCE: source,
            **({NodeRelationship.PARENT: RelatedNodeInfo(node_id=node.parent_id)} if node.parent_id else {}),
            **({NodeRelationship.CHILD: children[node.node_id]} if node.node_id in children else {}),
        }
        made.append(
            TextNode(
                id_=node.node_id,
                text=node.text,
                start_char_idx=node.start,
                end_char_idx=node.end,
                metadata={SOURCE: document.document_id},
                # The text alone is embedded and keyword-indexed, as in Prism's leaves here.
                excluded_embed_metadata_keys=[SOURCE],
                excluded_llm_metadata_keys=[SOURCE],
                relationships=dict(relations),
            )
        )
    return made
