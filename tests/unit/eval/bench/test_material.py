"""What both builds are given: made once, alike every time, and complete."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from eval.bench import material as module
from eval.bench.material import SPARE_DOCUMENTS, Material, prepare
from prism.errors import ModelCallError
from prism.types import LEAF_LEVEL
from tests.fakes import LetterEmbedder

WORDS = ["fund", "treasury", "member", "quarter", "vault", "interest", "harbour", "ledger", "penalty", "dues"]
SENTENCES = " ".join(
    f"The {WORDS[n % 10]} of the {WORDS[(n * 3 + 1) % 10]} pays the {WORDS[n // 10]} of case {n} in full."
    for n in range(60)
)
LEAVES = 140


class LetterModel(LetterEmbedder):
    """Counts how many texts it was asked to embed."""

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts, on_batch=None):  # type: ignore[no-untyped-def]
        self.embedded += len(texts)
        return super().embed(texts, on_batch)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of sentences and the material made of it."""
    folder = tmp_path_factory.mktemp("material")
    sentences = folder / "sentences"
    sentences.mkdir()
    (sentences / "a.txt").write_text(SENTENCES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        return sentences, prepare(LEAVES, sentences, folder / "cache", LetterModel())


@pytest.fixture
def material(made: tuple[Path, Path]) -> Material:
    return Material(made[1])


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


def test_made_again_it_is_the_same_bytes(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        again = prepare(LEAVES, sentences, tmp_path, LetterModel())
    assert again.name == folder.name
    for file in sorted(folder.iterdir()):
        assert (again / file.name).read_bytes() == file.read_bytes(), file.name


def test_what_is_there_is_not_made_again(made: tuple[Path, Path]) -> None:
    sentences, folder = made
    embedder = LetterModel()
    assert prepare(LEAVES, sentences, folder.parent, embedder) == folder
    assert embedder.embedded == 0


def test_other_sentences_or_sizes_are_another_material(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    other = tmp_path / "sentences"
    shutil.copytree(sentences, other)
    (other / "b.txt").write_text("One more sentence of the harbour fund changes what everything is made of.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        names = {
            folder.name,
            prepare(LEAVES, other, tmp_path, LetterModel()).name,
            prepare(1, sentences, tmp_path, LetterModel()).name,
        }
    assert len(names) == 3


def test_a_draft_cut_short_is_begun_anew(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    draft = tmp_path / f"{folder.name}.draft"
    draft.mkdir()
    (draft / "documents.jsonl").write_text("half a li")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        again = prepare(LEAVES, sentences, tmp_path, LetterModel())
    assert Material(again).leaves == Material(folder).leaves
    assert not draft.exists()


def test_the_smallest_corpus_has_documents_to_delete_to_remove_and_to_keep(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        assert Material(prepare(1, made[0], tmp_path, LetterModel())).document_count == 4


def test_small_corpus_is_the_beginning_of_a_large_one(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "VOCABULARY_WORDS", 500)
        small = Material(prepare(1, sentences, tmp_path, LetterModel()))
    large = Material(folder)
    assert next(small.documents()) == next(large.documents())
    assert np.array_equal(small.leaf_vectors(), large.leaf_vectors()[: small.leaves])
