"""In which language a question is: the likeliest, to answer in, and the one it tells of itself, if any."""

from __future__ import annotations

from typing import Final

import regex

from prism.text.function_words import FUNCTION_WORDS
from prism.text.languages import LANGUAGES_BY_SCRIPT, language_of
from prism.text.normalize import normalize
from prism.text.scripts import dominant_script, scripts

_LANGUAGE_OF_SCRIPT = {"Han": "zh", "Hiragana": "ja", "Katakana": "ja", "Hangul": "ko", "Thai": "th"}
_NAMES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "mr": "Marathi",
    "ne": "Nepali",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
_WORD = regex.compile(r"[\p{L}\p{M}]+")

_SHARING_A_SCRIPT = frozenset(
    language for languages in LANGUAGES_BY_SCRIPT.values() if len(languages) > 1 for language in languages
)

TELLING_WORDS: Final = 2
"""How many function words tell a language: one alone may be part of a name, as in "Los Angeles hotels"."""


def question_language(text: str) -> str:
    """ISO 639-1 code of the question's language; English when nothing tells."""
    if scripts(text) & {"Hiragana", "Katakana"}:
        return "ja"
    script = dominant_script(text)
    if script is None:
        return "en"
    if script in _LANGUAGE_OF_SCRIPT:
        return _LANGUAGE_OF_SCRIPT[script]
    return language_of(_words(text), script) or "en"


def told_language(text: str) -> str | None:
    """ISO 639-1 code of the language a question is surely in; None where nothing tells.

    A script that is one language's tells it, and so do function words. Names and search terms alone tell
    nothing: "Thomas Müntzer" may be asked in any language.
    """
    language = question_language(text)
    if language not in _SHARING_A_SCRIPT:
        return language
    found = FUNCTION_WORDS[language].intersection(_words(text))
    return language if len(found) >= TELLING_WORDS else None


def language_name(code: str) -> str:
    """The English name of a language, as a prompt says it; the question's language when unknown."""
    return _NAMES.get(code, "the language of the question")


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(normalize(text))]
