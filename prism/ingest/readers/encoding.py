"""Bytes to text: which encoding, and how sure.

Order of evidence: a byte order mark; the padding zeros of UTF-16 and UTF-32; valid UTF-8; what the
document declares (HTML); else the code page under which the text is likeliest, judged character by
character (`likelihood.py`). Guesses are warned about. Nothing is dropped: bytes that fit nowhere become
U+FFFD and are counted.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from prism.errors import UnreadableError
from prism.ingest.readers.likelihood import CODE_PAGES, log_likelihood
from prism.ingest.readers.mojibake import undo_double_encoding

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_TEXT_CONTROLS = frozenset(b"\t\n\x0b\x0c\r\x1a\x1b")
_SAMPLE_BYTES = 20_000
_MAX_CONTROL_SHARE = 0.02
_MAX_NUL_SHARE = 0.3
_MAX_BROKEN_SHARE = 0.05
_WIDE_SIGNS = 0.9

_WEB_NAMES = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "iso-8859-9": "cp1254",
    "big5": "big5hkscs",
}
"""Labels that in practice mean a larger code page, as the WHATWG Encoding Standard lists them."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and what a person should know about how it was decoded."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes, name: str, *, declared: str = "") -> Decoded:
    """Decode a text file. `declared` is the encoding the document names for itself, if it does.

    Raises:
        UnreadableError: the bytes are not text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _meant(_with_known(data[len(mark) :], encoding))
    if wide := _wide_encoding(data):
        return _guessed(data.decode(wide, "replace"), wide)
    _refuse_binary(data, name)
    if (text := _strict(data, "utf-8")) is not None and b"\x1b$" not in data:
        return _meant(Decoded(text, "utf-8"))
    if declared and (text := _strict(data, _python_name(declared))) is not None:
        return Decoded(text, _python_name(declared))
    if repaired := _damaged_utf8(data):
        return repaired
    return _likeliest(data, name)


def _meant(decoded: Decoded) -> Decoded:
    text, repaired = undo_double_encoding(decoded.text)
    if not repaired:
        return decoded
    warning = f"{repaired} characters had been encoded twice and were put right"
    return Decoded(text, decoded.encoding, (*decoded.warnings, warning))


def _with_known(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    lost = text.count("\ufffd") - data.decode(encoding, "ignore").count("\ufffd")
    warnings = (f"{lost} bytes are not valid {encoding} and became U+FFFD",) if lost else ()
    return Decoded(text, encoding, warnings)


def _guessed(text: str, encoding: str) -> Decoded:
    return Decoded(text, encoding, (f"encoding guessed: {encoding}; check accented letters and signs",))


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (ValueError, LookupError):  # a name may hold what no codec's name does
        return None


def _python_name(label: str) -> str:
    name = label.strip().lower()
    return "utf-8" if name.startswith(("utf-16", "utf-32")) else _WEB_NAMES.get(name, name)


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: zeros keep to one place of each unit, or the text only makes
    sense in two-byte units (Indic UTF-16 looks like ASCII control characters)."""
    sample = data[: _SAMPLE_BYTES - _SAMPLE_BYTES % 4]
    if len(sample) < 4 or len(sample) % 2 or (not sample.count(0) and not _controls(sample)):
        return None
    for encoding in _WIDE:
        text = _strict(sample, encoding)
        if text and _reads_as_text(text) and _zeros_fit(sample, encoding):
            return encoding
    return None


def _reads_as_text(text: str) -> bool:
    """Letters, marks and signs of living blocks nearly throughout, and no control characters."""
    sensible = sum(_is_common(character) for character in text)
    return sensible >= _WIDE_SIGNS * len(text)


def _is_common(character: str) -> bool:
    code = ord(character)
    if code < 0x20:
        return character in "\t\n\r"
    return code < 0x7F or 0xA0 <= code < 0x1100 or 0x1E00 <= code < 0x2E00 or _is_east_asian(code)


def _is_east_asian(code: int) -> bool:
    return (
        0x3000 <= code < 0x3200
        or 0x4E00 <= code < 0xA000
        or 0xAC00 <= code < 0xD7A4
        or 0xFF00 <= code < 0xFFEF
        or 0x1F000 <= code < 0x20000
    )


def _zeros_fit(sample: bytes, encoding: str) -> bool:
    """Whether the zero bytes lie where this encoding puts them; without any, control bytes decide."""
    zeros = sample.count(0)
    width = 4 if encoding.startswith("utf-32") else 2
    high = range(width - 1, 0, -1) if encoding.endswith("le") else range(width - 1)
    in_place = sum(sample[place::width].count(0) for place in high)
    if width == 4:
        return zeros >= len(sample) // 2 and in_place >= _WIDE_SIGNS * zeros
    if zeros * 4 < len(sample) and sample.isascii() and not _controls(sample):
        return False  # ASCII with a stray zero, such as a C string's end
    if zeros * 20 < len(sample):
        return _controls(sample) * 5 > len(sample)
    return in_place >= _WIDE_SIGNS * zeros


def _controls(data: bytes) -> int:
    return sum(byte < 0x20 and byte not in _TEXT_CONTROLS and byte != 0 for byte in data)


def _refuse_binary(data: bytes, name: str) -> None:
    sample = data[:_SAMPLE_BYTES]
    controls, nuls = _controls(sample), sample.count(0)
    if controls > max(1, _MAX_CONTROL_SHARE * len(sample)) or nuls > max(1, _MAX_NUL_SHARE * len(sample)):
        raise UnreadableError(
            f"{name}: not a text file (it holds binary data). Convert it to text or PDF first."
        )


def _damaged_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with some bad bytes (a cut file, a pasted Windows-1252 line): mostly valid sequences."""
    broken = data.decode("utf-8", "replace").count("\ufffd")
    valid = len(data.decode("utf-8", "ignore")) - sum(byte < 0x80 for byte in data)
    if valid < 2 or broken > max(1, _MAX_BROKEN_SHARE * valid):
        return None
    text = data.decode("utf-8", "prism-cp1252")
    return Decoded(text, "utf-8", (f"{broken} bytes are not valid UTF-8 and were read as Windows-1252",))


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("prism-cp1252", _as_cp1252)


def _likeliest(data: bytes, name: str) -> Decoded:
    sample = _whole_lines(data)
    scored: list[tuple[float, str]] = []
    for code_page in CODE_PAGES:
        # A sample may end inside a two-byte character, so its last byte is not held against the page.
        text = _strict(sample, code_page) or _strict(sample[:-1], code_page)
        if text is not None:
            scored.append((log_likelihood(text, code_page), code_page))
    for _, code_page in sorted(scored, reverse=True):
        if (text := _strict(data, code_page)) is not None:
            return _guessed(text, code_page)
    if scored:
        best = max(scored)[1]
        text = data.decode(best, "replace")
        return Decoded(
            text, best, (f"encoding guessed: {best}; {text.count(chr(0xFFFD))} characters unreadable",)
        )
    raise UnreadableError(f"{name}: not a text file in any known encoding. Save it as UTF-8.")


def _whole_lines(data: bytes) -> bytes:
    """The lines that hold something beyond ASCII, up to the sample size: the others decide nothing."""
    if len(data) <= _SAMPLE_BYTES:
        return data
    lines = [line for line in data.splitlines(keepends=True) if not line.isascii()]
    return b"".join(lines)[:_SAMPLE_BYTES]
