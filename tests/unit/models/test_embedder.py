import json
import subprocess
import sys
import time

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from prism.errors import ModelMissingError, ModelUnfitError, SettingsError
from prism.models.embedder import load_embedder
from prism.settings import EmbedderSettings

EMPTY_WEIGHTS = (2).to_bytes(8, "little") + b"{}"


def write_folder(path, **config):
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config))
    (path / "tokenizer.json").write_text("{}")
    (path / "model.safetensors").write_bytes(EMPTY_WEIGHTS)
    return path


def write_words(path, words):
    """A tokenizer that knows these words, cut at blanks."""
    vocabulary = {word: place for place, word in enumerate(dict.fromkeys(["[UNK]", *words]))}
    made = Tokenizer(WordLevel(vocabulary, "[UNK]"))
    made.pre_tokenizer = WhitespaceSplit()
    made.save(str(path / "tokenizer.json"))


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


def test_a_script_of_an_unknown_name_is_refused_with_those_there_are(tmp_path):
    path = write_folder(tmp_path / "m", architectures=["BertModel"])
    assert load_embedder(EmbedderSettings(path=path, scripts=("Latin", "Han")))
    with pytest.raises(SettingsError, match=r"embedder\.scripts: Klingon, latin is none of Latin, Dev"):
        load_embedder(EmbedderSettings(path=path, scripts=("Klingon", "Han", "latin")))


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
    write_words(path, text.split())
    assert load_embedder(EmbedderSettings(path=path)).can_read(text) is readable


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("visa cost", True),
        ("visa xyzzy", True),
        ("visa xyzzy plugh", False),
        ("x" * 150, False),
        ("ｖｉｓａ ｃｏｓｔ", True),
        ("𝐯𝐢𝐬𝐚 𝐜𝐨𝐬𝐭", True),
        ("ｘｙｚｚｙ", False),
    ],
)
def test_a_text_of_unknown_words_is_not_readable(tmp_path, text, readable):
    path = write_folder(tmp_path / "m", architectures=["BertModel"])
    write_words(path, ["visa", "cost"])
    assert load_embedder(EmbedderSettings(path=path)).can_read(text) is readable


def test_a_question_is_put_in_plain_letters_only_where_more_of_it_is_known_so(tmp_path):
    path = write_folder(tmp_path / "m", architectures=["BertModel"])
    write_words(path, ["visa", "cost", "10", "m²", "m2"])
    embedder = load_embedder(EmbedderSettings(path=path))
    assert embedder._as_put("ｖｉｓａ ｃｏｓｔ") == "visa cost"
    assert embedder._as_put("10 m²") == "10 m²"


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
