"""Tokens of scripts written without spaces between words: overlapping n-grams of character clusters.

Han, kana, Thai, Lao, Khmer, Burmese and their like give no word limits, and a dictionary would miss the names
and terms people ask for. A cluster is a character with its marks; in Thai and Lao also the vowels written
around a consonant. Single Han characters count as well, so that a one-character word is found.
"""

from __future__ import annotations

from collections.abc import Iterator

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
)
_FUNCTION_STRINGS = regex.compile(
    "什么时候|什麼時候|为什么|為什麼|怎么样|怎麼樣|什么|什麼|甚么|哪些|哪个|哪個|哪里|哪裡|哪儿|多少|怎么|怎麼|怎样|怎樣|如何|谁的|是否|"
    "有没有|以及|因为|因為|所以|但是|我们|我們|你们|你們|他们|他們|这个|這個|那个|那個|"
    "でしょうか|でしたか|ですか|ますか|でした|ました|ません|です|ます|どこ|どの|どれ|どう|なぜ|いつ|だれ|いくつ|いくら|どのように|"
    "これ|それ|あれ|この|その|あの|から|まで|ため|という|として|における|について|によって|"
    "อะไร|ที่ไหน|ไหน|เมื่อไหร่|เมื่อใด|เมื่อไร|ทำไม|อย่างไร|เท่าไหร่|เท่าไร|เท่าใด|กี่|ใคร|ใด|หรือไม่|หรือ|และ|ของ|"
    "เป็น|ที่|ซึ่ง|ว่า|ใน|จาก|กับ|ได้|ให้|คือ|มี|นี้|นั้น|โดย|แต่|ก็|จะ|ถูก|"
    "ແມ່ນ|ຂອງ|ແລະ|ຫຍັງ|ແນວໃດ|ຢູ່|ທີ່|តើ|អ្វី|និង|របស់|ដែល|នៅ|ជា|"
    "ဘာ|ဘယ်|သည်|ကို|နှင့်|၏"
)
_PARTICLES = frozenset("的了吗嗎呢吧啊はがをにのともへで")
"""A pair with one of these on its edge and no kana on the other joins two words by chance."""
_WORDS_WITH_PARTICLES = frozenset(["目的", "的确", "的確", "了解", "标的", "標的"])
_KANA_ONLY = regex.compile(r"[\p{Hiragana}ー]+")


def is_unsegmented_function_text(run: str) -> bool:
    """Whether nothing but particles and question words is in `run`."""
    rest = _FUNCTION_STRINGS.sub("", run)
    return all(character in _FUNCTION_CHARACTERS for character in rest) or (
        len(rest) == 1 and bool(_KANA_ONLY.fullmatch(rest))
    )


def ngrams(run: str, *, sizes: tuple[int, ...] = (2, 3)) -> tuple[str, ...]:
    """The search tokens of one unsegmented run, in order of position.

    East Asian runs give bigrams and single Han characters; others give n-grams of `sizes` clusters. Question
    words and particles limit the pieces, and no piece shorter than a bigram is lost.
    """
    east_asian = bool(_EAST_ASIAN.match(run))
    pieces = _pieces(run)
    if east_asian:
        return tuple(token for piece in pieces for token in _east_asian_tokens(piece))
    return tuple(token for piece in pieces for token in _cluster_tokens(_CLUSTER.findall(piece), sizes))


def _east_asian_tokens(piece: str) -> Iterator[str]:
    for at, character in enumerate(piece):
        pair = piece[at : at + 2]
        if len(pair) == 2 and _is_one_word(pair):
            yield pair
        if len(piece) == 1 or (_HAN.match(character) and character not in _FUNCTION_CHARACTERS):
            yield character


def _cluster_tokens(clusters: list[str], sizes: tuple[int, ...]) -> Iterator[str]:
    if len(clusters) == 1:
        yield clusters[0]
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


def _pieces(run: str) -> list[str]:
    """The run, cut where function words stand."""
    return [
        piece for piece in _FUNCTION_STRINGS.split(run) if piece and not is_unsegmented_function_text(piece)
    ]
