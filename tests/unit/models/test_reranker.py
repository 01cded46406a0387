import json

import pytest

from prism.errors import ModelMissingError, ModelUnfitError
from prism.models.reranker import load_reranker
from prism.settings import RerankerSettings


def write_folder(path, **config):
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text("{}")
    (path / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    return path


def cross_encoder(path) -> RerankerSettings:
    return RerankerSettings(model=str(path))


def test_a_cross_encoder_without_a_model_is_named():
    with pytest.raises(ModelMissingError, match=r"models\.reranker\.model is empty"):
        load_reranker(RerankerSettings())


def test_rrk_07_a_bi_encoder_given_as_reranker_is_named_with_the_fix(tmp_path):
    path = write_folder(tmp_path / "bi", architectures=["BertModel"])
    with pytest.raises(ModelUnfitError) as raised:
        load_reranker(cross_encoder(path))
    message = str(raised.value)
    assert str(path) in message
    assert "models.reranker.model" in message
    assert "models.embedder.path" in message


def test_a_classifier_into_several_labels_is_unfit(tmp_path):
    labels = {"0": "contradiction", "1": "entailment", "2": "neutral"}
    path = write_folder(tmp_path / "nli", architectures=["BertForSequenceClassification"], id2label=labels)
    with pytest.raises(ModelUnfitError, match="3 labels"):
        load_reranker(cross_encoder(path))


def test_dep_08_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ModelMissingError, match=r"nowhere does not exist.*models\.reranker\.model"):
        load_reranker(cross_encoder(tmp_path / "nowhere"))


def test_limits_follow_setting_and_model(tmp_path):
    path = write_folder(
        tmp_path / "ce",
        architectures=["BertForSequenceClassification"],
        id2label={"0": "LABEL_0"},
        max_position_embeddings=64,
    )
    reranker = load_reranker(cross_encoder(path))
    assert reranker.max_tokens == 64
    assert reranker.name.startswith("ce@")
    assert reranker.notices == ()
