"""An EPUB's own files about itself: what it is called, what is in it, in which order, under which names."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from prism.errors import UnreadableError
from prism.ingest.readers.container import Container
from prism.ingest.readers.xml_tree import attribute, child, local_name, parse_xml

_SCRAMBLED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_TEXT_ENDINGS = (".xhtml", ".html", ".htm", ".xml")
_PAGE_DRESS = re.compile(r"^(?:page|pg|p)\b\.?\s*|[{}\[\]()]", re.I)
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"


@dataclass(frozen=True, slots=True)
class Item:
    """A file of the book, as its package lists it."""

    path: str
    media_type: str
    properties: str

    @property
    def is_text(self) -> bool:
        """Whether it is a document to read, no picture or sound."""
        return (
            "html" in self.media_type
            or "dtbook" in self.media_type
            or (
                not self.media_type.startswith(("image/", "audio/", "video/"))
                and self.path.lower().endswith(_TEXT_ENDINGS)
            )
        )


@dataclass(frozen=True, slots=True)
class Package:
    """What the OPF file says. `spine` is the reading order, `missing` what of it is not in the file."""

    title: str
    authors: tuple[str, ...]
    items: Mapping[str, Item]
    spine: tuple[Item, ...]
    contents: str
    missing: tuple[str, ...]


def read_package(container: Container, name: str) -> Package:
    """The package of an open EPUB.

    Raises:
        UnreadableError: there is none, it is damaged, or its documents are encrypted.
    """
    path = _package_path(container, name)
    root = _tree(container, path, name)
    if root is None:
        raise UnreadableError(f"{name}: damaged (no package file). Download or export the book again.")
    locked = _locked(container, name)
    folder = posixpath.dirname(path)
    items: dict[str, Item] = {}
    order: list[str] = []
    for element in root.iter():
        kind = local_name(element)
        if kind == "item":
            target = _found(container, _resolved(folder, attribute(element, "href")))
            items[attribute(element, "id")] = Item(
                target, attribute(element, "media-type").lower(), attribute(element, "properties").lower()
            )
        elif kind == "itemref":
            order.append(attribute(element, "idref"))
    order = order or [key for key, item in items.items() if item.is_text]
    listed = [items.get(key, Item(key, "application/xhtml+xml", "")) for key in dict.fromkeys(order)]
    spine = tuple(item for item in listed if item.is_text and item.path in container)
    if any(item.path in locked for item in spine):
        raise UnreadableError(
            f"{name}: copy protected (its text is encrypted). Add a copy without protection."
        )
    return Package(
        title=_metadata(root, "title")[:1][0] if _metadata(root, "title") else "",
        authors=tuple(_metadata(root, "creator")),
        items=items,
        spine=spine,
        contents=_contents_path(root, items),
        missing=tuple(item.path for item in listed if item.is_text and item.path not in container),
    )


def read_contents(
    container: Container, package: Package, name: str
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Names of documents by path, and by path and id the labels of the printed book's pages."""
    names: dict[str, str] = {}
    labels: defaultdict[str, dict[str, str]] = defaultdict(dict)
    if package.contents not in container:
        return names, labels
    root = _tree(container, package.contents, name)
    folder = posixpath.dirname(package.contents)
    for is_page, text, target in _entries(root) if root is not None else ():
        path, _, anchor = target.partition("#")
        path = _found(container, _resolved(folder, path))
        if is_page:
            labels[path][unquote(anchor)] = _PAGE_DRESS.sub("", text) or text
        elif text:
            names.setdefault(path, text)
    return names, labels


def _entries(root: Element) -> Iterator[tuple[bool, str, str]]:
    """Each entry of a table of contents: whether it is a page, its name, where it leads."""
    for element in root.iter():
        kind = local_name(element)
        if kind == "nav" and attribute(element, "type") in ("toc", "page-list"):
            for link in element.iter():
                if local_name(link) == "a" and attribute(link, "href"):
                    yield attribute(element, "type") == "page-list", _text(link), attribute(link, "href")
        elif kind in ("navpoint", "pagetarget"):
            label, content = child(element, "navlabel"), child(element, "content")
            if label is not None and content is not None:
                yield kind == "pagetarget", _text(label), attribute(content, "src")


def _package_path(container: Container, name: str) -> str:
    root = _tree(container, _CONTAINER, name) if _CONTAINER in container else None
    for element in root.iter() if root is not None else ():
        if local_name(element) == "rootfile" and attribute(element, "full-path") in container:
            return attribute(element, "full-path")
    return next((member for member in container.members if member.lower().endswith(".opf")), "")


def _contents_path(root: Element, items: Mapping[str, Item]) -> str:
    for item in items.values():
        if "nav" in item.properties.split():
            return item.path
    named = next((attribute(element, "toc") for element in root.iter() if local_name(element) == "spine"), "")
    if named in items:
        return items[named].path
    return next((item.path for item in items.values() if "dtbncx" in item.media_type), "")


def _locked(container: Container, name: str) -> set[str]:
    """Paths of encrypted parts; scrambled fonts are no lock."""
    root = _tree(container, _ENCRYPTION, name) if _ENCRYPTION in container else None
    found: set[str] = set()
    for element in root.iter() if root is not None else ():
        method = child(element, "encryptionmethod")
        reference = child(element, "cipherdata", "cipherreference")
        if reference is None or (method is not None and attribute(method, "Algorithm") in _SCRAMBLED_FONTS):
            continue
        found.add(_found(container, _resolved("", attribute(reference, "URI"))))
    return found


def _tree(container: Container, path: str, name: str) -> Element | None:
    return parse_xml(container.read(path), name).root if path in container else None


def _resolved(folder: str, href: str) -> str:
    path = unquote(href.partition("#")[0])
    return posixpath.normpath(posixpath.join(folder, path)).removeprefix("/") if path else ""


def _found(container: Container, path: str) -> str:
    """A member as it is spelt: writers mix capitals, and percent signs may be part of a name."""
    if path in container:
        return path
    return next((member for member in container.members if unquote(member).lower() == path.lower()), path)


def _metadata(root: Element, name: str) -> list[str]:
    top = child(root, "metadata")
    around = child(top, "dc-metadata") if top is not None else None
    fields = around if around is not None else top
    found = (
        [_text(element) for element in fields if local_name(element) == name] if fields is not None else []
    )
    return [text for text in found if text]


def _text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
