"""What both builds are given is made once, and alike every time."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from eval.bench.material import Material
from eval.bench.prepare import prepare
from tests.unit.eval.bench.corpora import LEAVES, LetterModel, make_small


def test_made_again_it_is_the_same_bytes(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    again = make_small(LEAVES, sentences, tmp_path)
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
    names = {
        folder.name,
        make_small(LEAVES, other, tmp_path).name,
        make_small(1, sentences, tmp_path).name,
    }
    assert len(names) == 3


def test_a_draft_cut_short_is_begun_anew(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    draft = tmp_path / f"{folder.name}.draft"
    draft.mkdir()
    (draft / "documents.jsonl").write_text("half a li")
    again = make_small(LEAVES, sentences, tmp_path)
    assert Material(again).leaves == Material(folder).leaves
    assert not draft.exists()


def test_the_smallest_corpus_has_documents_to_delete_to_remove_and_to_keep(
    made: tuple[Path, Path], tmp_path: Path
) -> None:
    assert Material(make_small(1, made[0], tmp_path)).document_count == 4


def test_small_corpus_is_the_beginning_of_a_large_one(made: tuple[Path, Path], tmp_path: Path) -> None:
    sentences, folder = made
    small = Material(make_small(1, sentences, tmp_path))
    large = Material(folder)
    assert next(small.documents()) == next(large.documents())
    assert np.array_equal(small.leaf_vectors(), large.leaf_vectors()[: small.leaves])
