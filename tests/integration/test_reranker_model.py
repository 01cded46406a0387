"""The real classes over a tiny cross-encoder, made and trained on the spot."""

import json
import shutil
import threading

import pytest
import torch
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from transformers import AutoTokenizer, BertForSequenceClassification

from prism.errors import ModelUnfitError
from prism.models.embedder import load_embedder
from prism.models.rerank_selftest import PASSAGES, QUESTIONS
from prism.models.reranker import FolderReranker, load_reranker
from prism.settings import EmbedderSettings, RerankerSettings
from tests.tiny_cross_encoder import POSITIONS, save, talk, tiny_tokenizer, untrained_model

STRONG = [f"{PASSAGES[0]} {talk(4, seed=number)}" for number in range(5)]
"""Five texts that answer the first question."""


@pytest.fixture
def untrained(tmp_path):
    tokenizer = tiny_tokenizer()
    return save(untrained_model(tokenizer), tokenizer, tmp_path / "untrained")


@pytest.fixture(scope="module")
def trained(tiny_reranker):
    return tiny_reranker


def load(path, **values) -> FolderReranker:
    return load_reranker(RerankerSettings(model=str(path), **values))


def test_a_trained_reranker_passes_the_self_test_and_ranks(trained):
    reranker = load(trained)
    scores = reranker.score(QUESTIONS[1], PASSAGES)
    assert reranker.notices == ()
    assert max(range(5), key=scores.__getitem__) == 1


def test_rrk_01_an_answer_in_the_last_100_of_2000_tokens_ranks_first_among_ten_distractors(trained):
    reranker = load(trained)
    tokenizer = AutoTokenizer.from_pretrained(trained, local_files_only=True)
    long = f"{talk(1965)} {PASSAGES[3]} {talk(20)}"
    place = len(tokenizer.tokenize(long[: long.index(PASSAGES[3])]))
    assert len(tokenizer.tokenize(long)) >= 2000
    assert len(tokenizer.tokenize(long)) - place <= 100
    distractors = [f"{talk(100, seed=number)} {PASSAGES[number % 3]}" for number in range(10)]
    scores = reranker.score(QUESTIONS[3], [*distractors, long])
    assert max(range(11), key=scores.__getitem__) == 10
    # What reads the beginning alone, as the plain class does, finds no answer.
    first, alone = reranker.score(QUESTIONS[3], [long[:place], PASSAGES[3]])
    assert first < 0 < alone
    assert scores[10] == pytest.approx(alone, abs=1.0)


def test_rrk_04_scores_are_raw_logits_and_distinct_whatever_activation_the_folder_asks_for(trained, tmp_path):
    folder = shutil.copytree(trained, tmp_path / "sigmoid")
    config = json.loads((folder / "config.json").read_text())
    config["sentence_transformers"] = {"activation_fn": "torch.nn.modules.activation.Sigmoid"}
    (folder / "config.json").write_text(json.dumps(config))
    assert load(folder).score(QUESTIONS[0], STRONG) == load(trained).score(QUESTIONS[0], STRONG)


def test_rrk_04_strong_matches_have_distinct_scores_that_are_the_networks(trained):
    scores = load(trained).score(QUESTIONS[0], STRONG)
    assert len(set(scores)) == 5
    assert min(scores) > 1, "a sigmoid would give at most 1"
    assert sorted(scores, reverse=True) != list(scores), "the order says more than that of the input"
    model = BertForSequenceClassification.from_pretrained(trained, local_files_only=True).eval()
    pair = AutoTokenizer.from_pretrained(trained, local_files_only=True)(
        QUESTIONS[0], STRONG[3], return_tensors="pt"
    )
    with torch.no_grad():
        assert scores[3] == pytest.approx(model(**pair).logits.item(), abs=1e-4)


def test_rrk_05_each_text_gets_its_own_score_whatever_the_order_and_batch(trained):
    texts = ["short", PASSAGES[0], f"{talk(150)} {PASSAGES[0]}", PASSAGES[1], "", "a b c d e f"]
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
    assert reranker.max_tokens == min(max_tokens, POSITIONS)
    long = talk(2000)
    assert len(reranker.score("short", [long, "x"])) == 2
    assert len(reranker.score(long, [long, "x", ""])) == 3


def test_rrk_02_a_pair_of_614_tokens_is_read_to_its_end(trained):
    text = f"{talk(590)} {PASSAGES[0]}"
    assert len(tiny_tokenizer()(QUESTIONS[0], text)["input_ids"]) >= 614
    right, wrong = (load(trained).score(question, [text])[0] for question in QUESTIONS[:2])
    assert right > 0 > wrong


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


def test_rrk_07_all_zero_scores_are_unfit(tmp_path):
    tokenizer = tiny_tokenizer()
    model = untrained_model(tokenizer)
    torch.nn.init.zeros_(model.classifier.weight)
    path = save(model, tokenizer, tmp_path / "dead")
    with pytest.raises(ModelUnfitError, match=r"dead gives every passage the same score.*models\.reranker"):
        load(path).score("a", ["b"])


def test_rrk_07_scores_that_are_not_finite_are_unfit(tmp_path):
    tokenizer = tiny_tokenizer()
    model = untrained_model(tokenizer)
    torch.nn.init.constant_(model.classifier.bias, float("inf"))
    path = save(model, tokenizer, tmp_path / "broken")
    with pytest.raises(ModelUnfitError, match=r"broken failed its self-test .*not finite.*models\.reranker"):
        load(path).warm_up()


def test_rrk_04_a_model_that_saturates_by_itself_is_told_in_a_notice(trained, tmp_path):
    model = BertForSequenceClassification.from_pretrained(trained, local_files_only=True)
    # So steep that tanh, the pooler's own activation, gives the same 1 or -1 for all that is clear.
    model.bert.pooler.dense.weight.data *= 1e4
    model.bert.pooler.dense.bias.data *= 1e4
    path = save(model, tiny_tokenizer(), tmp_path / "steep")
    reranker = load(path)
    reranker.warm_up()
    assert [notice.code for notice in reranker.notices] == ["reranker_saturated"]


def test_rrk_07_the_packaged_bi_encoder_given_as_reranker_is_refused():
    folder = load_embedder(EmbedderSettings()).folder
    with pytest.raises(ModelUnfitError, match=r"models\.reranker\.model"):
        load(folder)


def test_a_trained_cross_encoder_given_as_embedder_is_refused(trained):
    with pytest.raises(ModelUnfitError, match=r"models\.embedder\.path"):
        load_embedder(EmbedderSettings(path=trained))
