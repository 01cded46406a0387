"""Mail as saved by a mail program (EML): headers a person looks for, then what the mail says.

Parts are read in order; of a text in two forms the HTML is read, and what only the plain form says is put
below it. Forwarded mails are sections with headers of their own, text attachments are read in, other
attachments are listed. The parser is asked for nothing but the raw parts (`compat32`): it never fails on
headers that break the rules.
"""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import Message
from typing import Final

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.html import declared_charset, write_page
from prism.ingest.readers.mail_text import (
    body_text,
    calendar_lines,
    header_text,
    unflowed,
    unsaid,
    without_armor,
)
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

SHOWN_HEADERS: Final = ("From", "To", "Cc", "Bcc", "Date", "Subject")
MAX_DEPTH: Final = 30
"""Mails and parts inside each other: deeper than any that was written by people."""

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
               "application/pgp-encrypted")  # fmt: skip
_OTHER_FORMS = ("text/enriched", "text/richtext", "text/x-amp-html", "text/watch-html", "text/rtf")
_SECRET = ("application/pkcs7-mime", "application/x-pkcs7-mime")


def read(file: SourceFile) -> SourceText:
    """Read a mail file. Raises `UnreadableError` when it is no mail."""
    mail = _parsed(_as_ascii_superset(file.data, file.name), file.name)
    writer = MailWriter(TextBuilder(), file.name)
    writer.mail(mail)
    writer.attachments()
    subject = header_text(_raw_header(mail, "Subject"), file.name)
    return writer.builder.loaded(
        title=subject or file.title, media_type=Kind.EML.value, warnings=writer.warnings
    )


def _as_ascii_superset(data: bytes, name: str) -> bytes:
    """A mail's bytes as the parser takes them: UTF-16 files turned into UTF-8, no mark, no empty lines."""
    sample = data[:1000]
    if data.startswith(_WIDE_MARKS) or sample.count(0) * 4 > len(sample):
        data = decode(data, name).text.encode()
    return data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n\x00")


def _parsed(data: bytes, name: str) -> Message:
    try:
        return message_from_bytes(data, policy=policy.compat32)
    except RecursionError:
        raise UnreadableError(
            f"{name}: damaged (parts nested without end). Save the mail again from its program."
        ) from None


def _raw_header(mail: Message, name: str) -> str:
    """A header as it stands; the parser's own look-up would replace 8-bit bytes."""
    return next((str(value) for key, value in mail.raw_items() if key.lower() == name.lower()), "")


@dataclass(slots=True)
class MailWriter:
    """Writes mails and their parts into one text."""

    builder: TextBuilder
    name: str
    depth: int = 0
    warnings: list[str] = field(default_factory=list)
    _listed: list[str] = field(default_factory=list)
    _unread: list[str] = field(default_factory=list)

    def mail(self, mail: Message) -> None:
        """Append a mail: its headers, then its parts."""
        self.headers([(name, self._header(mail, name)) for name in SHOWN_HEADERS])
        self.part(mail)

    def headers(self, values: list[tuple[str, str]]) -> None:
        """Append the headers that are filled, one a line."""
        self.builder.block("\n".join(f"{name}: {value}" for name, value in values if value))

    def attachments(self) -> None:
        """Append the list of what is attached, and warn of what of it was not read."""
        for place, line in enumerate(("Attachments:", *self._listed) if self._listed else ()):
            self.builder.block(line, gap="\n" if place else "\n\n", kind="list" if place else None)
        if self._unread:
            names = ", ".join(self._unread)
            self.warn(f"attachments were listed but not read ({names}); save them and add them by themselves")

    def attached(self, name: str, media_type: str, size: int, *, is_read: bool) -> None:
        """Note an attachment for the list."""
        self._listed.append(f"- {name} ({media_type}, {_size(size)})")
        if not is_read and not media_type.startswith("image/"):
            self._unread.append(name)

    def warn(self, warning: str) -> None:
        """Note a warning once."""
        if warning not in self.warnings:
            self.warnings.append(warning)

    def part(self, part: Message) -> None:
        """Append one part and those in it."""
        kind = part.get_content_type()
        if self.depth > MAX_DEPTH:
            self.warn("parts nested too deep were left out")
        elif kind == "multipart/encrypted" or (kind in _SECRET and not self._is_only_signed(part)):
            self.warn("the mail is encrypted: only its headers were read. Decrypt it and save it again")
        elif part.is_multipart():
            self.depth += 1
            self._parts(part, kind)
            self.depth -= 1
        elif self._is_attachment(part):
            self._attachment(part, kind)
        elif kind not in _SIGNATURES:
            self._text_part(part, kind)

    def html(self, markup: str) -> None:
        """Append a body written in HTML."""
        write_page(self.builder, markup)

    def plain(self, text: str) -> None:
        """Append a plain body, without PGP's blocks."""
        text, was_encrypted = without_armor(text)
        if was_encrypted:
            self.warn("a part of the mail is encrypted and was not read. Decrypt it and save it again")
        self.builder.block(text.strip("\r\n"))

    def both(self, plain: str, markup: str) -> None:
        """Append a body in its HTML form, then what only the plain form says."""
        page = TextBuilder()
        write_page(page, markup)
        shown = page.loaded(title="", media_type="").text
        self.html(markup)
        self.plain(unsaid(plain, shown) if shown else plain)

    def _parts(self, part: Message, kind: str) -> None:
        children = [child for child in part.get_payload() if isinstance(child, Message)]
        if kind == "multipart/alternative":
            self._alternative(children)
        elif kind == "message/rfc822":
            for child in (self._unpacked(part, child) for child in children):
                self.builder.heading(self.depth, self._header(child, "Subject") or "Forwarded mail")
                self.mail(child)
        elif kind == "message/delivery-status":
            for child in children:
                self.headers([(key, header_text(str(value), self.name)) for key, value in child.raw_items()])
        else:
            for child in children:
                self.part(child)

    def _alternative(self, children: list[Message]) -> None:
        """Plain and HTML as one, each found anywhere below; whatever else there is as it comes."""
        leaves = [leaf for child in children for leaf in child.walk() if not leaf.is_multipart()]
        forms = [leaf for leaf in leaves if not self._is_attachment(leaf)]
        plain = [leaf for leaf in forms if leaf.get_content_type() == "text/plain"]
        html = [leaf for leaf in forms if leaf.get_content_type() == "text/html"]
        if not plain or not html:
            for child in children:
                self.part(child)
            return
        self.both("\n\n".join(map(self._text, plain)), "\n".join(map(self._text, html)))
        for leaf in leaves:
            if leaf not in plain and leaf not in html and leaf.get_content_type() not in _OTHER_FORMS:
                self.part(leaf)

    def _unpacked(self, part: Message, child: Message) -> Message:
        """A forwarded mail; some programs write it in base64, which the standard forbids."""
        if str(part.get("Content-Transfer-Encoding") or "").strip().lower() != "base64":
            return child
        packed = "".join(str(child.get_payload()).split()).encode("ascii", "ignore")
        try:
            return _parsed(b64decode(packed), self.name)
        except ValueError:
            return child

    def _text_part(self, part: Message, kind: str) -> None:
        try:
            text = self._text(part)
        except UnreadableError:
            self.warn(f"a part ({kind}) is not text as it says it is, and was left out")
            return
        if kind == "text/html":
            self.html(text)
        elif kind == "text/calendar":
            self.builder.block("\n".join(calendar_lines(text)))
        else:
            self.plain(text)

    def _attachment(self, part: Message, kind: str) -> None:
        data = _content(part)
        name = header_text(part.get_filename() or "", self.name) or f"unnamed {kind}"
        is_named_text = name.lower().endswith((".txt", ".csv", ".md", ".ics", ".log"))
        is_read = is_named_text or (kind.startswith("text/") and kind not in _OTHER_FORMS)
        if kind in _SIGNATURES:
            return
        self.attached(name, kind, len(data), is_read=is_read)
        if is_read and data.strip():
            self.builder.heading(self.depth + 1, name)
            self._text_part(part, "text/calendar" if name.lower().endswith(".ics") else kind)

    def _is_attachment(self, part: Message) -> bool:
        if part.get_content_disposition() == "attachment" or part.get_filename():
            return True
        return part.get_content_maintype() not in ("text", "multipart", "message")

    def _text(self, part: Message) -> str:
        data = _content(part)
        charset = part.get_content_charset() or ""
        if part.get_content_type() == "text/html":
            charset = charset or declared_charset(data)
        text, warnings = body_text(data, charset, self.name)
        for warning in warnings:
            self.warn(warning)
        if str(part.get_param("format") or "").lower() == "flowed":
            return unflowed(text, deletes_space=str(part.get_param("delsp") or "").lower() == "yes")
        return text

    def _header(self, mail: Message, name: str) -> str:
        return header_text(_raw_header(mail, name), self.name)

    @staticmethod
    def _is_only_signed(part: Message) -> bool:
        return str(part.get_param("smime-type") or "").lower().startswith(("signed", "certs"))


def _content(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    if isinstance(payload, bytes):
        return payload
    return str(part.get_payload()).encode("utf-8", "surrogateescape")


def _size(size_bytes: int) -> str:
    if size_bytes < 1000:
        return f"{size_bytes} bytes"
    return f"{size_bytes / 1000:.0f} KB" if size_bytes < 1_000_000 else f"{size_bytes / 1_000_000:.1f} MB"
