"""OpenDocument files: their parts, what they say of themselves, formulas and charts inside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import Element

from prism.errors import UnreadableError
from prism.ingest.readers.container import Container, opened
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.wordxml import attribute, child, local


class OdfPackage:
    """An open file with its main part."""

    def __init__(self, container: Container, content: Element) -> None:
        self.content = content
        self.styles = container.xml_or_none("styles.xml")
        self._container = container

    def body(self, kind: str) -> Element | None:
        """The document's body: `text` or `presentation`."""
        return child(self.content, "body", kind)

    def title(self) -> str:
        """The title the file gives itself, or nothing."""
        found = child(self._container.xml_or_none("meta.xml"), "meta", "title")
        return " ".join("".join(found.itertext()).split()) if found is not None else ""

    def warnings(self) -> tuple[str, ...]:
        """What of the file could not be read, so far."""
        return self._container.warnings()

    def embedded(self, element: Element) -> Element | None:
        """The root of the document a `draw:object` shows, inside the element or in the container."""
        within = next((part for part in element if local(part) in ("math", "document")), None)
        if within is not None:
            return within
        name = attribute(element, "href").removeprefix("./").rstrip("/")
        return self._container.xml_or_none(f"{name}/content.xml") if name else None


@contextmanager
def package(file: SourceFile) -> Iterator[OdfPackage]:
    """An OpenDocument file, while the block runs.

    Raises:
        UnreadableError: damaged, password protected, or no document in it.
        TooLargeError: it unpacks to more than the limits.
    """
    with opened(file) as container:
        manifest = container.xml_or_none("META-INF/manifest.xml")
        if manifest is not None and any(local(part) == "encryption-data" for part in manifest.iter()):
            raise UnreadableError(
                f"{file.name}: password protected. Remove the password and add the file again."
            )
        content = container.xml("content.xml")
        if content is None:
            raise UnreadableError(f"{file.name}: damaged (it holds no document). Save it again.")
        yield OdfPackage(container, content)


def formula(math: Element) -> str:
    """A formula in MathML on one line: as its author typed it, where it says so."""
    typed = next((part for part in math.iter() if local(part) == "annotation" and part.text), None)
    if typed is not None:
        return " ".join((typed.text or "").split())
    return " ".join(" ".join(math.itertext()).split())
