"""Between our values and LlamaIndex's: nodes, hits, passages, answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from llama_index.core.schema import (
    BaseNode,
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    TextNode,
)

from prism.errors import UsageError
from prism.types import FORMS_MARK, Answer, LeafHit, Node, Passage

FetchNodes = Callable[[Sequence[str]], Mapping[str, BaseNode]]
"""Nodes by id; ids that are gone are left out."""

_FORMS_AT: Final = "forms_at"
"""Where in the context the other forms of abbreviations begin, -1 where there are none."""

_RECORD_KEYS: Final = ["generation", "level", "ordinal", "tokens", _FORMS_AT]
"""Kept with a node so that it can be turned back; neither embedded nor shown to a model."""


def to_text_node(node: Node, child_ids: Sequence[str] = ()) -> TextNode:
    """A node as LlamaIndex has it, with offsets against the document and its relationships.

    Its EMBED text is `node.indexed_text`; its LLM text leaves the context out, as our prompts do.
    """
    relationships: dict[NodeRelationship, Any] = {
        NodeRelationship.SOURCE: RelatedNodeInfo(node_id=node.document_id)
    }
    if node.parent_id is not None:
        relationships[NodeRelationship.PARENT] = RelatedNodeInfo(node_id=node.parent_id)
    if child_ids:
        relationships[NodeRelationship.CHILD] = [RelatedNodeInfo(node_id=child_id) for child_id in child_ids]
    shown = {key: value for key, value in (("context", node.plain_context), ("header", node.header)) if value}
    return TextNode(
        id_=node.node_id,
        text=node.text,
        start_char_idx=node.start,
        end_char_idx=node.end,
        metadata={
            **shown,
            **{key: getattr(node, key) for key in _RECORD_KEYS if key != _FORMS_AT},
            _FORMS_AT: node.context.find(FORMS_MARK),
        },
        metadata_template="{value}",
        text_template="{metadata_str}\n{content}",
        excluded_embed_metadata_keys=list(_RECORD_KEYS),
        excluded_llm_metadata_keys=["context", *_RECORD_KEYS],
        relationships=relationships,
    )


def to_node(text_node: TextNode) -> Node:
    """The inverse of `to_text_node`.

    Raises:
        UsageError: the node was not made by `to_text_node`, so its place in a document is unknown.
    """
    metadata, start, end = text_node.metadata, text_node.start_char_idx, text_node.end_char_idx
    if start is None or end is None or text_node.ref_doc_id is None or not metadata.keys() >= {*_RECORD_KEYS}:
        raise UsageError(f"node {text_node.node_id} is not one of Prism's: it lacks its place in a document")
    return Node(
        node_id=text_node.node_id,
        document_id=text_node.ref_doc_id,
        generation=int(metadata["generation"]),
        level=int(metadata["level"]),
        ordinal=int(metadata["ordinal"]),
        parent_id=text_node.parent_node.node_id if text_node.parent_node else None,
        start=start,
        end=end,
        text=text_node.get_content(metadata_mode=MetadataMode.NONE),
        header=str(metadata.get("header", "")),
        context=_marked(str(metadata.get("context", "")), int(metadata[_FORMS_AT])),
        tokens=int(metadata["tokens"]),
    )


def _marked(context: str, forms_at: int) -> str:
    return context if forms_at < 0 else context[:forms_at] + FORMS_MARK + context[forms_at:]


def hits_to_nodes(hits: Sequence[LeafHit], fetch: FetchNodes) -> list[NodeWithScore]:
    """Hits with their nodes, in the order of the hits; a hit whose node is gone is left out."""
    nodes = fetch([hit.node_id for hit in hits])
    return [NodeWithScore(node=nodes[hit.node_id], score=hit.score) for hit in hits if hit.node_id in nodes]


def passage_to_node(passage: Passage) -> NodeWithScore:
    """A passage for someone else's prompt: its text, and document, page and rank as metadata."""
    metadata: dict[str, Any] = {
        "document": passage.document,
        "page": ", ".join(page.label for page in passage.pages),
        "rank": passage.rank,
        "document_id": passage.document_id,
    }
    if passage.header:
        metadata["header"] = passage.header
    node = TextNode(
        id_=passage.node_id,
        text=passage.text,
        start_char_idx=passage.start,
        end_char_idx=passage.end,
        metadata=metadata,
        excluded_embed_metadata_keys=["document", "page", "rank", "document_id"],
        excluded_llm_metadata_keys=["rank", "document_id"],
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=passage.document_id)},
    )
    return NodeWithScore(node=node, score=passage.score)


def answer_sources(answer: Answer) -> list[NodeWithScore]:
    """The passages an answer cites, in the order of their numbers; when it abstained, the nearest ones."""
    cited = {citation.n: citation.passage for citation in answer.citations}
    passages = answer.nearest if answer.abstained else [cited[n] for n in sorted(cited)]
    return [passage_to_node(passage) for passage in passages]


def answer_metadata(answer: Answer) -> dict[str, Any]:
    """What an answer says besides its text, as plain values."""
    return {
        "abstained": answer.abstained,
        "citations": [
            {
                "n": citation.n,
                "node_id": citation.passage.node_id,
                "document": citation.passage.document,
                "pages": [page.label for page in citation.pages],
                "quote": citation.quote,
            }
            for citation in answer.citations
        ],
        "notices": [{"code": notice.code, "message": notice.message} for notice in answer.notices],
        "model": answer.model,
        "trace_id": answer.trace_id,
    }
