"""The text of a mail's parts: header words, quoted and flowed lines, invitations, plain beside HTML."""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from collections.abc import Iterator, Sequence
from typing import Final

from prism.errors import UnreadableError
from prism.ingest.readers.encoding import decode

_WORD = re.compile(r"=\?([^?\s]+)\?([bq])\?([^?]*)\?=", re.I)
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?[^?\s]+\?[bq]\?)", re.I)
_FOLD = re.compile(r"\r?\n[ \t]*|\r")
_ARMOR = re.compile(r"-----BEGIN PGP MESSAGE-----.*?(?:-----END PGP MESSAGE-----|\Z)", re.S)
_SIGNED = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:\w+:.*\r?\n)*")
_SIGNATURE = re.compile(r"-----BEGIN PGP SIGNATURE-----.*?(?:-----END PGP SIGNATURE-----|\Z)", re.S)
_QUOTES = re.compile(r"(?:> ?)*>|")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_ADDRESSES = re.compile(r"<?\b(?:https?://|www\.|mailto:)\S+|\[(?:cid|image|Image)[^\]]*\]|[\[<]\d+[\]>]")
_WORDS = re.compile(r"\w+")

MAX_COMPARED_CHARS: Final = 200_000
"""Beyond it, words cut differently in the two forms of a text are not sought: the search is slow."""

CALENDAR_FIELDS: Final = {
    "SUMMARY": "Summary",
    "DTSTART": "Start",
    "DTEND": "End",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "LOCATION": "Place",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "STATUS": "Status",
    "DESCRIPTION": "Description",
}
"""What of an invitation (RFC 5545) a person looks for, and how it is named here."""


def header_text(value: str, name: str) -> str:
    """A header as a person reads it: unfolded, its encoded words (RFC 2047) decoded wherever they stand,
    raw 8-bit bytes decoded by what they are."""
    raw = value.encode("utf-8", "surrogateescape")
    text = _words(raw, "", name)
    text = _BETWEEN_WORDS.sub(r"\1", _FOLD.sub(" ", text))
    return " ".join(_decoded_words(text, name).split())


def _decoded_words(text: str, name: str) -> str:
    """Neighbouring words of one charset are joined as bytes first: bad writers cut inside a character."""
    parts: list[str] = []
    pending, charset, at = b"", "", 0
    for found in _WORD.finditer(text):
        if pending and (found.start() > at or found[1].lower() != charset):
            parts.append(_words(pending, charset, name))
            pending = b""
        parts.append(text[at : found.start()])
        charset = found[1].split("*")[0].lower()
        pending += _word_bytes(found[2].lower(), found[3])
        at = found.end()
    if pending:
        parts.append(_words(pending, charset, name))
    return "".join(parts) + text[at:]


def _words(data: bytes, charset: str, name: str) -> str:
    """Bytes of a header as text; what is no text is still shown, so that the rest of the mail is read."""
    try:
        return decode(data, name, declared=charset).text
    except UnreadableError:
        return data.decode("ascii", "replace")


def _word_bytes(encoding: str, payload: str) -> bytes:
    raw = payload.encode("utf-8", "surrogateescape")
    if encoding == "q":
        return quopri.decodestring(raw, header=True)
    try:
        return base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except binascii.Error:
        return raw


def body_text(data: bytes, charset: str, name: str) -> tuple[str, tuple[str, ...]]:
    """The text of a part, and warnings. The charset named is tried after what the bytes themselves say."""
    if charset.lower().replace("_", "-") in ("utf-7", "hz-gb-2312", "hz"):
        try:
            return data.decode("utf-7" if "7" in charset else "hz"), ()
        except UnicodeDecodeError:
            pass  # wrongly named: the bytes decide below
    decoded = decode(data, name, declared=charset)
    return decoded.text, decoded.warnings


def unflowed(text: str, *, deletes_space: bool) -> str:
    """`format=flowed` (RFC 3676): a line that ends in a space goes on in the next of its quoting depth."""
    lines: list[str] = []
    open_depth: int | None = None
    for line in text.splitlines():
        quotes = _QUOTES.match(line)
        mark = quotes[0] if quotes else ""
        depth, words = mark.count(">"), line[len(mark) :].removeprefix(" ")
        if open_depth == depth and words.rstrip("\r\n") != "-- ":
            joined = lines.pop()
            lines.append((joined[:-1] if deletes_space else joined) + words)
        else:
            lines.append(("> " if depth else "") + words)
        flows = words.endswith(" ") and words != "-- "
        open_depth = depth if flows else None
    return "\n".join(lines)


def without_armor(text: str) -> tuple[str, bool]:
    """Text without PGP's signatures and encrypted blocks, and whether there was one of the latter."""
    text = _SIGNATURE.sub("", _SIGNED.sub("", text))
    return _ARMOR.sub("", text), _ARMOR.search(text) is not None


def unsaid(plain: str, shown: str) -> str:
    """The paragraphs of a plain part with words that the HTML part beside it (`shown`) never says."""
    said = set(_WORDS.findall(shown.casefold()))
    run_together = "".join(_WORDS.findall(shown.casefold())) if len(shown) < MAX_COMPARED_CHARS else ""
    kept = []
    for paragraph in _PARAGRAPHS.split(plain):
        words = set(_WORDS.findall(_ADDRESSES.sub(" ", paragraph).casefold().replace("_", " ")))
        if any(word not in run_together for word in words - said):
            kept.append(paragraph.strip("\n"))
    return "\n\n".join(kept)


def calendar_lines(text: str) -> list[str]:
    """An invitation as lines such as `Place: Room 2`."""
    lines = []
    depth: list[str] = []
    for line in _unfolded(text):
        head, _, value = line.partition(":")
        field, *parameters = head.split(";")
        if field.upper() == "BEGIN":
            depth.append(value.upper())
        elif field.upper() == "END" and depth:
            depth.pop()
        elif depth[-1:] in (["VEVENT"], ["VTODO"], ["VJOURNAL"]) and field.upper() in CALENDAR_FIELDS:
            lines.append(f"{CALENDAR_FIELDS[field.upper()]}: {_calendar_value(value, parameters)}")
    return lines


def _unfolded(text: str) -> Iterator[str]:
    return (line for line in re.sub(r"\r?\n[ \t]", "", text).splitlines() if line.strip())


def _calendar_value(value: str, parameters: Sequence[str]) -> str:
    zone = next((item[5:] for item in parameters if item.upper().startswith("TZID=")), "")
    who = next((item[3:].strip('"') for item in parameters if item.upper().startswith("CN=")), "")
    if found := re.fullmatch(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?", value.strip()):
        year, month, day, hour, minute, utc = found.groups()
        clock = f" {hour}:{minute}" if hour else ""
        return f"{year}-{month}-{day}{clock}" + (" UTC" if utc else f" {zone}" if zone and hour else "")
    text = re.sub(r"\\([nN,;\\])", lambda sign: "\n" if sign[1] in "nN" else sign[1], value)
    text = re.sub(r"^mailto:", "", text, flags=re.I)
    return f"{who} <{text}>" if who and who != text else text
