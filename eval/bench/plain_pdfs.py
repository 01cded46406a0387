"""PDF texts into an index of LlamaIndex's parts, as its documentation does it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import chromadb
from chromadb.config import Settings as ChromaSettings
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes
from llama_index.core.schema import Document, MetadataMode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.embeddings.huggingface import HuggingFaceEmbedding
from llama_index.retrievers.bm25 import BM25Retriever
from llama_index.vector_stores.chroma import ChromaVectorStore

LEVELS: Final = [1024, 512, 128]
"""Tokens of a node on each level, as in Prism."""


class PlainPdfs:
    """An index to be made in a folder."""

    def __init__(self, embedder: Path, folder: Path) -> None:
        """Load the model. `embedder`: its folder."""
        self._embedding = HuggingFaceEmbedding(model_name=str(embedder))
        self._embedding.get_text_embedding("warm up")
        self._folder = folder

    def ingest(self, texts: Sequence[tuple[str, str]]) -> float:
        """Bring texts in by name, all at once; returns the seconds of embedding."""
        documents = [Document(text=text, id_=name) for name, text in texts]
        nodes = HierarchicalNodeParser.from_defaults(chunk_sizes=LEVELS).get_nodes_from_documents(documents)
        leaves = get_leaf_nodes(nodes)
        began = time.perf_counter()
        vectors = self._embedding.get_text_embedding_batch(
            [leaf.get_content(metadata_mode=MetadataMode.EMBED) for leaf in leaves]
        )
        embedding_s = time.perf_counter() - began
        for leaf, vector in zip(leaves, vectors, strict=True):
            leaf.embedding = vector
        self._store(nodes, leaves)
        return embedding_s

    def _store(self, nodes: list, leaves: list) -> None:  # type: ignore[type-arg]
        client = chromadb.PersistentClient(
            path=str(self._folder / "chroma"), settings=ChromaSettings(anonymized_telemetry=False)
        )
        docstore = SimpleDocumentStore()
        docstore.add_documents(nodes)
        store = ChromaVectorStore(chroma_collection=client.get_or_create_collection("leaves"))
        VectorStoreIndex(
            leaves,
            storage_context=StorageContext.from_defaults(docstore=docstore, vector_store=store),
            embed_model=self._embedding,
            insert_batch_size=client.get_max_batch_size(),
        )
        BM25Retriever.from_defaults(nodes=leaves, similarity_top_k=5).persist(str(self._folder / "bm25"))
        docstore.persist(str(self._folder / "docstore.json"))
        client.close()
