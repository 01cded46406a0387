"""The search terms of one word: its stem in each language it may be in, or the acronym it is."""

from __future__ import annotations

from typing import TypeAlias

import regex

from prism.text.function_words import FUNCTION_WORDS
from prism.text.stems import fold_accents, stem

Term: TypeAlias = tuple[str, ...]
"""One thing asked for: tokens of which any will do (the stems of one word in several languages)."""

_ELIDING = frozenset({"fr", "it", "ca"})
_CAMEL_BORDER = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})")
_MAX_ELIDED_LETTERS = 5
_ACRONYMS_EVEN_IN_CAPITALS = frozenset({"IT", "US", "WHO"})
"""Function words that a line in capitals keeps, since there the capitals do not tell."""


def lower(word: str, language: str | None) -> str:
    """Casefolded, with the Turkish pairs `I`/`ı` and `İ`/`i` in Turkish."""
    if language == "tr":
        word = word.replace("İ", "i").replace("I", "ı")
    return word.casefold()


def is_function_word(word: str, language: str | None) -> bool:
    """Whether `word`, in any case and with its clitics, has no content of its own in `language`."""
    known = FUNCTION_WORDS.get(language or "", frozenset())
    lowered = lower(word, language)
    if language == "ko" and stem(lowered, language) in known:  # without its particle
        return True
    return lowered in known or _without_clitics(lowered, language) in known


def word_terms(
    word: str,
    languages: tuple[str | None, ...],
    *,
    as_typed: bool,
    in_capitals: bool = False,
    after_content_word: bool = False,
) -> tuple[Term, ...]:
    """What a word asks for; nothing when it is a function word in every language it may be in.

    Args:
        word: as written, normalized; its case tells acronyms.
        languages: what the word may be in; a passage has one, a question may have several.
        as_typed: for a question. A passage in Vietnamese is found with its marks and without; a question
            means the marks it has.
        in_capitals: the whole line is, so that capitals say nothing.
        after_content_word: a word with content stands right before it, which makes a letter a label.
    """
    meaning_in = [language for language in languages if not is_function_word(word, language)]
    acronym: Term = ()
    if len(meaning_in) < len(languages):
        acronym = _acronym(word, in_capitals=in_capitals, after_content_word=after_content_word)
    if acronym and as_typed:  # a passage in a language where it is no function word holds it in lower case
        acronym = (*acronym, word.casefold())
    forms = [found for language in meaning_in if (found := _forms(word, language, as_typed=as_typed))]
    stems = tuple(dict.fromkeys((*acronym, *(each[0] for each in forms))))
    others = dict.fromkeys(form for each in forms for form in each[1:] if form not in stems)
    return ((stems,) if stems else ()) + tuple((form,) for form in others)


def _forms(word: str, language: str | None, *, as_typed: bool) -> tuple[str, ...]:
    """The search forms of a word in one language, the stem first; empty when nothing is left of it."""
    core = _without_clitics(lower(word, language), language)
    if not core:
        return ()
    forms = [stem(core, language)]
    if language == "vi" and not as_typed:
        forms.append(fold_accents(core))
    if language == "ko":
        forms.extend(_korean_parts(forms[0]))
    if _is_acronym(word):
        forms.append(fold_accents(word.casefold()))
    pieces = _CAMEL_BORDER.split(word)
    if len(pieces) > 1:
        forms.extend(stem(lower(piece, language), language) for piece in pieces if len(piece) > 1)
    return tuple(dict.fromkeys(form for form in forms if form))


def _korean_parts(word: str) -> tuple[str, ...]:
    """Syllable pairs, since Korean joins nouns freely, and the first syllable of a pair: `쌀을` -> `쌀`."""
    return tuple(word[at : at + 2] for at in range(len(word) - 1)) + ((word[0],) if len(word) == 2 else ())


def _acronym(word: str, *, in_capitals: bool, after_content_word: bool) -> Term:
    """The token of a function word that is meant as a name: `IT policy`, `Vitamin A`; none if it is not."""
    if len(word) == 1:
        is_name = after_content_word and not in_capitals
    else:
        is_name = not in_capitals or word in _ACRONYMS_EVEN_IN_CAPITALS
    return (word,) if is_name and word.isupper() else ()


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word.isalpha()


def _without_clitics(word: str, language: str | None) -> str:
    """`l'eau` -> `eau` (French, Italian, Catalan); `Ankara'nın` -> `ankara` (Turkish); `bank's` -> `bank`."""
    if "'" not in word:
        return word
    head, _, tail = word.partition("'")
    if language in _ELIDING and len(head) <= _MAX_ELIDED_LETTERS and tail:
        return tail.replace("'", "")
    if language == "tr":
        return head
    return word.removesuffix("'s").replace("'", "")
