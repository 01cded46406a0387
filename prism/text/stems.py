"""A word reduced to what its inflections share, by language.

Snowball stemmers where there is one for the language; for Arabic the light10 stemmer (Larkey, Ballesteros
& Connell 2002), which keeps singular and feminine plural together where Snowball parts them; for Korean
the particle is cut. After stemming, accents that people leave out when typing are folded. Vietnamese keeps
its marks, since there they tell words apart.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import regex
import Stemmer

_SNOWBALL = {
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}

_MISSING_ACCENT = {
    "es": (("cion", "ción"), ("sion", "sión"), ("logia", "logía"), ("gion", "gión")),
    "pt": (("cao", "ção"), ("coes", "ções"), ("sao", "são")),
}
"""Endings often typed without their accent, without which the stemmer would not know them."""

_LETTERS_TO_FOLD = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe"})
_LATIN_MARK = regex.compile(r"(?<=\p{Latin}\p{M}*)\p{M}")
_STRESS = regex.compile(r"(?<=\p{Cyrillic})[\u0300\u0301]")
_GREEK_MARK = regex.compile(r"(?<=\p{Greek}\p{M}*)\p{M}")
_SEMITIC_POINT = regex.compile(
    r"[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670\u0640\u06D6-\u06ED]"
)
_ARABIC_ALIKE = str.maketrans("أإآٱیىک", "اااايي" + "ك")
_NASAL_BEFORE_ITS_STOP = regex.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
_NUKTA_OR_MOON = str.maketrans({"\u093c": None, "\u0901": "\u0902"})

_AL_PREFIX = regex.compile(r"^(?:وال|بال|كال|فال|ال|لل)(?=..)")
_LIGHT10_SUFFIXES = ("ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي")
_KOREAN_PARTICLE = regex.compile(
    r"(?<=\p{Hangul}{2})(?:으로부터|에서는|에게서|으로서|으로써|이라고|까지|부터|에서|에게|으로|이나|처럼|보다|마다|조차|"
    r"라고|이란|란|은|는|이|가|을|를|의|에|와|과|도|로|만)$"
)

_local = threading.local()


@lru_cache(maxsize=200_000)
def stem(word: str, language: str | None) -> str:
    """The search form of a casefolded, normalized word. Unknown languages only lose marks and variants."""
    word = _unify(word)
    if language == "vi":
        return word
    if language == "en":  # accents of loan words would hide their endings from the stemmer
        word = fold_accents(word)
    for bare, accented in _MISSING_ACCENT.get(language or "", ()):
        if len(word) > len(bare) + 1 and word.endswith(bare):
            word = word[: -len(bare)] + accented
    return fold_accents(_stemmer(language)(word))


def fold_accents(word: str) -> str:
    """`word` without Latin and Greek diacritics: `resumé` -> `resume`, `łódź` -> `lodz`."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word.translate(_LETTERS_TO_FOLD))
    return unicodedata.normalize("NFC", _GREEK_MARK.sub("", _LATIN_MARK.sub("", apart)))


def _unify(word: str) -> str:
    """Spellings of one word that differ by habit: vowel points, stress marks, nukta, anusvara, hamza."""
    if word.isascii():
        return word
    word = _SEMITIC_POINT.sub("", word).translate(_ARABIC_ALIKE)
    word = unicodedata.normalize("NFC", _STRESS.sub("", word)).replace("ё", "е")
    word = unicodedata.normalize("NFD", word).translate(_NUKTA_OR_MOON) if max(word) >= "\u0900" else word
    return unicodedata.normalize("NFC", _NASAL_BEFORE_ITS_STOP.sub("\u0902", word))


def _stemmer(language: str | None) -> Callable[[str], str]:
    if language == "ar":
        return _light10
    if language == "ko":
        return lambda word: _KOREAN_PARTICLE.sub("", word)
    if language not in _SNOWBALL:
        return lambda word: word
    # A Stemmer object must not be used by two threads at once.
    stemmers: dict[str, Stemmer.Stemmer] = _local.__dict__
    if language not in stemmers:
        stemmers[language] = Stemmer.Stemmer(_SNOWBALL[language], 0)
    found: Callable[[str], str] = stemmers[language].stemWord
    return found


def _light10(word: str) -> str:
    if len(word) > 3 and word.startswith("و"):
        word = word[1:]
    word = _AL_PREFIX.sub("", word)
    for suffix in _LIGHT10_SUFFIXES:
        if len(word) - len(suffix) >= 2 and word.endswith(suffix):
            word = word[: -len(suffix)]
    return word
