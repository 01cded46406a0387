"""In which language to answer a question."""

from __future__ import annotations

import regex

from prism.text.languages import language_of
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


def question_language(text: str) -> str:
    """ISO 639-1 code of the question's language; English when nothing tells."""
    if scripts(text) & {"Hiragana", "Katakana"}:
        return "ja"
    script = dominant_script(text)
    if script is None:
        return "en"
    if script in _LANGUAGE_OF_SCRIPT:
        return _LANGUAGE_OF_SCRIPT[script]
    words = [word.casefold() for word in _WORD.findall(text)]
    return language_of(words, script) or "en"


def language_name(code: str) -> str:
    """The English name of a language, as a prompt says it; the question's language when unknown."""
    return _NAMES.get(code, "the language of the question")
