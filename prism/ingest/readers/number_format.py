"""Spreadsheet number formats: a stored number as the text a person sees in its cell.

A sheet stores 0.125 and 45292 and shows `12.5%` and `2024-01-01`. Format codes are those of ECMA-376,
part 1, 18.8.31. What differs here: months and weekdays are English, and the two formats that follow the
reader's own country (14 and 22) are written the one way that everybody reads alike, year first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from prism.ingest.readers.date_format import DATE_TOKENS, date_text

_EAST_ASIAN_DATES = (*range(27, 37), *range(50, 59))

BUILT_IN: Final = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: "$#,##0;($#,##0)", 6: "$#,##0;($#,##0)", 7: "$#,##0.00;($#,##0.00)", 8: "$#,##0.00;($#,##0.00)",
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    41: '#,##0;(#,##0);"-"', 42: '$#,##0;($#,##0);"-"', 43: '#,##0.00;(#,##0.00);"-"',
    44: '$#,##0.00;($#,##0.00);"-"', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
} | dict.fromkeys(_EAST_ASIAN_DATES, "yyyy-mm-dd")  # fmt: skip
"""Format codes that files name by number only."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*.|\[(?P<bracket>[^\]]*)\]?'
    r"|(?P<general>General)|(?P<exponent>E[+-]0+)|(?P<date>" + DATE_TOKENS + r")"
    r"|(?P<digit>[0#?])|(?P<sign>[.,%/@])|(?P<other>.)",
    re.I | re.S,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)")
_CURRENCY = re.compile(r"\$([^-\]]*)")
_ELAPSED = re.compile(r"h+|m+|s+", re.I)
_PRECISION = Context(prec=15, rounding=ROUND_HALF_UP)
_GENERAL_WIDTH = 11
_LARGEST_GENERAL = Decimal(10) ** 15
_SMALLEST_GENERAL = Decimal("0.0001")
_LONGEST_NUMBER = 1000


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a format: what it is (`digit`, `literal`, `date`…) and its text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One of the up to four parts of a format, which are for positive, negative, zero and text."""

    tokens: tuple[Token, ...]
    condition: tuple[str, Decimal] | None

    def has(self, kind: str, text: str = "") -> bool:
        """Whether it holds such a piece."""
        return any(token.kind == kind and (not text or token.text == text) for token in self.tokens)


def shown(raw: str, code: str, *, from_1904: bool = False) -> str:
    """The number `raw`, as stored, in the format `code`; what is no number stays as it is.

    Args:
        from_1904: the workbook counts days from 1904, as old Macintosh ones do.
    """
    try:
        value = Decimal(raw.strip())
    except InvalidOperation:
        return raw
    if not value.is_finite() or abs(value.adjusted()) > _LONGEST_NUMBER:
        return raw
    value = _PRECISION.plus(value)
    section, is_signed = _choose(_sections(code), value)
    if section.has("date") or section.has("elapsed"):
        text = date_text(value, section.tokens, from_1904=from_1904)
        return general(value) if text is None else text
    if not section.tokens and len(_sections(code)) > 1:
        return ""
    if section.has("sign", "@") or not (section.has("digit") or section.has("general") or section.tokens):
        return general(value)
    sign = "-" if value < 0 and is_signed else ""
    text = " ".join(_number(abs(value), section.tokens).split())
    return sign + text if any(letter in text for letter in "123456789") or section.has("general") else text


def is_date(code: str) -> bool:
    """Whether a format shows dates or times."""
    first = _sections(code)[0]
    return first.has("date") or first.has("elapsed")


def general(value: Decimal) -> str:
    """A number without a format: at most 11 characters of a fraction, whole numbers in full."""
    size = abs(value)
    if value == value.to_integral_value() and size < _LARGEST_GENERAL:
        return f"{value.to_integral_value():f}"
    if size >= _LARGEST_GENERAL or size < _SMALLEST_GENERAL:
        digits, _, exponent = f"{value:.5E}".partition("E")
        return f"{digits.rstrip('0').rstrip('.')}E{int(exponent):+03d}"
    places = max(_GENERAL_WIDTH - 1 - len(f"{int(size)}"), 0)
    return _fixed(value, places).rstrip("0").rstrip(".")


@lru_cache(maxsize=2048)
def _sections(code: str) -> tuple[Section, ...]:
    sections: list[Section] = []
    tokens: list[Token] = []
    condition: tuple[str, Decimal] | None = None
    for found in _TOKEN.finditer(code):
        if found["other"] == ";":
            sections.append(Section(tuple(tokens), condition))
            tokens, condition = [], None
        elif found["bracket"] is not None and (compared := _CONDITION.fullmatch(found["bracket"].strip())):
            condition = _condition(compared)
        elif token := _token(found):
            tokens.append(token)
    sections.append(Section(tuple(tokens), condition))
    return tuple(sections[:4])


def _condition(compared: re.Match[str]) -> tuple[str, Decimal] | None:
    try:
        return compared[1], Decimal(compared[2])
    except InvalidOperation:
        return None


def _token(found: re.Match[str]) -> Token | None:
    kind = found.lastgroup
    if kind is None:  # a fill character
        return None
    text = found[kind]
    if kind == "space":
        return Token("literal", " ")
    if kind == "bracket":
        if _ELAPSED.fullmatch(text):
            return Token("elapsed", text.lower())
        currency = _CURRENCY.match(text)
        return Token("literal", currency[1]) if currency and currency[1] else None
    if kind in ("quoted", "escaped", "other"):
        return Token("literal", text)
    return Token(kind, text)


def _choose(sections: Sequence[Section], value: Decimal) -> tuple[Section, bool]:
    """The section for a value, and whether it leaves the minus sign to us."""
    if any(section.condition for section in sections):
        for section in sections:
            if section.condition is None or _meets(value, *section.condition):
                return section, True
        return sections[-1], True
    numeric = sections[:3]
    if value < 0 and len(numeric) > 1:
        return numeric[1], False
    if value == 0 and len(numeric) > 2:
        return numeric[2], False
    return numeric[0], True


def _meets(value: Decimal, operator: str, limit: Decimal) -> bool:
    return {
        "<": value < limit,
        ">": value > limit,
        "<=": value <= limit,
        ">=": value >= limit,
        "=": value == limit,
        "<>": value != limit,
    }[operator]


def _number(size: Decimal, tokens: Sequence[Token]) -> str:
    """A number without its sign, by the digits and signs of a section."""
    places = [at for at, token in enumerate(tokens) if token.kind == "digit"]
    if not places:
        return "".join(general(size) if token.kind == "general" else token.text for token in tokens)
    size *= Decimal(100) ** sum(token.text == "%" for token in tokens)
    if any(token.text == "/" and token.kind == "sign" for token in tokens):
        return _fraction(size, tokens)
    point = next((at for at, token in enumerate(tokens) if token.text == "." and token.kind == "sign"), None)
    last_whole = max((at for at in places if point is None or at < point), default=-1)
    scale = _commas_after(tokens, last_whole if point is None else places[-1])
    size = size.scaleb(-3 * scale)
    exponent = next((token for token in tokens if token.kind == "exponent"), None)
    power = 0
    if exponent is not None and size:
        power = size.adjusted()
        size = size.scaleb(-power)
    decimals = [at for at in places if point is not None and at > point]
    whole, _, fraction = _fixed(size, len(decimals)).partition(".")
    is_grouped = Token("sign", ",") in tokens[places[0] : last_whole + 1]
    written = _whole(whole, tokens, [at for at in places if at not in decimals], is_grouped=is_grouped)
    written |= _decimals(fraction, tokens, decimals)
    if point is not None:
        written[point] = "." if any(written.get(at, "").strip() for at in decimals) else ""
        if places[0] > point:
            written[point] = ("" if whole == "0" else whole) + "."
    return "".join(written.get(at, _literal(token, power)) for at, token in enumerate(tokens))


def _literal(token: Token, power: int) -> str:
    if token.kind == "exponent":
        sign = "-" if power < 0 else "+" if token.text[1] == "+" else ""
        return f"E{sign}{abs(power):0{len(token.text) - 2}d}"
    return "" if token.kind == "sign" and token.text == "," else token.text


def _commas_after(tokens: Sequence[Token], at: int) -> int:
    count = 0
    while at + 1 + count < len(tokens) and tokens[at + 1 + count] == Token("sign", ","):
        count += 1
    return count


def _whole(
    digits: str, tokens: Sequence[Token], places: Sequence[int], *, is_grouped: bool
) -> dict[int, str]:
    """The whole part over its places from the right; the leftmost place takes all that is left."""
    written: dict[int, str] = {}
    left = "" if digits == "0" else digits
    count = 0
    for at in reversed(places):
        taken = left if at == places[0] else left[-1:]
        left = left[: len(left) - len(taken)]
        if not taken:
            taken = {"0": "0", "?": " "}.get(tokens[at].text, "")
        text = ""
        for digit in reversed(taken):
            if is_grouped and count and count % 3 == 0:
                text = "," + text
            text, count = digit + text, count + 1
        written[at] = text
    return written


def _decimals(digits: str, tokens: Sequence[Token], places: Sequence[int]) -> dict[int, str]:
    written: dict[int, str] = {}
    for number, at in enumerate(places):
        is_rest_zero = not digits[number:].strip("0")
        is_needed = any(tokens[later].text == "0" for later in places[number:])
        written[at] = digits[number] if not is_rest_zero or is_needed else ""
    return written


def _fraction(size: Decimal, tokens: Sequence[Token]) -> str:
    """A mixed number such as `2 1/4`, with as many digits below the line as the format has."""
    line = next(at for at, token in enumerate(tokens) if token.text == "/" and token.kind == "sign")
    below = "".join(token.text for token in tokens[line + 1 :]).strip()
    fixed = int(below) if below.isdigit() and int(below) else 0
    has_whole = any(token.kind == "literal" and not token.text.strip() for token in tokens[:line])
    whole = int(size) if has_whole else 0
    rest = float(size - whole)
    largest = 10 ** min(max(len(below), 1), 3) - 1
    denominators = [fixed] if fixed else range(1, largest + 1)
    bottom = min(denominators, key=lambda tried: (abs(round(rest * tried) / tried - rest), tried))
    top = round(rest * bottom)
    if has_whole and top == bottom:
        whole, top = whole + 1, 0
    parts = [str(whole)] if has_whole and (whole or not top) else []
    return " ".join([*parts, f"{top}/{bottom}"] if top or not has_whole else parts)


def _fixed(value: Decimal, places: int) -> str:
    exact = Context(prec=_LONGEST_NUMBER * 2, rounding=ROUND_HALF_UP)
    return f"{value.quantize(Decimal(1).scaleb(-places), context=exact):f}"
