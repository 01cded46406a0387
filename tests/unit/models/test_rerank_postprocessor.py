from __future__ import annotations

import numpy as np
import pytest
import sentence_transformers
import torch
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from prism.errors import ModelCallError
from prism.models.rerank_postprocessor import CrossEncoderRerank
from tests.unit.models.test_rerank_windows import Words

QUESTION = "a b"
TEXTS = ("a", "c d e f", "b a", "c", "a b c d e f g h i j")


class SharedWordsEncoder:
    """Scores a pair by the words the two share. Keeps what it was given."""

    device = "cpu"
    scale = 1.0

    def __init__(self, folder: str, **options: object) -> None:
        self.options = options
        self.batches: list[list[tuple[str, str]]] = []

    def predict(
        self, pairs: list[tuple[str, str]], *, batch_size: int, show_progress_bar: bool
    ) -> np.ndarray:
        assert batch_size == len(pairs)
        self.batches.append(pairs)
        return np.array([self.scale * len({*pair[0].split()} & {*pair[1].split()}) for pair in pairs])


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sentence_transformers, "CrossEncoder", SharedWordsEncoder)

    def build(*, batch_size: int = 8, max_tokens: int = 9, top_n: int = 5) -> CrossEncoderRerank:
        return CrossEncoderRerank(
            "folder", tokens=Words(), max_tokens=max_tokens, batch_size=batch_size, top_n=top_n
        )

    return build


@pytest.mark.parametrize("batch_size", [1, 2, 8])
def test_rrk_05_each_text_has_its_own_score_although_windows_are_scored_longest_first(make, batch_size):
    reranker = make(batch_size=batch_size)
    assert reranker.scores(QUESTION, TEXTS) == (1.0, 0.0, 2.0, 0.0, 2.0)
    scored = [text for batch in reranker._model.batches for _, text in batch]
    # Room for 4 tokens beside the question: the last text is four windows, from 0, 2, 4 and 6.
    assert scored == ["c d e f", "a b c d", "c d e f", "e f g h", "g h i j", "b a", "a", "c"]
    assert max(map(len, reranker._model.batches)) <= batch_size


def test_rrk_05_nodes_that_come_back_sorted_have_their_own_scores(make):
    nodes = [NodeWithScore(node=TextNode(id_=str(n), text=text)) for n, text in enumerate(TEXTS)]
    ranked = make(top_n=3).postprocess_nodes(nodes, QueryBundle(QUESTION))
    assert [(node.node.node_id, node.score) for node in ranked] == [("2", 2.0), ("4", 2.0), ("0", 1.0)]


def test_the_activation_is_fixed_and_nothing_is_fetched_or_run(make):
    options = make()._model.options
    assert isinstance(options["activation_fn"], torch.nn.Identity)
    assert (options["local_files_only"], options["trust_remote_code"]) == (True, False)
    assert options["max_length"] == 9


def test_numbers_that_are_not_finite_are_an_error(make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(SharedWordsEncoder, "scale", float("nan"))
    with pytest.raises(ModelCallError, match="folder: the reranker gave numbers that are not finite"):
        make().scores(QUESTION, TEXTS)


def test_without_a_question_nothing_can_be_ranked(make):
    with pytest.raises(ValueError, match="needs the question"):
        make().postprocess_nodes([NodeWithScore(node=TextNode(text="a"))])


def test_no_texts_are_no_call(make):
    reranker = make()
    assert reranker.scores(QUESTION, ()) == ()
    assert reranker._model.batches == []
