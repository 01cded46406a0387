import numpy as np

from prism.models.embedder import FolderEmbedder
from prism.models.protocols import Embedder, Reranker
from prism.models.reranker import FolderReranker
from tests.fakes import LetterEmbedder, SharedWordsReranker


def test_the_fakes_and_the_real_classes_have_every_member_of_the_protocols():
    for protocol, classes in ((Embedder, (FolderEmbedder, LetterEmbedder)), (Reranker, (FolderReranker,))):
        members = {name for name in vars(protocol) if not name.startswith("_")}
        for implementation in classes:
            assert members <= set(dir(implementation)), implementation


def test_the_fake_embedder_counts_letters():
    vectors = LetterEmbedder().embed(["aab", "1"])
    assert np.allclose(vectors[0, :3], [2 / 5**0.5, 1 / 5**0.5, 0])
    assert vectors[1, 0] == 1.0


def test_the_fake_reranker_counts_shared_words():
    assert SharedWordsReranker().score("the red fox", ["a red fox", "blue"]) == (2.0, 0.0)
