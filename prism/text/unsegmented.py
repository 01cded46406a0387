"""Tokens of scripts written without spaces between words: overlapping n-grams of character clusters.

Han, kana, Thai, Lao, Khmer, Burmese and their like give no word limits, and a dictionary would miss the names
and terms people ask for. A cluster is a character with its marks; in Thai and Lao also the vowels written
around a consonant. Single Han characters count as well, so that a one-character word is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import regex

UNSEGMENTED_CHARACTER = (
    r"[[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
    r"\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Javanese}\p{Balinese}ー]--[\p{P}\p{Sc}\p{N}]]"
)
"""Pattern of one character of a script written without spaces; needs `regex.V1`."""

UNSEGMENTED = regex.compile(f"{UNSEGMENTED_CHARACTER}+", regex.V1)
"""A run of such characters."""

_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}ー々〆]")
_HAN = regex.compile(r"\p{Han}")
_CLUSTER = regex.compile(r"[เแโใไເແໂໃໄ]?(?![เแโใไເແໂໃໄ])\X[ะาำๅະາຳ]*|\X")

# Particles and question words: they tie words together or ask, and name nothing.
_FUNCTION_CHARACTERS = frozenset(
    "的了是在和与與及或之也都就而且被把将將从從对對为為于於吗嗎呢吧啊这這那哪个個些谁誰何什么麼们們其它他她我你您很"
    "はがをにのともへでか"
)
_ASKING = regex.compile(
    "什么时候|什麼時候|为什么|為什麼|怎么样|怎麼樣|什么|什麼|甚么|哪些|哪个|哪個|哪里|哪裡|哪儿|多少|怎么|怎麼|怎样|怎樣|如何|"
    "谁的|是否|有没有|我们|我們|你们|你們|他们|他們|这个|這個|那个|那個|"
    "でしょうか|でしたか|ですか|ますか|ください|です|ます|どこ|どの|どれ|どう|なぜ|いつ|だれ|いくつ|いくら|どのように|これ|それ|あれ|"
    r"(?<![เแโใไ])(?:คืออะไร|อะไร|ที่ไหน|เมื่อไหร่|เมื่อใด|เมื่อไร|ทำไม|อย่างไร|เท่าไหร่|เท่าไร|เท่าใด|กี่|ใคร|หรือไม่)(?![\p{M}ะาำ])|"
    "ແມ່ນຫຍັງ|ຫຍັງ|ແນວໃດ|ຢູ່ໃສ|តើ|អ្វី|ဘာလဲ|ဘယ်"
)
"""What asks, to be cut from a question. A passage is never cut: the same letters may be part of a word."""
_PARTICLES = frozenset("的了吗嗎呢吧啊はがをにのともへで")
"""A pair with one of these on its edge and no kana on the other joins two words by chance."""
_WORDS_WITH_PARTICLES = frozenset(["目的", "的确", "的確", "了解", "标的", "標的"])
_KANA_ONLY = regex.compile(r"[\p{Hiragana}ー]+")


def ngrams(run: str, *, as_typed: bool) -> tuple[str, ...]:
    """The search tokens of one unsegmented run, in order of position.

    East Asian runs give pairs and single Han characters; others give pairs and triples of clusters, and a
    passage single clusters as well, which only a question of one cluster asks for.

    Args:
        as_typed: for a question: its question words and particles are no search terms.
    """
    tokens_of = _east_asian_tokens if _EAST_ASIAN.match(run) else partial(_cluster_tokens, as_typed=as_typed)
    if not as_typed:
        return tuple(tokens_of(run))
    pieces = [piece for piece in _ASKING.split(run) if not _FUNCTION_CHARACTERS.issuperset(piece)]
    # One kana left over is the rest of a word that was cut in two.
    whole = [piece for piece in pieces if piece == run or not (len(piece) == 1 and _KANA_ONLY.match(piece))]
    found = tuple(token for piece in whole for token in tokens_of(piece))
    return found or (tuple(tokens_of(run)) if pieces else ())


def _east_asian_tokens(piece: str) -> Iterator[str]:
    for at, character in enumerate(piece):
        pair = piece[at : at + 2]
        if len(pair) == 2 and _is_one_word(pair):
            yield pair
        if len(piece) == 1 or (_HAN.match(character) and character not in _FUNCTION_CHARACTERS):
            yield character


def _cluster_tokens(piece: str, *, as_typed: bool) -> Iterator[str]:
    clusters = _CLUSTER.findall(piece)
    sizes = (2, 3) if as_typed and len(clusters) > 1 else (1, 2, 3)
    for start in range(len(clusters)):
        for size in sizes:
            if start + size <= len(clusters):
                yield "".join(clusters[start : start + size])


def _is_one_word(pair: str) -> bool:
    return (
        pair in _WORDS_WITH_PARTICLES
        or bool(_KANA_ONLY.fullmatch(pair))
        or not (pair[0] in _PARTICLES or pair[1] in _PARTICLES)
    )
