"""Characters that Word takes from symbol fonts or raises above the line, as Unicode writes them."""

from __future__ import annotations

_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")

_GREEK = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_SYMBOL = {chr(0xF061 + place): letter for place, letter in enumerate(_GREEK)} | {
    chr(0xF041 + place): letter.upper() for place, letter in enumerate(_GREEK) if letter not in "ϕϖ"
} | {
    "\uf0a3": "≤", "\uf0b3": "≥", "\uf0b1": "±", "\uf0b4": "×", "\uf0b8": "÷", "\uf0b9": "≠", "\uf0bb": "≈",
    "\uf0b0": "°", "\uf0ae": "→", "\uf0d7": "⋅", "\uf0a5": "∞", "\uf0b6": "∂", "\uf0d6": "√", "\uf0e5": "∑",
    "\uf0f2": "∫", "\uf0ce": "∈", "\uf0b7": "•", "\uf0a2": "′", "\uf0b2": "″", "\uf02d": "−", "\uf0d2": "®",
    "\uf0d3": "©", "\uf0d4": "™",
}  # fmt: skip
_WINGDINGS = {
    "\uf0fe": "☒", "\uf0fd": "☒", "\uf078": "☒", "\uf0a8": "☐", "\uf06f": "☐", "\uf071": "☐", "\uf072": "☐",
    "\uf0fc": "✓", "\uf0fb": "✗", "\uf0e0": "→", "\uf0e8": "→", "\uf0df": "←", "\uf052": "☒", "\uf0a3": "☐",
}  # fmt: skip


def raised(text: str) -> str:
    """A superscript: numbers as raised digits, so that 10 with a raised 2 is not read as 102."""
    is_number = text.strip() and all(letter in "0123456789+-−() " for letter in text)
    return text.translate(_RAISED) if is_number else text


def symbol(code: str, font: str) -> str:
    """A symbol font's character by its hexadecimal code, nothing for one without meaning outside the font."""
    try:
        number = int(code, 16)
        letter = chr(number if number > 0xFF else 0xF000 + number)
    except (ValueError, OverflowError):
        return ""
    if font.lower() == "symbol":
        letter = _SYMBOL.get(letter, letter)
    elif font.lower().startswith(("wingdings", "webdings")):
        letter = _WINGDINGS.get(letter, letter)
    if 0xE000 <= ord(letter) <= 0xF8FF:
        plain = ord(letter) - 0xF000
        letter = chr(plain) if font.lower() == "symbol" and 0x20 < plain < 0x40 else ""
    return "" if 0xD800 <= ord(letter or " ") <= 0xDFFF or ord(letter or " ") < 0x20 else letter
