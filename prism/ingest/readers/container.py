"""ZIP containers (Office, OpenDocument, EPUB): their parts, within limits."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from prism.errors import TooLargeError, UnreadableError
from prism.ingest.readers.protocol import SourceFile

MAX_RATIO: Final = 500.0
"""A part that unpacks to more than so many times its size is an attack, unless it is small; text and XML pack
by 5 to 50 times."""

MIN_SUSPECT_MB: Final = 10.0

_BROKEN = (
    zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError, ValueError,
    KeyError,
)  # fmt: skip


_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_PROLOG_BYTES = 100_000
"""A document type stands before the first element; nobody writes that much before it."""

_NOT_XML = (ElementTree.ParseError, LookupError, ValueError)
"""What a parser raises: also for an encoding it does not know, or cannot read."""


class Container:
    """An open container; every part is checked before it is unpacked."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive = archive
        self._name = name
        self.members = tuple(archive.namelist())
        self._damaged: dict[str, None] = {}

    def __contains__(self, member: str) -> bool:
        return member in self.members

    def read(self, member: str) -> bytes:
        """A part's bytes. Raises `UnreadableError` where it is missing or damaged."""
        try:
            with self._archive.open(member) as stream:
                return stream.read()
        except _BROKEN:
            raise _damaged(self._name, f"{member} cannot be unpacked") from None

    def xml(self, member: str) -> Element | None:
        """A part's root element, None where there is no such part.

        Raises:
            UnreadableError: not well-formed, or with a document type, which these formats never have.
        """
        if member not in self.members:
            return None
        content = self._without_entities(member)
        try:
            return ElementTree.fromstring(content)  # noqa: S314  (no document type, so no entities)
        except _NOT_XML as error:
            raise _damaged(self._name, f"{member} is not well-formed XML: {error}") from None

    def xml_or_none(self, member: str) -> Element | None:
        """The same for parts that a document can do without: a damaged one counts as missing, with a
        warning."""
        try:
            return self.xml(member)
        except UnreadableError:
            self._damaged[member] = None
            return None

    def warnings(self) -> tuple[str, ...]:
        """What of the file could not be read, so far."""
        if not self._damaged:
            return ()
        return (f"damaged and not read: {', '.join(self._damaged)}. Save the file again from its program",)

    def elements(self, member: str, *names: str) -> Iterator[Element]:
        """The elements of a part with one of these local names, each let go after its turn, so that a part
        of a million rows needs no memory for them.

        Raises:
            UnreadableError: missing or damaged, not well-formed, or with a document type.
        """
        stream = io.BytesIO(self._without_entities(member))
        path: list[Element] = []
        inside = 0
        try:
            # No document type, so no entities.
            for event, element in ElementTree.iterparse(stream, events=("start", "end")):  # noqa: S314
                is_wanted = element.tag.rpartition("}")[2] in names
                if event == "start":
                    path.append(element)
                    inside += is_wanted
                    continue
                path.pop()
                inside -= is_wanted
                if is_wanted and not inside:
                    yield element
                    if path:
                        path[-1].remove(element)
        except _NOT_XML as error:
            raise _damaged(self._name, f"{member} is not well-formed XML: {error}") from None

    def _without_entities(self, member: str) -> bytes:
        content = self.read(member)
        start = _COMMENT.sub(b"", content[:_PROLOG_BYTES].replace(b"\x00", b""))
        if b"<!DOCTYPE" in start:
            raise _damaged(self._name, f"a document type in {member}")
        return content


@contextmanager
def opened(file: SourceFile) -> Iterator[Container]:
    """A file as a container, while the block runs.

    Raises:
        UnreadableError: not a ZIP container, or damaged.
        TooLargeError: it unpacks to more than `read.max_unpacked_mb`, or one part to more than `MAX_RATIO`
            times its size.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except _BROKEN:
        raise UnreadableError(
            f"{file.name}: damaged (a broken ZIP container). Save or copy it again."
        ) from None
    with archive:
        _check_size(archive, file)
        yield Container(archive, file.name)


def _check_size(archive: zipfile.ZipFile, file: SourceFile) -> None:
    """Sizes as declared: unpacking never gives more than was declared."""
    parts = archive.infolist()
    size_mb = sum(part.file_size for part in parts) / 1_000_000
    if size_mb > file.settings.max_unpacked_mb:
        raise TooLargeError(
            f"{file.name}: unpacks to {size_mb:.0f} MB, over the limit of "
            f"{file.settings.max_unpacked_mb:g} MB. Raise read.max_unpacked_mb or split the file."
        )
    for part in parts:
        part_mb = part.file_size / 1_000_000
        if part_mb > MIN_SUSPECT_MB and part.file_size > MAX_RATIO * max(part.compress_size, 1):
            raise TooLargeError(
                f"{file.name}: {part.filename} unpacks to {part_mb:.0f} MB, over {MAX_RATIO:.0f} times its "
                "packed size. Save it again from its program."
            )


def _damaged(name: str, what: str) -> UnreadableError:
    return UnreadableError(f"{name}: damaged ({what}). Save it again.")
