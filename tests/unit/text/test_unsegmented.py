from __future__ import annotations

from prism.text.unsegmented import UNSEGMENTED, is_unsegmented_function_text, ngrams


def test_han_gives_pairs_and_single_characters() -> None:
    assert ngrams("年假") == ("年假", "年", "假")
    assert ngrams("假") == ("假",)


def test_kana_gives_pairs_and_a_lone_one_itself() -> None:
    assert ngrams("カード") == ("カー", "ード")


def test_particles_and_question_words_join_nothing() -> None:
    assert ngrams("年假的天数是多少") == ("年假", "年", "假", "天数", "天", "数是", "数")
    assert ngrams("会社の休暇") == ("会社", "会", "社", "休暇", "休", "暇")
    assert ngrams("什么是的") == ()
    assert is_unsegmented_function_text("什么是的")
    assert not is_unsegmented_function_text("年假")


def test_a_word_that_holds_a_particle_stays_whole() -> None:
    assert "目的" in ngrams("项目目的")


def test_thai_clusters_keep_marks_and_surrounding_vowels() -> None:
    assert ngrams("เก้า") == ("เก้า",)
    assert ngrams("เก้าวัน") == ("เก้าวั", "เก้าวัน", "วัน")
    assert ngrams("พักร้อน") == ("พัก", "พักร้", "กร้", "กร้อ", "ร้อ", "ร้อน", "อน")


def test_currency_digits_and_punctuation_end_a_run() -> None:
    assert [found.group() for found in UNSEGMENTED.finditer("年假、5天 ฿10 วัน")] == ["年假", "天", "วัน"]
