"""Sizes in the embedder's tokens where it reads the text, in short pieces where it does not."""

from __future__ import annotations

from prism.ingest.size import size_tokens
from tests.fakes import LetterEmbedder


class EnglishOnly(LetterEmbedder):
    """Cuts into single characters, as an English model does with what it cannot read."""

    def tokenize(self, text: str) -> list[str]:
        return list(text)

    def can_read(self, text: str) -> bool:
        return text.isascii()


def test_readable_text_is_measured_by_the_embedder():
    assert len(size_tokens("cap is 20", EnglishOnly())) == 9


def test_unreadable_words_are_measured_in_pieces_of_five_letters_marks_included():
    # सीमा has 4 code points: 1 piece; पुनर्भुगतान has 11: 3 pieces; the danda is 1.
    assert len(size_tokens("सीमा पुनर्भुगतान।", EnglishOnly())) == 1 + 3 + 1


def test_each_han_character_is_one_and_kana_too():
    assert len(size_tokens("年假のルール", EnglishOnly())) == 6


def test_digits_count_in_threes():
    assert len(size_tokens("१२३४", EnglishOnly())) == 2


def test_unreadable_blanks_have_no_size():
    assert size_tokens("\u00a0\u3000", EnglishOnly()) == []
