import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from prism.errors import ModelUnfitError
from prism.models.token_rows import RowTokenizer

WORDS = ("[UNK]", "[CLS]", "[SEP]", "passage", ":", "fee", "is", "due", ".")


class SourceText:
    """As transformers has it: [CLS] words and signs [SEP]."""

    name_or_path = "words"

    def __init__(self, truncation_side="right"):
        self.truncation_side = truncation_side
        self.backend_tokenizer = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, "[UNK]"))
        self.backend_tokenizer.pre_tokenizer = Whitespace()
        self.backend_tokenizer.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
        self.backend_tokenizer.enable_padding(length=32)


def spelt(text, rows):
    return [text[start:end] for start, end in rows.spans]


def test_what_the_model_adds_has_no_row_while_signs_and_unknown_words_have():
    rows = RowTokenizer(SourceText(), 16).rows("fee is 年 .")
    assert rows.length == 6
    assert rows.positions.tolist() == [1, 2, 3, 4]
    assert rows.spans == ((0, 3), (4, 6), (7, 8), (9, 10))


def test_the_models_own_prompt_has_no_row_and_spans_count_from_the_text():
    text = "fee is due"
    rows = RowTokenizer(SourceText(), 16).rows(text, "passage: ")
    assert rows.length == 7
    assert rows.positions.tolist() == [3, 4, 5]
    assert spelt(text, rows) == ["fee", "is", "due"]


def test_a_token_that_begins_in_the_prompt_and_ends_in_the_text_is_the_texts():
    rows = RowTokenizer(SourceText(), 16).rows("age fee", "pass")
    assert rows.spans == ((0, 3), (4, 7))


def test_a_text_longer_than_the_model_reads_is_cut_as_the_model_cuts_it():
    text = "fee is due . fee"
    assert spelt(text, RowTokenizer(SourceText(), 5).rows(text)) == ["fee", "is", "due"]
    assert spelt(text, RowTokenizer(SourceText("left"), 5).rows(text)) == ["due", ".", "fee"]


def test_an_empty_text_has_no_rows():
    rows = RowTokenizer(SourceText(), 16).rows("")
    assert (rows.length, rows.positions.dtype, rows.spans) == (2, np.intp, ())


def test_the_loaded_tokenizer_stays_as_it_was():
    loaded = SourceText()
    RowTokenizer(loaded, 5)
    assert loaded.backend_tokenizer.truncation is None
    assert loaded.backend_tokenizer.padding["length"] == 32


def test_a_tokenizer_that_tells_no_places_is_refused():
    class Slow:
        name_or_path = "old-model"

    with pytest.raises(ModelUnfitError, match=r"old-model.*Slow.*rerank\.kind"):
        RowTokenizer(Slow(), 5)
