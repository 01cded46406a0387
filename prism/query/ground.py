"""Ground: check each sentence of an answer against the passages it cites.

The check needs no model. Every number, date and code of a sentence must occur in what it cites; then its
words must, to a good part. It catches wrong figures and wrong sources, not wrong reasoning.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence

import regex

from prism.query.cite import cited_numbers, without_marks
from prism.text.sentences import sentence_spans
from prism.types import Citation, PageRef, Passage, Sentence, Support

SUPPORTED_SHARE = 0.5
PARTLY_SHARE = 0.2

_FACT = regex.compile(
    r"(?:\p{Lu}[\p{Lu}\p{Nd}]++-)*(?:(?<![\p{L}\p{M}_])[\p{L}\p{M}_]++)?"
    r"\p{Nd}[\p{L}\p{M}\p{Nd}_]*(?:[.,:/\\()&+#-]+[\p{L}\p{Nd}]+\)?)*"
)
_GROUPED = regex.compile(r"(?<![\d.])\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)")
_NO_FRACTION = regex.compile(r"(?<=^\d+)\.0+$")
_UNIT = regex.compile(
    r"(?<=^\d+(?:\.\d+)?)(?:[kcm]m|kg|[kmgt]b|[kmg]bps|ms|hrs?|min|[ap]m|st|nd|rd|th|kw|px)$"
)
_RANGE = regex.compile(r"\d+-\d+")
_PLAIN_NUMBER = regex.compile(r"\d+(?:[.:]\d+)?")
_LEADING_MARKS = regex.compile(r"^\s*(?:\[\d+\]\s*)+")


def split_answer(text: str) -> tuple[str, ...]:
    """An answer's sentences, each with the marks that follow it; blank ones dropped."""
    sentences: list[str] = []
    for start, end in sentence_spans(text):
        piece = text[start:end]
        marks = _LEADING_MARKS.match(piece)
        if marks and sentences:
            sentences[-1] += marks.group()
            piece = piece[marks.end() :]
        if piece.strip():
            sentences.append(piece)
    return tuple(sentence.strip() for sentence in sentences)


def facts(text: str) -> frozenset[str]:
    """The numbers, dates and codes of a text in a form that meets across spellings: digits of any script
    as ASCII; digit grouping, `.00`, units written close (`10km`, `4th`) and case dropped (`₹1,25,000` and
    `१,२५,०००` are both `125000`). Ranges and lists (`5-10`, `2019,2020`) are their numbers."""
    found: set[str] = set()
    for match in _FACT.findall(unicodedata.normalize("NFKC", text)):
        plain = "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in match)
        plain = _GROUPED.sub(lambda number: number.group().replace(",", ""), plain).casefold()
        for piece in plain.split(","):
            found.update(piece.split("-") if _RANGE.fullmatch(piece) else [piece])
    return frozenset(_spelling(fact) for fact in found if any(char.isdigit() for char in fact))


def missing_facts(wanted: Collection[str], known: Collection[str]) -> frozenset[str]:
    """Those of the facts wanted that none of the known ones bears out: `7` is borne out by `7(b)`, `2024` by
    `01.04.2024`; `25` is not by `125`, nor `5` by `3.5`."""
    return frozenset(fact for fact in wanted if fact not in known and not _part_of(fact, known))


def support(sentence: str, evidence: Sequence[str], tokenize: Callable[[str], Collection[str]]) -> Support:
    """Whether the evidence bears the sentence out.

    Args:
        sentence: without marks.
        evidence: the cited passages' texts, headers included; none means unsupported.
        tokenize: what a text is about: its stemmed words, numbers and codes.
    """
    if not evidence:
        return "unsupported"
    wanted = facts(sentence)
    known = frozenset().union(*(facts(text) for text in evidence))
    missing = missing_facts(wanted, known)
    if wanted and missing == wanted:
        return "unsupported"
    words = set(tokenize(sentence))
    held = set().union(*(tokenize(text) for text in evidence))
    share = len(words & held) / len(words) if words else 1.0
    if missing:
        return "partly"
    if share >= SUPPORTED_SHARE:
        return "supported"
    return "partly" if share >= PARTLY_SHARE or wanted else "unsupported"


def ground(
    answer: str,
    passages: Sequence[Passage],
    *,
    tokenize: Callable[[str], Collection[str]],
    pages_between: Callable[[Passage, int, int], tuple[PageRef, ...]],
    quotes: Mapping[int, Sequence[tuple[int, int]]] | None = None,
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """Checked sentences and citations, the latter by number.

    Args:
        passages: by rank; mark [n] points at the n-th.
        pages_between: page references of a passage's document between two document offsets.
        quotes: document offsets of the words used, by n, where the answerer knows them; found by shared
            words otherwise.
    """
    by_rank = {passage.rank: passage for passage in passages}
    sentences: list[Sentence] = []
    spans: dict[int, Sequence[tuple[int, int]]] = dict(quotes or {})
    for piece in split_answer(answer):
        numbers = tuple(n for n in cited_numbers(piece) if n in by_rank)
        plain = without_marks(piece)
        evidence = [f"{by_rank[n].header}\n{by_rank[n].text}" for n in numbers]
        sentences.append(Sentence(piece, numbers, support(plain, evidence, tokenize)))
        for n in numbers:
            spans.setdefault(n, [_closest(plain, by_rank[n], tokenize)])
    citations = []
    for n in sorted(set(cited_numbers(answer)) & set(by_rank)):
        passage = by_rank[n]
        start, end = spans[n][0]
        quote = passage.text[start - passage.start : end - passage.start]
        citations.append(Citation(n, passage, quote, start, end, pages_between(passage, start, end)))
    return tuple(sentences), tuple(citations)


def _spelling(fact: str) -> str:
    closed = fact if "(" in fact else fact.rstrip(")")
    return str(_UNIT.sub("", _NO_FRACTION.sub("", closed)))


def _part_of(fact: str, known: Collection[str]) -> bool:
    bounded = rf"(?<![\p{{L}}\p{{Nd}}]){regex.escape(fact)}(?![\p{{L}}\p{{Nd}}])"
    return any(
        fact in other and regex.search(bounded, other)
        for other in known
        if not _PLAIN_NUMBER.fullmatch(other)
    )


def _closest(sentence: str, passage: Passage, tokenize: Callable[[str], Collection[str]]) -> tuple[int, int]:
    words = set(tokenize(sentence))
    best, best_shared = (0, len(passage.text)), -1.0
    for start, end in sentence_spans(passage.text):
        stripped = passage.text[start:end].rstrip()
        shared = float(len(words & set(tokenize(stripped))))
        if stripped and shared > best_shared:
            lead = len(stripped) - len(stripped.lstrip())
            best, best_shared = (start + lead, start + len(stripped)), shared
    return passage.start + best[0], passage.start + best[1]
