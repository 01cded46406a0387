"""A question's tokens brought together with those of leaves: kept ones are read, others made again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from prism.errors import ModelCallError, StoreError
from prism.query.interact import interact, widen
from prism.query.late_interaction import Interaction
from prism.query.token_weights import FLOOR, UNSEEN
from prism.stores.keyword_view import KeywordView
from prism.stores.token_vectors import WorkspaceTokens
from prism.types import Node
from tests.fakes import LetterTokenEmbedder

NO_LEAVES = KeywordView([], {}, k1=1.5, b=0.75)


def node(name: str, text: str, context: str = "", document_id: str = "doc") -> Node:
    return Node(name, document_id, 1, 0, 0, None, 0, len(text), text, context=context)


LEAVES = [node("a", "cap"), node("b", "dog pap"), node("c", "dog", context="cap", document_id="other")]


class Reading(LetterTokenEmbedder):
    """Remembers the passages it has read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed_with_tokens(self, texts: Sequence[str], on_batch=None):
        self.read += texts
        return super().embed_with_tokens(texts, on_batch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "tokens" / "default"


@pytest.fixture
def tokens(folder: Path) -> WorkspaceTokens:
    kept = WorkspaceTokens(folder)
    kept.keep(LetterTokenEmbedder.token_recipe)
    return kept


def keep(tokens: WorkspaceTokens, *leaves: Node) -> None:
    """As an ingest does, a file a document."""
    for document_id in dict.fromkeys(leaf.document_id for leaf in leaves):
        own = [leaf for leaf in leaves if leaf.document_id == document_id]
        _, rows = LetterTokenEmbedder().embed_with_tokens([leaf.indexed_text for leaf in own])
        tokens.add(document_id, 1, [leaf.node_id for leaf in own], rows)
        tokens.finish(document_id, 1)


def met(
    tokens: WorkspaceTokens, embedder: LetterTokenEmbedder, question: str = "the cap", leaves=LEAVES
) -> Interaction:
    return interact(question, leaves, embedder=embedder, tokens=tokens, words=NO_LEAVES)


def scores(interaction: Interaction) -> tuple[float, ...]:
    return interaction.scores([leaf.node_id for leaf in LEAVES])


# By letters "cap" meets cap wholly, "pap" by (1 · 1 + 1 · 2) / (√3 · √5), and "the" meets none of them.
BY_HAND = pytest.approx([UNSEEN * match / (UNSEEN + FLOOR) for match in (1.0, 3 / 15**0.5, 1.0)])


def test_scores_are_the_weighted_matches_of_question_and_leaves(tokens: WorkspaceTokens) -> None:
    keep(tokens, *LEAVES)
    found = met(tokens, LetterTokenEmbedder())
    assert found.weights == pytest.approx([FLOOR, UNSEEN])
    assert found.question.spans == ((0, 3), (4, 7))
    assert list(scores(found)) == BY_HAND


def test_kept_vectors_are_used_and_nothing_is_read_by_the_model(tokens: WorkspaceTokens) -> None:
    dog = LetterTokenEmbedder().embed_with_tokens(["dog"])[1]
    # What is kept says otherwise than the text, so that it shows which of the two was used.
    tokens.add("doc", 1, ["a"], dog)
    tokens.finish("doc", 1)
    embedder = Reading()
    assert met(tokens, embedder, leaves=LEAVES[:1]).scores(["a"]) == (0.0,)
    assert embedder.read == []


def test_leaves_that_lack_theirs_are_read_again_with_their_context_and_the_others_are_not(
    tokens: WorkspaceTokens, caplog: pytest.LogCaptureFixture
) -> None:
    keep(tokens, *LEAVES[:2])
    embedder = Reading()
    assert list(scores(met(tokens, embedder))) == BY_HAND
    assert embedder.read == [LEAVES[2].indexed_text]
    assert "cap" in embedder.read[0]
    assert "token vectors of 1 leaves are lacking" in caplog.text


def test_where_nothing_is_kept_all_are_read_to_the_same_scores(tokens: WorkspaceTokens) -> None:
    embedder = Reading()
    assert list(scores(met(tokens, embedder))) == BY_HAND
    assert embedder.read == [leaf.indexed_text for leaf in LEAVES]


@pytest.mark.parametrize("place", [0, -1])
def test_damaged_vectors_are_made_again_to_the_same_scores(
    tokens: WorkspaceTokens, folder: Path, place: int
) -> None:
    keep(tokens, *LEAVES)
    before = scores(met(tokens, LetterTokenEmbedder()))
    tokens.close()
    # The first number of the first leaf; the end, by which a file is known to be whole.
    file = folder / LetterTokenEmbedder.token_recipe / "doc-1.tokens"
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)
    embedder = Reading()
    assert scores(met(tokens, embedder)) == before
    assert LEAVES[0].indexed_text in embedder.read
    assert LEAVES[2].indexed_text not in embedder.read


def test_further_leaves_are_read_besides_and_the_known_ones_not_again(tokens: WorkspaceTokens) -> None:
    embedder = Reading()
    found = met(tokens, embedder, leaves=LEAVES[:1])
    keep(tokens, LEAVES[2])
    wide = widen(found, LEAVES, embedder=embedder, tokens=tokens)
    # None of the first document are kept; its first leaf was read for the question already.
    assert embedder.read == [LEAVES[0].indexed_text, LEAVES[1].indexed_text]
    assert list(scores(wide)) == BY_HAND
    assert found.leaves.keys() == {"a"}


def test_a_folder_that_cannot_be_read_and_a_model_that_fails_are_told(
    tokens: WorkspaceTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(LetterTokenEmbedder):
        def query_tokens(self, text):
            raise ModelCallError("out of memory")

    with pytest.raises(ModelCallError, match="out of memory"):
        met(tokens, Failing())

    def unreadable(folder: Path):
        raise PermissionError(13, "Permission denied", str(folder))

    keep(tokens, *LEAVES)
    tokens.close()
    monkeypatch.setattr(Path, "iterdir", unreadable)
    with pytest.raises(StoreError, match="Permission denied"):
        met(tokens, LetterTokenEmbedder())
