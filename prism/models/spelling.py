"""How a question is spelt when it is put to a model: letters in compatibility forms as plain ones.

Full-width `ｖｉｓａ` and mathematical `𝐯𝐢𝐬𝐚` are `visa` to whoever reads them, and in no model's vocabulary.
"""

from __future__ import annotations

import unicodedata


def plain_letters(text: str) -> str:
    """The text in NFKC, character for character, so that places in it stay what they are.

    A character that NFKC makes several of (`½`, `ﬁ`) is left as it is.
    """
    if text.isascii():
        return text
    return "".join(map(_plain, text))


def _plain(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character
