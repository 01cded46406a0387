from __future__ import annotations

import pytest

from prism.text.unsegmented import UNSEGMENTED, ngrams


def asked(run: str) -> tuple[str, ...]:
    return ngrams(run, as_typed=True)


def stored(run: str) -> tuple[str, ...]:
    return ngrams(run, as_typed=False)


def test_han_gives_pairs_and_single_characters() -> None:
    assert asked("年假") == stored("年假") == ("年假", "年", "假")
    assert asked("假") == ("假",)


def test_kana_gives_pairs_and_a_lone_one_itself() -> None:
    assert stored("カード") == ("カー", "ード")


def test_particles_join_nothing() -> None:
    assert stored("会社の休暇") == ("会社", "会", "社", "休暇", "休", "暇")


def test_question_words_are_cut_from_a_question() -> None:
    assert asked("年假的天数多少") == ("年假", "年", "假", "天数", "天", "数")


@pytest.mark.parametrize("run", ["什么是的", "これは何ですか", "คืออะไร"])
def test_ret_03_a_question_of_nothing_else_has_no_token(run: str) -> None:
    assert asked(run) == ()


@pytest.mark.parametrize("word", ["どうろ", "เกี่ยวกับ", "ว่าง", "กี่เพ้า", "如何", "目的"])
def test_a_word_that_holds_the_letters_of_a_question_word_is_found_in_a_passage(word: str) -> None:
    before, after = ("ห้อง", "อยู่") if "\u0e00" <= word[0] <= "\u0e7f" else ("本", "本")
    if word != "如何":
        assert asked(word)
    assert set(asked(word)) <= set(stored(before + word + after))


def test_thai_clusters_keep_marks_and_surrounding_vowels() -> None:
    assert asked("เก้า") == ("เก้า",)
    assert asked("เก้าวัน") == ("เก้าวั", "เก้าวัน", "วัน")
    assert stored("เก้าวัน") == ("เก้า", "เก้าวั", "เก้าวัน", "วั", "วัน", "น")


def test_currency_digits_and_punctuation_end_a_run() -> None:
    assert [found.group() for found in UNSEGMENTED.finditer("年假、5天 ฿10 วัน")] == ["年假", "天", "วัน"]
