"""Numbers and sums of money as search tokens: one token per value, however it is written.

`₹1,25,000`, `Rs. 1,25,000`, `INR 125000` and `₹1.25 lakh` meet in `₹125000`; all of them contain `125000`.
"""

from __future__ import annotations

from decimal import Decimal

import regex

EXACT = "="
"""Prefix of the token that stands for a whole number or identifier, never for a part of a longer one."""

_CURRENCIES = {
    "₹": ("₹", "Rs", "Rs.", "rs", "rs.", "RS", "INR", "Re.", "रु", "रु.", "रू", "रू.", "₨"),
    "$": ("$", "USD", "usd", "US$", "U.S.$"),
    "€": ("€", "EUR", "eur"),
    "£": ("£", "GBP"),
    "¥": ("¥", "JPY", "CNY", "RMB", "￥"),
    "₩": ("₩", "KRW"),
    "₽": ("₽", "RUB", "руб", "руб."),
    "₺": ("₺", "TRY", "TL"),
    "₫": ("₫", "VND"),
    "฿": ("฿", "THB"),
    "₪": ("₪", "ILS", "NIS"),
    "₴": ("₴", "UAH"),
    "₱": ("₱", "PHP"),
    "₦": ("₦", "NGN"),
    "₿": ("₿", "BTC"),
    "৳": ("৳", "BDT"),
    "c$": ("C$", "CAD", "CA$"),
    "a$": ("A$", "AUD", "AU$"),
    "s$": ("S$", "SGD"),
    "hk$": ("HK$", "HKD"),
    "chf": ("CHF", "Fr."),
    "aed": ("AED",),
    "sar": ("SAR",),
    "brl": ("R$", "BRL"),
    "zar": ("ZAR",),
    "pln": ("PLN", "zł"),
    "sek": ("SEK",),
    "nok": ("NOK",),
    "dkk": ("DKK",),
}
_CURRENCY_OF = {name.casefold(): sign for sign, names in _CURRENCIES.items() for name in names}

_MAGNITUDES = {
    1_000: "k thousand हजार हज़ार tausend mil mille тыс тысяч тысячи bin nghìn ngàn",
    100_000: "lakh lakhs lac lacs लाख",
    1_000_000: "m mn mio million millions मिलियन millionen millones milhões milioni milioane млн миллион "
    "миллиона миллионов milyon triệu εκατομμύρια مليون",
    10_000_000: "cr crore crores करोड़ करोड",
    1_000_000_000: "b bn billion billions अरब milliard milliards milliarden млрд миллиардов milyar tỷ مليار",
    1_000_000_000_000: "trillion trillions tn",
}
_MAGNITUDE_OF = {
    name.casefold(): Decimal(power) for power, names in _MAGNITUDES.items() for name in names.split()
}
_GLUED_ONLY = {"k", "m", "b", "mil", "bin", "cr"}
"""Too short or too common to be read as a magnitude unless glued to the number or beside a currency."""

_PERCENT = (
    r"%|٪|per\s?cent\b|percent\b|pct\b|प्रतिशत|फीसदी|फ़ीसदी|prozent\b|"
    r"por ciento\b|pour cent\b|por cento\b|процент\w*"
)


def _any_of(names: list[str]) -> str:
    return "|".join(regex.escape(name) for name in sorted(names, key=len, reverse=True))


_NAMES = [name for names in _CURRENCIES.values() for name in names]
_NUMBER = r"(?:\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?(?![\d'])(?![.,]\d)|\d+(?:[.,']\d+)*)"
_WORDS = _any_of([name for name in _NAMES if name[-1].isalpha() or name.endswith(".")])
_SIGNS = _any_of([name for name in _NAMES if not (name[-1].isalpha() or name.endswith("."))])
_UNIT = rf"(?P<magnitude>{_any_of(list(_MAGNITUDE_OF))})(?![\p{{L}}\p{{M}}\p{{N}}])"

AMOUNT = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}_])(?:(?P<before>(?:{_SIGNS})|(?-i:{_WORDS})(?=[\s.\d]))\s?|(?<![.,/&:-]))"
    rf"(?P<number>{_NUMBER})(?:/-)?(?:\s?{_UNIT})?"
    rf"(?:\s?(?P<percent>{_PERCENT})|\s?(?P<after>(?:{_SIGNS})|(?-i:{_WORDS})(?![\p{{L}}\p{{N}}])))?"
    r"(?![\p{L}\p{M}\p{N}_]|[-./:&,'+]\w|\(\w)",
    regex.IGNORECASE,
)
"""A number with what stands around it: currency before or after, magnitude, per cent sign."""

_GROUPED_BY_SPACE = regex.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?")
_GROUPED_BY_COMMA = regex.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_GROUPED_BY_DOT = regex.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2}|\d{1,3}(?:\.\d{3}){4,}")
_GROUPED_BY_APOSTROPHE = regex.compile(r"\d{1,3}(?:'\d{3})+(?:\.\d+)?")
_DECIMAL_COMMA = regex.compile(r"\d+,\d+")
_PLAIN = regex.compile(r"\d+(?:\.\d+)?")


def plain_number(number: str) -> str | None:
    """A number without its grouping and with a decimal point; None when it is no single number.

    `1,25,000` -> `125000`; `1.234,50` and `1 234,50` -> `1234.50`; `12,5` -> `12.5`; `4.2.1` -> None.
    """
    if _PLAIN.fullmatch(number):
        return number
    if _GROUPED_BY_SPACE.fullmatch(number):
        return number.replace(" ", "").replace(",", ".")
    if _GROUPED_BY_COMMA.fullmatch(number):
        return number.replace(",", "")
    if _GROUPED_BY_DOT.fullmatch(number):
        return number.replace(".", "").replace(",", ".")
    if _GROUPED_BY_APOSTROPHE.fullmatch(number):
        return number.replace("'", "")
    if _DECIMAL_COMMA.fullmatch(number):
        return number.replace(",", ".")
    return None


def amount_tokens(found: regex.Match[str]) -> tuple[str, ...] | None:
    """The tokens of an `AMOUNT` match, the exact whole first; None when it is an identifier such as `4.2.1`.

    `$3.5M` -> `=$3500000`, `$3500000`, `3500000`, `3.5`.
    """
    number = plain_number(found["number"])
    if number is None:
        return None
    currency = _CURRENCY_OF.get((found["before"] or found["after"] or "").casefold(), "")
    unit = (found["magnitude"] or "").casefold()
    glued = bool(unit) and found.start("magnitude") == found.end("number")
    power = _MAGNITUDE_OF[unit] if unit and (glued or currency or unit not in _GLUED_ONLY) else Decimal(1)
    percent = "%" if found["percent"] else ""
    as_value = bool(currency or percent) or power != 1
    value = _written(Decimal(number) * power) if as_value else number
    whole = f"{currency}{value}{percent}"
    literal = () if power == 1 else (f"{number}{unit}",)
    # A space may also stand between two numbers of a table row.
    columns = found["number"].split(" ") if " " in found["number"] else ()
    return tuple(dict.fromkeys((EXACT + whole, whole, value, number, *literal, *columns)))


def _written(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
