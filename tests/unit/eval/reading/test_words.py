from __future__ import annotations

from eval.reading.words import reference_words, words_of


def test_words_are_lower_case_and_compatible_forms_are_one() -> None:
    assert words_of("The ﬁrst ＡＢＣ, x²!") == ["the", "first", "abc", "x2"]


def test_vowel_signs_stay_with_their_letters() -> None:
    assert words_of("मनुष्यों को") == ["मनुष्यों", "को"]


def test_scripts_without_spaces_count_by_character() -> None:
    assert words_of("计算机 ok") == ["计", "算", "机", "ok"]


def test_marks_of_markdown_are_no_words() -> None:
    markdown = "# Title\n\n| a | b |\n| - | :-: |\n| **1** | *two* |\n\n- [ ] ~~x~~\n"
    assert reference_words(markdown) == ["title", "a", "b", "1", "two", "x"]


def test_images_and_link_targets_are_left_out_and_link_texts_are_kept() -> None:
    markdown = "<!-- image -->\n![alt words](pic.png) see [1 Etymology](http://x.org/a_(b)#Etymology) end"
    assert reference_words(markdown) == ["see", "1", "etymology", "end"]


def test_the_language_of_a_code_block_is_no_word_and_the_code_is() -> None:
    assert reference_words("```python\nprint(a)\n```\n") == ["print", "a"]


def test_escapes_and_entities_are_undone() -> None:
    assert reference_words(r"max\_pages R&amp;D") == ["max_pages", "r", "d"]
