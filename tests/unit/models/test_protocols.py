import numpy as np

from prism.models.embedder import FolderEmbedder
from prism.models.protocols import Embedder, Reranker, TokenEmbedder, token_embedder
from prism.models.reranker import FolderReranker
from tests.fakes import LetterEmbedder, LetterTokenEmbedder, SharedWordsReranker


def test_the_fakes_and_the_real_classes_have_every_member_of_the_protocols():
    for protocol, classes in (
        (Embedder, (FolderEmbedder, LetterEmbedder)),
        (TokenEmbedder, (FolderEmbedder, LetterTokenEmbedder)),
        (Reranker, (FolderReranker,)),
    ):
        members = {name for name in vars(protocol) if not name.startswith("_")}
        for implementation in classes:
            assert members <= set(dir(implementation)), implementation


def test_the_fake_embedder_counts_letters():
    vectors = LetterEmbedder().embed(["aab", "1"])
    assert np.allclose(vectors[0, :3], [2 / 5**0.5, 1 / 5**0.5, 0])
    assert vectors[1, 0] == 1.0


def test_an_embedder_without_token_vectors_is_known_for_one():
    able = LetterTokenEmbedder()
    assert token_embedder(able) is able
    assert token_embedder(LetterEmbedder()) is None


def test_asking_whether_there_are_token_vectors_asks_for_no_property():
    class Loading(LetterTokenEmbedder):
        @property
        def token_recipe(self):
            raise AssertionError("the model would be loaded")

        dimension = token_recipe

    assert token_embedder(Loading()) is not None


def test_the_fake_token_embedder_counts_the_letters_of_each_word():
    _, (tokens,) = LetterTokenEmbedder().embed_with_tokens(["aab b"])
    assert tokens[:, :3].tolist() == [[2, 1, 0], [0, 1, 0]]
    assert np.allclose(LetterTokenEmbedder().query_tokens("ab 1").vectors[:, :2], [[0.5**0.5] * 2, [0, 0]])


def test_the_fake_reranker_counts_shared_words():
    assert SharedWordsReranker().score("the red fox", ["a red fox", "blue"]) == (2.0, 0.0)
