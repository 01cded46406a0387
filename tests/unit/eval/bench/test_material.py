"""What both builds are given is complete, and found by text."""

from __future__ import annotations

import numpy as np
import pytest

from eval.bench.material import Material
from eval.bench.prepare import SPARE_DOCUMENTS
from prism.errors import ModelCallError
from prism.types import LEAF_LEVEL
from tests.unit.eval.bench.corpora import LEAVES


def test_corpus_has_at_least_the_leaves_asked_for_in_whole_documents(material: Material) -> None:
    documents = list(material.documents())
    counts = [len(document.leaves) for document in documents]
    assert sum(counts) == material.leaves >= LEAVES > sum(counts[:-1])
    assert len(documents) == material.document_count


def test_spare_documents_are_none_of_the_corpus(material: Material) -> None:
    spare = {document.document_id for document in material.spare_documents()}
    assert len(spare) == SPARE_DOCUMENTS
    assert spare.isdisjoint(document.document_id for document in material.documents())


def test_nodes_have_true_offsets_and_parents(material: Material) -> None:
    for document in (*material.documents(), *material.spare_documents()):
        ids = {node.node_id for node in document.nodes}
        assert all(document.text[node.start : node.end] == node.text for node in document.nodes)
        assert all(node.parent_id in ids for node in document.leaves)
        assert {node.level for node in document.nodes} == {LEAF_LEVEL, 1, 2}


def test_vectors_are_found_by_text_in_any_order(material: Material) -> None:
    leaves = [leaf for document in material.documents() for leaf in document.leaves]
    texts = [leaf.text for leaf in leaves]
    assert len(set(texts)) == len(texts), "this test needs different texts"
    stored = material.leaf_vectors()
    assert np.array_equal(material.vectors_of(texts), stored)
    assert np.array_equal(material.vectors_of(texts[::-1]), stored[::-1])
    assert material.leaf_ids() == [leaf.node_id for leaf in leaves]


def test_spare_documents_have_vectors_too(material: Material) -> None:
    spare = material.spare_documents()[-1]
    vectors = material.vectors_of([leaf.text for leaf in spare.leaves])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(vectors)), abs=1e-5)


def test_a_text_that_is_no_leaf_is_refused(material: Material) -> None:
    with pytest.raises(ModelCallError, match="no leaf"):
        material.vectors_of(["Something nobody wrote."])
    with pytest.raises(ModelCallError, match="none of the questions"):
        material.question_vector("Something nobody asks.")


def test_questions_are_about_leaves_of_the_corpus_and_near_them(material: Material) -> None:
    row_of = {node_id: row for row, node_id in enumerate(material.leaf_ids())}
    stored = material.leaf_vectors()
    documents = {document.document_id: document for document in material.documents()}
    for question in material.questions:
        leaf = next(n for n in documents[question.document_id].leaves if n.node_id == question.node_id)
        assert all(word in leaf.text.lower() for word in question.text.split())
        assert question.document_id in question.tenth
        assert float(material.question_vector(question.text) @ stored[row_of[question.node_id]]) > 0.5


def test_questions_about_a_document_carry_its_leaves_own_vectors(material: Material) -> None:
    spare = material.spare_documents()[0]
    questions = material.about(spare)
    assert [question.node_id for question in questions] == [leaf.node_id for leaf in spare.leaves[:3]]
    for question, leaf in zip(questions, spare.leaves, strict=False):
        assert np.array_equal(material.question_vector(question.text), material.vectors_of([leaf.text])[0])


def test_a_leaf_has_a_token_vector_for_each_of_its_tokens_of_the_same_token(material: Material) -> None:
    leaves = [*next(material.documents()).leaves, *material.spare_documents()[-1].leaves]
    found = material.token_vectors_of([leaf.text for leaf in leaves])
    pool = material.pool
    assert len(found) == len(leaves)
    for leaf, rows in zip(leaves, found, strict=True):
        words = leaf.text.split()
        assert (rows.dtype, len(rows)) == (np.int8, len(words))
        at = words.index("the")
        own = [row for word, row in zip(pool.tokens, pool.rows, strict=True) if word == "the"]
        assert any(np.array_equal(rows[at], row) for row in own)


def test_token_vectors_are_found_in_any_order(material: Material) -> None:
    texts = [leaf.text for leaf in next(material.documents()).leaves]
    forth, back = material.token_vectors_of(texts), material.token_vectors_of(texts[::-1])
    assert all(np.array_equal(one, other) for one, other in zip(forth, back[::-1], strict=True))
    with pytest.raises(ModelCallError, match="no leaf"):
        material.token_vectors_of(["Something nobody wrote."])
