"""A tiny cross-encoder, made and trained on the fly: two layers of 32, a few hundred steps."""

import threading

import pytest
import torch
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from prism.errors import ModelUnfitError
from prism.models.embedder import load_embedder
from prism.models.rerank_selftest import PASSAGES, QUESTIONS
from prism.models.reranker import FolderReranker, load_reranker
from prism.settings import EmbedderSettings, RerankerSettings


def make_model(vocabulary: int) -> BertForSequenceClassification:
    torch.manual_seed(7)
    return BertForSequenceClassification(
        BertConfig(
            vocab_size=vocabulary,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=128,
            num_labels=1,
        )
    )


def save(model: BertForSequenceClassification, tokenizer, path):
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """So small a network spends its time waiting for its threads when the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tokenizer():
    folder = load_embedder(EmbedderSettings()).folder
    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


@pytest.fixture(scope="module")
def untrained(tokenizer, tmp_path_factory):
    return save(make_model(len(tokenizer)), tokenizer, tmp_path_factory.mktemp("models") / "untrained")


@pytest.fixture(scope="module")
def trained(tokenizer, tmp_path_factory):
    model = make_model(len(tokenizer))
    pairs = [(question, passage) for question in QUESTIONS for passage in PASSAGES]
    wanted = torch.eye(len(QUESTIONS)).reshape(-1, 1)
    batch = tokenizer(
        [question for question, _ in pairs],
        [passage for _, passage in pairs],
        padding=True,
        truncation=True,
        max_length=64,
        return_tensors="pt",
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    weight = torch.tensor([4.0])
    model.eval()  # no dropout: 25 pairs are to be learned by heart
    for _ in range(400):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            model(**batch).logits, wanted, pos_weight=weight
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < 0.2:
            break
    return save(model, tokenizer, tmp_path_factory.mktemp("models") / "trained")


def load(path, **values) -> FolderReranker:
    return load_reranker(RerankerSettings(model=str(path), **values))


def test_a_trained_reranker_passes_the_self_test_and_ranks(trained):
    reranker = load(trained)
    scores = reranker.score(QUESTIONS[1], PASSAGES)
    assert reranker.notices == ()
    assert max(range(5), key=scores.__getitem__) == 1


def test_rrk_04_scores_are_raw_logits_and_distinct(trained):
    scores = load(trained).score(QUESTIONS[0], [f"{PASSAGES[0]} Rule {number}." for number in range(5)])
    assert len(set(scores)) == 5
    model = BertForSequenceClassification.from_pretrained(trained, local_files_only=True).eval()
    pair = AutoTokenizer.from_pretrained(trained, local_files_only=True)(
        QUESTIONS[0], f"{PASSAGES[0]} Rule 3.", return_tensors="pt"
    )
    with torch.no_grad():
        assert scores[3] == pytest.approx(model(**pair).logits.item(), abs=1e-4)


def test_rrk_05_each_text_gets_its_own_score_whatever_the_order_and_batch(trained):
    texts = ["short", PASSAGES[0], PASSAGES[0] + " " + PASSAGES[1], "", "a b c d e f"]
    alone = [load(trained).score(QUESTIONS[0], [text])[0] for text in texts]
    for batch_size in (1, 2, 8):
        together = load(trained, batch_size=batch_size).score(QUESTIONS[0], texts)
        assert together == pytest.approx(alone, abs=1e-4)


def test_rrk_05_each_node_keeps_its_own_score_and_the_input_is_not_changed(trained):
    reranker = load(trained)
    nodes = [
        NodeWithScore(node=TextNode(id_=str(n), text=text), score=0.5) for n, text in enumerate(PASSAGES)
    ]
    postprocessor = reranker.as_postprocessor(top_n=3)
    assert isinstance(postprocessor, BaseNodePostprocessor)
    ranked = postprocessor.postprocess_nodes(nodes, QueryBundle(QUESTIONS[2]))
    expected = dict(zip("01234", reranker.score(QUESTIONS[2], PASSAGES), strict=True))
    assert [node.node.node_id for node in ranked] == sorted(expected, key=expected.__getitem__)[::-1][:3]
    assert all(node.score == pytest.approx(expected[node.node.node_id], abs=1e-4) for node in ranked)
    assert [node.score for node in nodes] == [0.5] * 5
    assert all(node.node.metadata == {} for node in nodes)


@pytest.mark.parametrize("max_tokens", [32, 256])
def test_rrk_02_over_long_texts_and_questions_do_not_crash(trained, max_tokens):
    reranker = load(trained, max_tokens=max_tokens)
    assert reranker.max_tokens == min(max_tokens, 128)
    long = "word " * 2000
    assert len(reranker.score("short", [long, "x"])) == 2
    assert len(reranker.score(long, [long, "x", ""])) == 3


def test_no_texts_give_no_scores(trained):
    assert load(trained).score("x", []) == ()


def test_many_threads_get_the_same_scores(trained):
    reranker = load(trained)
    expected = reranker.score(QUESTIONS[0], PASSAGES)
    results: list[tuple[float, ...]] = []
    threads = [
        threading.Thread(target=lambda: results.append(reranker.score(QUESTIONS[0], PASSAGES)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == pytest.approx(expected, abs=1e-4) for result in results)


def test_rrk_07_an_untrained_head_is_told_in_a_notice(untrained):
    reranker = load(untrained)
    reranker.warm_up()
    assert [notice.code for notice in reranker.notices] == ["reranker_doubtful"]
    assert str(untrained) in reranker.notices[0].message


def test_rrk_07_all_zero_scores_are_unfit(untrained, tokenizer, tmp_path):
    model = make_model(len(tokenizer))
    torch.nn.init.zeros_(model.classifier.weight)
    path = save(model, tokenizer, tmp_path / "dead")
    with pytest.raises(ModelUnfitError, match=r"dead gives every passage the same score.*models\.reranker"):
        load(path).score("a", ["b"])


def test_rrk_07_the_packaged_bi_encoder_given_as_reranker_is_refused():
    folder = load_embedder(EmbedderSettings()).folder
    with pytest.raises(ModelUnfitError, match=r"models\.reranker\.model"):
        load(folder)


def test_a_trained_cross_encoder_given_as_embedder_is_refused(trained):
    with pytest.raises(ModelUnfitError, match=r"models\.embedder\.path"):
        load_embedder(EmbedderSettings(path=trained))
