"""RTF's letters: bytes in the code page of their font, and Unicode with stand-ins for older programs."""

from __future__ import annotations

from typing import Final

from prism.ingest.readers.word_symbols import symbol

CODE_PAGES: Final = {
    0: "cp1252", 1: "", 77: "mac_roman", 78: "cp932", 79: "cp949", 80: "gbk", 81: "cp950",
    83: "mac_latin2",
    85: "mac_greek", 86: "mac_turkish", 89: "mac_cyrillic", 128: "cp932", 129: "cp949", 130: "johab",
    134: "gbk",
    136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
"""What a font's `\\fcharset` says of its bytes; 1 is the document's own code page."""

SYMBOL_CHARSET: Final = 2

_NUMBERED = {
    10000: "mac_roman",
    10007: "mac_cyrillic",
    936: "gbk",
    65001: "utf-8",
    1361: "johab",
    708: "cp1256",
}


class Letters:
    """Collects bytes and Unicode units and gives their text.

    `font_at` is the font that the font table is telling about.
    """

    def __init__(self) -> None:
        self.page = "cp1252"
        self.default_font = 0
        self.font_at = 0
        self.charsets: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._bytes = b""
        self._high = ""
        self._to_skip = 0

    def tell_charset(self, charset: int) -> None:
        """The charset of the font the table is telling about."""
        self.charsets[self.font_at] = charset

    def name_font(self, text: str) -> None:
        """A piece of the name of the font the table is telling about."""
        self._names[self.font_at] = self._names.get(self.font_at, "") + text.strip(" ;")

    def take(self, data: bytes) -> None:
        """Bytes of text, except those that stand in for a Unicode letter."""
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        self._bytes += data[skipped:]

    def skips_word(self) -> bool:
        """Whether a word that means a letter stands in for a Unicode letter."""
        self._to_skip -= (skips := self._to_skip > 0)
        return skips

    def stop_skipping(self) -> None:
        """Stand-ins end where a group or a paragraph does."""
        self._to_skip = 0

    def unicode(self, number: int, stand_ins: int, font: int) -> str:
        """The text up to and with a UTF-16 unit, which may be half a letter."""
        text = self._text(font)
        unit = chr(number & 0xFFFF)
        self._to_skip = stand_ins
        if "\udc00" <= unit <= "\udfff" and self._high:
            pair, self._high = self._high + unit, ""
            return text + pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        text += self._half()
        if "\ud800" <= unit <= "\udbff":
            self._high = unit
            return text
        if "\uf000" <= unit <= "\uf0ff":
            return text + symbol(f"{ord(unit):X}", self._names.get(font, "Symbol"))
        return text + unit

    def flush(self, font: int) -> str:
        """The text of what came together: letters of East Asian scripts are two bytes."""
        return self._text(font) + self._half() if self._bytes or self._high else ""

    def _half(self) -> str:
        """Half a letter whose other half did not come."""
        half, self._high = self._high, ""
        return half

    def _text(self, font: int) -> str:
        data, self._bytes = self._bytes, b""
        if not data:
            return ""
        font = font if font >= 0 else self.default_font
        charset = self.charsets.get(font, 1)
        if charset == SYMBOL_CHARSET:
            name = self._names.get(font, "Symbol")
            return "".join(symbol(f"{byte:X}", name) if byte > 0x20 else " " for byte in data)
        return self._half() + decoded(data, charset, self.page)


def code_page(number: int) -> str:
    """Python's name for a code page, Windows' Western one for an unknown."""
    name = _NUMBERED.get(number, f"cp{number}")
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name


def decoded(data: bytes, charset: int, document_page: str) -> str:
    """Bytes as text.

    Charset 0 is Western by the specification, but programs that know only one code page write it for any
    script: where most letters are beyond ASCII, they are of the document's code page.
    """
    page = CODE_PAGES.get(charset, "") or document_page
    if charset == 0 and document_page != "cp1252":
        beyond = sum(byte >= 0x80 for byte in data)
        if beyond > sum(chr(byte).isalpha() for byte in data if byte < 0x80):
            page = document_page
    return data.decode(page, "replace")
