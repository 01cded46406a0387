import json

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
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


def test_a_broken_tokenizer_is_named(tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"model": "?"}))
    with pytest.raises(ModelUnfitError, match=r"tokenizer\.json.*models\.embedder\.path"):
        FolderTokenizer(file, setting="models.embedder.path").count("x")
