"""Text that was encoded twice: UTF-8 bytes once taken for Windows-1252 or Latin-1 and written as UTF-8 again.

`1986–1990` then stands in the file as `1986â€“1990`, or with two invisible control characters after `â`.
It is undone only on evidence that no writing gives: such controls, or `â€` and the like, or several pairs
such as `Ã¼`.
"""

from __future__ import annotations

import re
from typing import Final

MIN_PAIRS: Final = 2
"""So many pairs such as `Ã¼` are no chance."""

_HIGH = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_SEQUENCE = re.compile(
    f"[\xc3-\xdf][{_HIGH}]|[\xe0-\xef][{_HIGH}]{{2}}|[\xf0-\xf4][{_HIGH}]{{3}}|\xc2[{_HIGH}]"
)
_CERTAIN = re.compile("[\xc2-\xf4][\x80-\x9f]|\xe2€[\x98-\x9f™“”œ\x9d˜¦¢“”–—]")
_PAIR = re.compile("\xc3[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")


def undo_double_encoding(text: str) -> tuple[str, int]:
    """The text as it was meant, and how many characters were put right."""
    if not _CERTAIN.search(text) and len(_PAIR.findall(text)) < MIN_PAIRS:
        return text, 0
    repaired = 0

    def once(found: re.Match[str]) -> str:
        nonlocal repaired
        raw = b"".join(_byte(character) for character in found[0])
        try:
            meant = raw.decode("utf-8")
        except UnicodeDecodeError:
            return found[0]
        repaired += 1
        return meant

    return _SEQUENCE.sub(once, text), repaired


def _byte(character: str) -> bytes:
    return bytes([ord(character)]) if ord(character) < 0x100 else character.encode("cp1252")
