from __future__ import annotations

from prism.text.function_words import FUNCTION_WORDS
from prism.text.languages import LANGUAGES_BY_SCRIPT
from prism.text.normalize import normalize


def test_every_language_told_apart_has_function_words_and_the_reverse() -> None:
    told_apart = {language for languages in LANGUAGES_BY_SCRIPT.values() for language in languages}
    assert told_apart == set(FUNCTION_WORDS)


def test_words_are_normalized_lower_case_and_have_no_digit() -> None:
    for language, words in FUNCTION_WORDS.items():
        for word in words:
            assert word == normalize(word).lower(), (language, word)
            assert not any(character.isdigit() for character in word)
