"""One spelling for what looks alike, before keyword search compares it.

NFKC makes full-width, half-width, ligature and composed forms meet; invisible characters go; decimal
digits of every script become ASCII. Letters keep their marks here: what an accent or vowel sign means
depends on the language, so `prism.text.stems` deals with those.
"""

from __future__ import annotations

import unicodedata

import regex

_FRACTION = regex.compile(r"(?<=\d)(?=[¼½¾⅐-⅞])")
_RAISED_NUMBER = regex.compile(r"(?<=\d|\p{L}{4})(?=[⁰¹²³⁴-⁹]+)")
_INVISIBLE = regex.compile(
    r"[[\p{Default_Ignorable_Code_Point}\p{Cs}]--[\u3164\uFFA0\u115F\u1160]]", regex.V1
)
_FIXED_SPACE_IN_NUMBER = regex.compile(r"(?<![\d.,])(\d{1,3})((?:[\u00A0\u202F\u2009\u2007]\d{3})+)(?!\d)")
_DIGIT = regex.compile(r"(?![0-9])\p{Nd}")
_APOSTROPHE = regex.compile(r"(?<=\w)[’ʼ‘′`´＇](?=\w)")
_HYPHEN = regex.compile(r"[‐‑‒–−﹣－]")
_ROMANIAN_COMMA = str.maketrans("șțȘȚ", "şţŞŢ")


def normalize(text: str) -> str:
    """`text` with one form per letter, digit, hyphen and apostrophe; case is kept.

    `６½％` -> `6 1⁄2%`; `१,२५,०००` -> `1,25,000`; `10 000` with a fixed space -> `10000`.
    """
    text = _FRACTION.sub(" ", text)
    text = _RAISED_NUMBER.sub(" ", text)
    text = _FIXED_SPACE_IN_NUMBER.sub(lambda found: regex.sub(r"\D", "", found.group()), text)
    text = unicodedata.normalize("NFKC", text)
    text = _INVISIBLE.sub("", text)
    # The regex library may know digits of a newer Unicode than Python does; those stay as they are.
    text = _DIGIT.sub(lambda found: str(unicodedata.digit(found.group(), found.group())), text)
    text = _HYPHEN.sub("-", _APOSTROPHE.sub("'", text))
    return text.translate(_ROMANIAN_COMMA)
