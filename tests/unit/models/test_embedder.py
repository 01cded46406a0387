import json
import subprocess
import sys
import time

import pytest

from prism.errors import ModelMissingError, ModelUnfitError
from prism.models.embedder import load_embedder
from prism.settings import EmbedderSettings

EMPTY_WEIGHTS = (2).to_bytes(8, "little") + b"{}"


def write_folder(path, **config):
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text("{}")
    (path / "model.safetensors").write_bytes(EMPTY_WEIGHTS)
    return path


def test_dep_08_a_missing_folder_is_named_within_five_seconds(tmp_path):
    begun = time.monotonic()
    with pytest.raises(ModelMissingError) as raised:
        load_embedder(EmbedderSettings(path=tmp_path / "nowhere"))
    assert time.monotonic() - begun < 5
    assert str(tmp_path / "nowhere") in str(raised.value)
    assert "models.embedder.path" in str(raised.value)


def test_a_cross_encoder_given_as_embedder_is_named_with_the_fix(tmp_path):
    path = write_folder(tmp_path / "ce", architectures=["BertForSequenceClassification"])
    with pytest.raises(ModelUnfitError) as raised:
        load_embedder(EmbedderSettings(path=path))
    assert str(path) in str(raised.value)
    assert "models.reranker.model" in str(raised.value)


def test_a_language_model_given_as_embedder_is_unfit(tmp_path):
    path = write_folder(tmp_path / "lm", architectures=["LlamaForCausalLM"])
    with pytest.raises(ModelUnfitError, match="LlamaForCausalLM"):
        load_embedder(EmbedderSettings(path=path))


def test_a_text_longer_than_the_model_takes_is_limited_by_the_model(tmp_path):
    path = write_folder(tmp_path / "m", architectures=["BertModel"], max_position_embeddings=128)
    assert load_embedder(EmbedderSettings(path=path, max_tokens=4096)).max_tokens == 128
    assert load_embedder(EmbedderSettings(path=path, max_tokens=64)).max_tokens == 64


def test_the_name_is_the_folders_and_the_contents(tmp_path):
    path = write_folder(tmp_path / "my-model", architectures=["BertModel"])
    name = load_embedder(EmbedderSettings(path=path)).name
    assert name.startswith("my-model@")
    (path / "tokenizer.json").write_text('{"a": 1}')
    assert load_embedder(EmbedderSettings(path=path)).name != name


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("What is the limit?", True),
        ("सीमा क्या है?", False),
        ("年假多少天", False),
        ("0x80070005 4.2.1", True),
        ("", True),
        ("What does the word सीमा mean?", True),
    ],
)
def test_a_text_is_readable_when_most_of_its_letters_are(tmp_path, text, readable):
    path = write_folder(tmp_path / "m", architectures=["BertModel"])
    assert load_embedder(EmbedderSettings(path=path)).can_read(text) is readable


def test_making_an_embedder_imports_no_torch(tmp_path):
    path = write_folder(tmp_path / "m", architectures=["BertModel"])
    code = (
        "import sys; from pathlib import Path; from prism.models.embedder import load_embedder; "
        "from prism.models.reranker import load_reranker; from prism.models.choose import choose_answerer; "
        "from prism.settings import EmbedderSettings; "
        f"load_embedder(EmbedderSettings(path=Path({str(path)!r}))).name; "
        "sys.exit(bool({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603
