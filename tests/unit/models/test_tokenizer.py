import json

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE, Unigram, WordLevel
from tokenizers.pre_tokenizers import Whitespace

from prism.errors import ModelUnfitError
from prism.models.tokenizer import FolderTokenizer

UNKNOWN = "[UNK]"


@pytest.fixture
def tokenizer(tmp_path):
    file = tmp_path / "tokenizer.json"
    made = Tokenizer(WordLevel({UNKNOWN: 0, "red": 1, "fox": 2}, unk_token=UNKNOWN))
    made.pre_tokenizer = Whitespace()
    made.enable_truncation(2)
    made.enable_padding(length=8, pad_token=UNKNOWN, pad_id=0)
    made.save(str(file))
    return FolderTokenizer(file, setting="models.embedder.path")


def test_counts_are_true_beyond_the_files_own_truncation_and_padding(tokenizer):
    assert tokenizer.count("red fox red") == 3
    assert tokenizer.count("red") == 1
    assert tokenizer.count("") == 0


def test_offsets_are_characters(tokenizer):
    assert tokenizer.offsets("é red 狐") == [(0, 1), (2, 5), (6, 7)]


def test_tokens_are_the_vocabularys(tokenizer):
    assert tokenizer.tokens("red cat") == ["red", UNKNOWN]


@pytest.mark.parametrize(
    ("text", "share"), [("red fox", 0.0), ("red cat", 0.5), ("cat 狐", 1.0), ("", 0.0), (UNKNOWN, 1.0)]
)
def test_the_share_of_unknown_tokens(tokenizer, text, share):
    assert tokenizer.unknown_share(text) == share


@pytest.mark.parametrize(
    ("model", "share"),
    [
        (Unigram([("<unk>", 0.0), ("red", -1.0)], unk_id=0), 0.5),
        (BPE({"<u>": 0, "r": 1, "e": 2, "d": 3, "re": 4, "red": 5}, [("r", "e"), ("re", "d")]), 0.0),
    ],
    ids=["a name of its kind", "no unknown token"],
)
def test_models_that_name_no_unknown_token(tmp_path, model, share):
    made = Tokenizer(model)
    made.pre_tokenizer = Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    read = FolderTokenizer(tmp_path / "tokenizer.json", setting="models.embedder.path")
    assert read.unknown_share("red 狐") == share


def test_a_broken_tokenizer_is_named(tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"model": "?"}))
    with pytest.raises(ModelUnfitError, match=r"tokenizer\.json.*models\.embedder\.path"):
        FolderTokenizer(file, setting="models.embedder.path").count("x")
