"""Outlook messages (MSG): read into the same form as other mail."""

from __future__ import annotations

import io
import struct
from email import message_from_string
from typing import Final

import olefile

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers import rtf
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.html import declared_charset
from prism.ingest.readers.lzfu import decompressed
from prism.ingest.readers.mail import MAX_DEPTH, MailWriter
from prism.ingest.readers.mail_text import body_text, header_text
from prism.ingest.readers.msg_store import Storage
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

SUBJECT, BODY, HTML, RTF, HEADERS, CLASS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D, 0x001A
SENDER, SENDER_SMTP, SENDER_ADDRESS, ON_BEHALF = 0x0C1A, 0x5D01, 0x0C1F, 0x0042
SHOWN_TO, SHOWN_CC, SHOWN_BCC = 0x0E04, 0x0E03, 0x0E02
SUBMITTED, DELIVERED = 0x0039, 0x0E06
RECIPIENT_KIND, DISPLAY_NAME, SMTP, ADDRESS = 0x0C15, 0x3001, 0x39FE, 0x3003
FILE_NAME, SHORT_NAME, MEDIA_TYPE, CONTENT = 0x3707, 0x3704, 0x370E, 0x3701
"""Property numbers, as [MS-OXPROPS] lists them."""

TEXT_ENDINGS: Final = (".txt", ".csv", ".md", ".log")

_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error, RecursionError,
           OverflowError, MemoryError)  # fmt: skip


def read(file: SourceFile) -> SourceText:
    """Read an Outlook message. Raises `UnreadableError` when it is damaged."""
    writer = MailWriter(TextBuilder(), file.name)
    try:
        with olefile.OleFileIO(io.BytesIO(file.data)) as ole:
            message = Storage(ole, file.name)
            subject = message.text(SUBJECT)
            _write(writer, message)
    except _BROKEN:
        raise UnreadableError(
            f"{file.name}: damaged (not a whole Outlook message). Save it again from Outlook."
        ) from None
    writer.attachments()
    return writer.builder.loaded(
        title=" ".join(subject.split()) or file.title, media_type=Kind.MSG.value, warnings=writer.warnings
    )


def _write(writer: MailWriter, message: Storage) -> None:
    writer.headers(_headers(message, writer.name))
    if "smime" in message.text(CLASS).lower() and "multipartsigned" not in message.text(CLASS).lower():
        writer.warn("the mail is encrypted: only its headers were read. Decrypt it and save it again")
        return
    _body(writer, message)
    for attachment in message.parts("__attach_version1.0_"):
        _attachment(writer, attachment)


def _headers(message: Storage, name: str) -> list[tuple[str, str]]:
    """As the mail was sent, where its headers were kept; else as Outlook shows them."""
    sent = message_from_string(message.text(HEADERS))
    values = {key: header_text(str(sent.get(key) or ""), name) for key in ("From", "To", "Cc", "Bcc", "Date")}
    people: dict[int, list[str]] = {}
    for recipient in message.parts("__recip_version1.0_"):
        address = recipient.text(SMTP) or recipient.text(ADDRESS)
        person = _person(recipient.text(DISPLAY_NAME), address)
        people.setdefault(recipient.whole(RECIPIENT_KIND) or 1, []).append(person)
    address = message.text(SENDER_SMTP) or message.text(SENDER_ADDRESS)
    shown = {
        "From": _person(message.text(SENDER) or message.text(ON_BEHALF), address),
        "To": ", ".join(people.get(1, ())) or message.text(SHOWN_TO),
        "Cc": ", ".join(people.get(2, ())) or message.text(SHOWN_CC),
        "Bcc": ", ".join(people.get(3, ())) or message.text(SHOWN_BCC),
        "Date": message.time(SUBMITTED) or message.time(DELIVERED),
    }
    lines = [(key, values[key] or shown[key]) for key in values]
    return [*lines, ("Subject", " ".join(message.text(SUBJECT).split()))]


def _person(name: str, address: str) -> str:
    mail = address if "@" in address else ""
    if not mail or name.strip("'\" ") == mail:
        return mail or name
    return f"{name} <{mail}>" if name else mail


def _body(writer: MailWriter, message: Storage) -> None:
    plain = message.text(BODY)
    markup = ""
    if data := message.markup(HTML):
        markup, warnings = body_text(data, declared_charset(data) or message.charset, writer.name)
        for warning in warnings:
            writer.warn(warning)
    if markup.strip():
        writer.both(plain, markup)
    elif plain.strip():
        writer.plain(plain)
    elif packed := message.binary(RTF):
        rich = decompressed(packed)
        if text := _rich_text(rich, writer.name):
            writer.plain(text)
        else:
            writer.warn("the text of the mail is in a form that could not be read. Save it as plain text")


def _rich_text(data: bytes, name: str) -> str:
    """The text of a body in RTF, nothing where it cannot be read."""
    try:
        return rtf.read(SourceFile(data, name, name)).text
    except UnreadableError:
        return ""


def _attachment(writer: MailWriter, attachment: Storage) -> None:
    inner = attachment.embedded(CONTENT)
    if inner is not None:
        if writer.depth >= MAX_DEPTH:
            writer.warn("parts nested too deep were left out")
            return
        writer.depth += 1
        writer.builder.heading(writer.depth, inner.text(SUBJECT) or "Forwarded mail")
        _write(writer, inner)
        writer.depth -= 1
        return
    data = attachment.binary(CONTENT)
    name = (
        attachment.text(FILE_NAME)
        or attachment.text(SHORT_NAME)
        or attachment.text(DISPLAY_NAME)
        or "unnamed"
    )
    media_type = attachment.text(MEDIA_TYPE) or "application/octet-stream"
    is_read = media_type in ("text/plain", "text/csv") or name.lower().endswith(TEXT_ENDINGS)
    text = ""
    if is_read and data.strip():
        try:
            text, _ = body_text(data, "", writer.name)
        except UnreadableError:
            is_read = False
    writer.attached(name, media_type, len(data), is_read=is_read)
    if text:
        writer.builder.heading(writer.depth + 1, name)
        writer.plain(text)
