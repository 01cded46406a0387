"""From text to search tokens: what the keyword index stores and what a question asks for.

Words become stems by their script's language; scripts without spaces become n-grams; numbers, sums and
identifiers are kept whole and in parts. Function words go, unless written as an acronym (`IT`, `US`). A
passage also gets one mark per language it was read in, so that a question can be read in the same ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

import regex

from prism.text.amounts import AMOUNT, amount_tokens
from prism.text.identifiers import ADDRESS, address_tokens, identifier_tokens
from prism.text.languages import LANGUAGES_BY_SCRIPT, candidate_languages, language_of
from prism.text.normalize import normalize
from prism.text.scripts import script_of
from prism.text.unsegmented import UNSEGMENTED, UNSEGMENTED_CHARACTER, ngrams
from prism.text.words import Term, word_terms

TOKENIZER_VERSION = "1"
"""Stored with every index, which is refused under another. Change it with any change to the tokens of a text
but one that only adds tokens no text had (emoji and signs): an index from before finds all it found, and is
made anew when its documents are read again."""

LANGUAGE_MARK = "lang:"
"""Prefix of the token that names a language a passage was read in (`lang:de`)."""

READINGS_REMEMBERED = 16
WORDS_REMEMBERED = 20_000
"""Words whose terms are kept, for each of so many readings (sets of languages): 12 MB each."""

_LETTER = rf"[[\p{{L}}\p{{M}}]--{UNSEGMENTED_CHARACTER}]"
_ALPHANUMERIC = rf"[[\p{{L}}\p{{M}}\p{{N}}]--{UNSEGMENTED_CHARACTER}]"
_CHUNK = (
    rf"(?:(?<![\w.])\.(?={_LETTER}))?{_ALPHANUMERIC}+"
    rf"(?:(?:[-_/.&'+@]|(?<=\d)[:,](?=\d)){_ALPHANUMERIC}+|(?<=\d|\)|\d\p{{L}})\({_ALPHANUMERIC}{{1,5}}\))*"
    r"(?:(?<=\p{L})(?:\+{1,2}|\#)(?!\w))?"
)
_PLAIN_WORD = rf"(?<![\w.]){_LETTER}++(?![\p{{M}}\p{{N}}]|[-_/.&'+@:#(]\w|[+#]|\.?\s?\d)"
# Emoji and the signs of weather, planets, games; not the arrows, ticks and bullets that open a list's items.
_PICTOGRAPH = (
    r"[[\p{So}&&[\u2600-\u26FF\U0001F000-\U0001FAFF]][\p{Extended_Pictographic}&&[\u2700-\u27BF]]"
    r"--\p{Regional_Indicator}]|\p{Regional_Indicator}{2}"
)
_LEXEMES = (
    rf"(?P<word>{_PLAIN_WORD})|(?P<amount>(?i:{AMOUNT.pattern}))|"
    rf"(?P<run>{UNSEGMENTED.pattern})|(?P<chunk>{_CHUNK})|(?P<pictograph>{_PICTOGRAPH})"
)
_LEXEME = regex.compile(_LEXEMES, regex.V1)
_LEXEME_OR_ADDRESS = regex.compile(rf"(?P<address>{ADDRESS.pattern})|{_LEXEMES}", regex.V1)
_SIGN_OF_ADDRESS = regex.compile(r"@|://|www\.", regex.IGNORECASE)
_SPACE_BEFORE_LIST_MARK = regex.compile(r"(?<=\d) (?=\((?:[a-z]|[ivx]+)\))")
_WORD = regex.compile(rf"{_LETTER}+(?:'{_LETTER}+)*", regex.V1)
_WORDS_JOINED = regex.compile(rf"{_LETTER}+(?:['/-]{_LETTER}+)+", regex.V1)
_BARE_WORD = regex.compile(rf"{_LETTER}+", regex.V1)
_IS_PICTOGRAPH = regex.compile(_PICTOGRAPH, regex.V1)
_INITIALS = regex.compile(r"\p{L}(?:\.\p{L})+")


def tokenize(text: str, *, language: str | None = None) -> tuple[str, ...]:
    """The search tokens of a passage, in order, repeated as often as they occur.

    Args:
        text: any text; what the leaf is indexed by (`Node.indexed_text`).
        language: ISO 639-1 code when the document's language is known; otherwise judged script by script.

    Returns:
        Tokens, then one `lang:xx` mark per language read. Empty when nothing in the text can be asked for.
    """
    lines = _lines(text)
    words_of = [_BARE_WORD.findall(line) for line in lines]
    languages: dict[str, tuple[str | None, ...]] = {
        script: (language if language in LANGUAGES_BY_SCRIPT.get(script, ()) else language_of(words, script),)
        for script, words in _words_by_script(words_of).items()
    }
    reading = _reading(tuple(languages.items()), as_typed=False)
    tokens = [
        token
        for line, words in zip(lines, words_of, strict=True)
        for term in _terms(line, words, reading)
        for token in term
    ]
    marks = sorted({LANGUAGE_MARK + code for codes in languages.values() for code in codes if code})
    return (*tokens, *marks) if tokens else ()


def content_tokens(text: str, *, language: str | None = None) -> frozenset[str]:
    """The tokens of `tokenize` without the language marks: for comparing what two texts say."""
    tokens = tokenize(text, language=language)
    return frozenset(token for token in tokens if not token.startswith(LANGUAGE_MARK))


def query_terms(text: str, indexed_languages: Set[str] = frozenset()) -> tuple[Term, ...]:
    """What a question asks for, one term each, without repeats. Emoji beside words are ornament; alone they
    are asked for.

    Args:
        text: the question.
        indexed_languages: languages the passages were read in (their `lang:xx` marks). A short question that
            may be in several of them gets the stems of each.
    """
    lines = _lines(text)
    words_of = [_BARE_WORD.findall(line) for line in lines]
    languages: dict[str, tuple[str | None, ...]] = {
        script: candidate_languages(words, script, indexed_languages) or (None,)
        for script, words in _words_by_script(words_of).items()
    }
    reading = _reading(tuple(languages.items()), as_typed=True)
    found = zip(lines, words_of, strict=True)
    terms = dict.fromkeys(term for line, words in found for term in _terms(line, words, reading))
    in_words = tuple(term for term in terms if not _IS_PICTOGRAPH.fullmatch(term[0]))
    return in_words or tuple(terms)


def question_languages(text: str, indexed_languages: Set[str] = frozenset()) -> frozenset[str]:
    """The languages that `query_terms` reads a question in: to read a word of it as the whole is read."""
    by_script = _words_by_script([_BARE_WORD.findall(line) for line in _lines(text)])
    return frozenset(
        language
        for script, words in by_script.items()
        for language in candidate_languages(words, script, indexed_languages)
    )


def query_tokens(text: str, indexed_languages: Set[str] = frozenset()) -> tuple[str, ...]:
    """All tokens of `query_terms`, each once: what BM25 sums over."""
    return tuple(dict.fromkeys(token for term in query_terms(text, indexed_languages) for token in term))


class _Reading:
    """How to read a text: languages by script, likeliest first, and whether it is a question."""

    def __init__(self, languages: Mapping[str, tuple[str | None, ...]], *, as_typed: bool) -> None:
        self._languages = languages
        self.as_typed = as_typed
        self.terms = lru_cache(maxsize=WORDS_REMEMBERED)(self._terms)
        """`word_terms` in the languages of the word's script: (word, in_capitals, after_content_word)."""

    def of(self, word: str) -> tuple[str | None, ...]:
        return self._languages.get(script_of(word[0]) or "", (None,))

    def _terms(
        self, word: str, in_capitals: bool = False, after_content_word: bool = False
    ) -> tuple[Term, ...]:
        return word_terms(
            word,
            self.of(word),
            as_typed=self.as_typed,
            in_capitals=in_capitals,
            after_content_word=after_content_word,
        )


@lru_cache(maxsize=READINGS_REMEMBERED)
def _reading(languages: tuple[tuple[str, tuple[str | None, ...]], ...], *, as_typed: bool) -> _Reading:
    """The same reading for all texts in the same languages, so that it knows their words."""
    return _Reading(dict(languages), as_typed=as_typed)


def _lines(text: str) -> list[str]:
    unified: str = _SPACE_BEFORE_LIST_MARK.sub("", normalize(text))
    return unified.splitlines()


def _words_by_script(words_of: Iterable[Sequence[str]]) -> Mapping[str, list[str]]:
    """The words that tell a language, given line by line: casefolded, acronyms left out unless everything
    is in capitals."""
    words = [word for line in words_of for word in line]
    telling = [word for word in words if len(word) == 1 or not word.isupper()] or words
    by_script: dict[str, list[str]] = defaultdict(list)
    for word in telling:
        by_script[script_of(word[0]) or ""].append(word.casefold())
    for word in words:
        by_script.setdefault(script_of(word[0]) or "", [])
    by_script.pop("", None)
    return by_script


def _terms(line: str, words: Sequence[str], reading: _Reading) -> Iterator[Term]:
    """The terms of one line, whose bare words are `words`. Offsets tell whether two stand side by side."""
    in_capitals = _is_in_capitals(words)
    content_end = -1
    lexeme = _LEXEME_OR_ADDRESS if _SIGN_OF_ADDRESS.search(line) else _LEXEME
    for found in lexeme.finditer(line):
        start, end = found.span()
        beside_content = content_end >= 0 and start == content_end + 1
        if found.lastgroup == "word":
            terms = reading.terms(found.group(), in_capitals, beside_content)
        else:
            terms = _lexeme_terms(found, reading, in_capitals, beside_content)
        yield from terms
        if beside_content and terms and "vi" in reading.of(found.group()):
            yield from _syllable_pair(line[:content_end], found.group())
        content_end = end if terms else -1


def _lexeme_terms(
    found: regex.Match[str], reading: _Reading, in_capitals: bool, beside_content: bool
) -> tuple[Term, ...]:
    lexeme = found.group()
    if _WORD.fullmatch(lexeme):
        return reading.terms(lexeme, in_capitals, beside_content)
    if found["pictograph"]:
        return ((lexeme,),)
    if found["run"]:
        return _alone(ngrams(lexeme, as_typed=reading.as_typed))
    if found["amount"]:
        return _amount_terms(found, reading)
    if _INITIALS.fullmatch(lexeme):
        word = lexeme.replace(".", "")
        return reading.terms(word, in_capitals, beside_content)
    if _WORDS_JOINED.fullmatch(lexeme):
        return _joined_word_terms(lexeme, reading, in_capitals)
    address = "address" in found.groupdict() and found["address"]
    return _identifier_terms(address_tokens(lexeme) if address else identifier_tokens(lexeme), reading)


def _amount_terms(found: regex.Match[str], reading: _Reading) -> tuple[Term, ...]:
    tokens = amount_tokens(found)
    if tokens is None:
        return _identifier_terms(identifier_tokens(found.group()), reading)
    unit = found["magnitude"] or ""
    return _alone(tokens) + (reading.terms(unit) if len(unit) > 2 else ())


def _joined_word_terms(lexeme: str, reading: _Reading, in_capitals: bool) -> tuple[Term, ...]:
    """`e-mail/fax` -> `e`, `mail`, `email`, `fax`."""
    terms: list[Term] = []
    for compound in lexeme.split("/"):
        words = compound.split("-")
        parts = [reading.terms(word, in_capitals) for word in words]
        terms.extend(term for part in parts for term in part)
        if len(words) == 2 and any(parts):
            terms.extend(reading.terms("".join(words)))
    return tuple(terms)


def _identifier_terms(tokens: Iterable[str], reading: _Reading) -> tuple[Term, ...]:
    terms: list[Term] = []
    for token in tokens:
        is_word = len(token) > 1 and _WORD.fullmatch(token)
        terms.extend(reading.terms(token) if is_word else ((token,),))
    return tuple(terms)


def _syllable_pair(before: str, word: str) -> tuple[Term, ...]:
    """Vietnamese writes a word's syllables apart: two side by side are searched as one, too."""
    previous = before.rpartition(" ")[2]
    both_words = _WORD.fullmatch(previous) and _WORD.fullmatch(word)
    return ((f"{previous.casefold()} {word.casefold()}",),) if both_words else ()


def _alone(tokens: Iterable[str]) -> tuple[Term, ...]:
    return tuple((token,) for token in tokens)


def _is_in_capitals(words: Sequence[str]) -> bool:
    if not any(map(str.isupper, words)):
        return False
    cased = [word for word in words if word.upper() != word.lower()]
    return len(cased) > 2 and sum(word.isupper() for word in cased) >= 0.8 * len(cased)
