"""XML to a tree, safely and whatever state it is in.

Document types go before anything is parsed, so that no entity is ever expanded and nothing fetched; beyond
XML's own five, only the names HTML gives to characters are known. What is not well-formed is read again by
rules that lose no text: end tags that match nothing are passed over, a `<` that opens no tag is a sign.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from prism.ingest.readers.encoding import decode

_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']\s*([\w.:-]+)""", re.I)
_DECLARATION = re.compile(r"<\?xml\s[^>]*\?>", re.I)
_DOCTYPE = re.compile(
    r"""<!DOCTYPE(?:[^<>\["']|"[^"]*"|'[^']*')*+(?:\[(?:<!--.*?(?:-->|\Z)|"[^"]*"|'[^']*'|[^\]"'])*+\]\s*)?>""",
    re.I | re.S,
)
_REFERENCE = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[\w.-]{1,60})?(;?)", re.S
)
_DECLARES = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.I)
_MAX_PROLOG_CHARS = 20_000
_LOOKED_BACK = 100
"""How many open elements an end tag may close at once: a stray one must not cost a search of all."""

_OWN = ("amp", "lt", "gt", "quot", "apos")
_PIECE = re.compile(
    r"""<!--.*?(?:-->|\Z)|<!\[CDATA\[(?P<verbatim>.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<![A-Za-z][^>]*>"""
    r"""|<(?P<end>/?)(?P<name>[^\W\d][\w:.-]*)(?P<rest>(?:[^<>"']|"[^"]*"|'[^']*')*+|[^<>]*+)>""",
    re.S,
)
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")


@dataclass(frozen=True, slots=True)
class XmlTree:
    """A document's tree. `root` is None where there is no element at all; `text` is what was parsed."""

    root: Element | None
    text: str
    warnings: tuple[str, ...] = ()


def parse_xml(data: bytes, name: str) -> XmlTree:
    """The tree of an XML file. Raises `UnreadableError` when the bytes are not text."""
    declared = _DECLARED.search(data[:1000])
    decoded = decode(data, name, declared=declared[1].decode("ascii") if declared else "")
    text = _DECLARATION.sub("", decoded.text.replace("\x00", "").lstrip("\ufeff"))
    text, unknown = _known_references(_without_doctype(text))
    warnings = list(decoded.warnings)
    if unknown:
        listed = ", ".join(sorted(unknown)[:5])
        warnings.append(f"entities are never expanded; left as written: {listed}")
    try:
        if _DECLARES.search(text):
            raise ElementTree.ParseError("a document type that does not end or stands elsewhere")
        root: Element | None = ElementTree.fromstring(text)  # noqa: S314  (no document type, so no entities)
    except ElementTree.ParseError as error:
        root = _leniently(text)
        if root is not None:
            warnings.append(f"not well-formed XML ({error}); read as far as its tags make sense")
    return XmlTree(root, text, tuple(warnings))


def local_name(element: Element) -> str:
    """A tag's name without its namespace, in lower case."""
    return element.tag.rpartition("}")[2].rpartition(":")[2].lower()


def attribute(element: Element, name: str) -> str:
    """An attribute by its local name, or nothing."""
    found = (value for key, value in element.items() if key.rpartition("}")[2].rpartition(":")[2] == name)
    return next(found, "")


def child(element: Element, *path: str) -> Element | None:
    """The first child of a name, and so on down the path."""
    at: Element | None = element
    for name in path:
        at = next((inner for inner in at if local_name(inner) == name), None) if at is not None else None
    return at


def _without_doctype(text: str) -> str:
    start = text[:_MAX_PROLOG_CHARS].upper().find("<!DOCTYPE")
    found = _DOCTYPE.match(text, start) if start >= 0 else None
    return text[:start] + "\n" * found[0].count("\n") + text[found.end() :] if found else text


def _known_references(text: str) -> tuple[str, set[str]]:
    """References to HTML's characters become those characters, others and bare `&` are text."""
    unknown: set[str] = set()

    def replaced(found: re.Match[str]) -> str:
        name, closed = found[1], found[2]
        if not found[0].startswith("&"):
            return found[0]
        if not name or not closed:
            return "&amp;" + found[0][1:]
        if name in _OWN or name.startswith("#"):
            return found[0]
        character = html.unescape(f"&{name};")
        if character.startswith("&"):
            unknown.add(found[0])
            return f"&amp;{name};"
        return html.escape(character)

    return _REFERENCE.sub(replaced, text), unknown


def _leniently(text: str) -> Element | None:
    builder = ElementTree.TreeBuilder()
    builder.start("document", {})
    open_names: list[str] = []
    at, elements = 0, 0
    for found in _PIECE.finditer(text):
        builder.data(html.unescape(text[at : found.start()]))
        at = found.end()
        name = found["name"]
        if found["verbatim"]:
            builder.data(found["verbatim"])
        elif not name:
            continue
        elif not found["end"]:
            rest = found["rest"]
            builder.start(name, _attributes(rest))
            elements += 1
            if rest.rstrip().endswith("/"):
                builder.end(name)
            else:
                open_names.append(name)
        elif name in open_names[-_LOOKED_BACK:]:
            while open_names.pop() != name:
                builder.end("")
            builder.end(name)
    builder.data(html.unescape(text[at:]))
    for open_name in reversed(open_names):
        builder.end(open_name)
    builder.end("document")
    document = builder.close()
    is_whole = (
        len(document) == 1 and not (document.text or "").strip() and not (document[0].tail or "").strip()
    )
    return (document[0] if is_whole else document) if elements else None


def _attributes(rest: str) -> dict[str, str]:
    return {
        found[1]: html.unescape(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(rest)
    }
