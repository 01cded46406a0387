"""Which language a text is in, cheaply: its scripts, then its function words and telling letters.

Good enough to choose a stemmer, no more. Languages are ISO 639-1 codes. A word that several languages
share counts for each of them by its share, so `de la` decides nothing and `the` decides much.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from functools import lru_cache

from prism.text.function_words import FUNCTION_WORDS

LANGUAGES_BY_SCRIPT: Mapping[str, tuple[str, ...]] = {
    "Latin": (
        *("en", "de", "fr", "es", "it", "pt", "nl", "ro", "tr", "vi"),
        *("sv", "da", "no", "fi", "hu", "ca", "id", "pl", "cs"),
    ),
    "Cyrillic": ("ru", "uk", "bg"),
    "Devanagari": ("hi", "mr", "ne"),
    "Arabic": ("ar", "fa", "ur"),
    "Hangul": ("ko",),
    "Greek": ("el",),
    "Hebrew": ("he",),
    "Tamil": ("ta",),
    "Bengali": ("bn",),
    "Armenian": ("hy",),
}
"""Script -> the languages told apart in it; the first is assumed when nothing tells."""

CLEAR_LEAD = 1.5
"""By how many votes one language must lead before a question is read in that language alone."""

LEAST_LEAD = 0.75
"""By how many votes a passage's language must lead the one assumed for its script, if that has any itself."""

LEAST_VOTE = 0.45
"""How many votes it needs when the assumed language has none."""

_LETTER_VOTE = 1.0
_TELLING_LETTERS = {
    "de": "äöüß",
    "fr": "éèêëàâçùûîïôœ",
    "es": "ñáéíóú¿¡",
    "it": "àèéìòù",
    "pt": "ãõçáéíóúâêô",
    "ro": "ăâîşţșț",
    "tr": "ğışçöüİ",
    "vi": "ăâđêôơư" + "".join(chr(code) for code in range(0x1EA0, 0x1EFA)),
    "sv": "åäö",
    "da": "æøå",
    "no": "æøå",
    "fi": "äö",
    "hu": "őűáéíóöúü",
    "ca": "çàèéíòóúï·",
    "pl": "ąćęłńóśźż",
    "cs": "ěščřžýáíéůúťďň",
    "uk": "іїєґ",
    "ru": "ыэё",
    "bg": "ъщ",
    "fa": "پچژگکی",
    "ur": "ٹڈڑےںھہپچگکی",
    "ar": "ةىيكأإ",
    "mr": "ळ",
}


def _shared_votes(signs: Mapping[str, Iterable[str]], vote: float) -> dict[str, dict[str, float]]:
    """sign -> {language: votes}, one sign's votes shared among the languages of a script that have it."""
    votes: dict[str, dict[str, float]] = defaultdict(dict)
    for languages in LANGUAGES_BY_SCRIPT.values():
        owners = Counter(sign for language in languages for sign in set(signs.get(language, ())))
        for language in languages:
            for sign in set(signs.get(language, ())):
                votes[sign][language] = vote / owners[sign]
    return dict(votes)


_WORD_VOTES = _shared_votes(FUNCTION_WORDS, 1.0)
_LETTER_VOTES = _shared_votes(_TELLING_LETTERS, _LETTER_VOTE)


def language_votes(words: Iterable[str], script: str) -> Mapping[str, float]:
    """Votes per language of `script`, for casefolded words of that script; only languages with a vote."""
    votes: dict[str, float] = defaultdict(float)
    for word in words:
        for language, vote in _votes_of(word):
            votes[language] += vote
    return {
        language: votes[language] for language in LANGUAGES_BY_SCRIPT.get(script, ()) if votes[language] > 0.0
    }


@lru_cache(maxsize=100_000)
def _votes_of(word: str) -> tuple[tuple[str, float], ...]:
    if len(word) == 1 and word.isascii():  # initials, list marks and what apostrophes leave
        return ()
    signs = (_WORD_VOTES.get(word, {}), *(_LETTER_VOTES.get(letter, {}) for letter in set(word)))
    return tuple(vote for sign in signs for vote in sign.items())


def language_of(words: Iterable[str], script: str) -> str | None:
    """The likeliest language of a passage's words in one script; None for a script we have no rules for."""
    votes = language_votes(words, script)
    assumed = next(iter(LANGUAGES_BY_SCRIPT.get(script, ())), None)
    likeliest = max(votes, key=lambda language: votes[language], default=assumed)
    of_assumed = votes.get(assumed or "", 0.0)
    lead = votes.get(likeliest or "", 0.0) - of_assumed
    return likeliest if lead >= (LEAST_LEAD if of_assumed else LEAST_VOTE) else assumed


def candidate_languages(words: Collection[str], script: str, indexed: Set[str]) -> tuple[str, ...]:
    """The languages a question may have to be read in to meet the documents, likeliest first.

    Args:
        words: the question's casefolded words of one script.
        indexed: languages present in the index; a question in clear German still meets only `de`.
    """
    votes = language_votes(words, script)
    ranked = sorted(votes, key=lambda language: -votes[language])
    lead = votes[ranked[0]] - (votes[ranked[1]] if len(ranked) > 1 else 0.0) if ranked else 0.0
    clear = ranked[:1] if lead >= CLEAR_LEAD else []
    if clear and clear[0] in indexed:
        return tuple(clear)
    present = [language for language in LANGUAGES_BY_SCRIPT.get(script, ()) if language in indexed]
    present.sort(key=lambda language: -votes.get(language, 0.0))
    likeliest = language_of(words, script)
    return tuple(dict.fromkeys([*clear, *present])) or ((likeliest,) if likeliest else ())
