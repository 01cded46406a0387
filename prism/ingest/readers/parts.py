"""How the parts of an Office file hang together (Open Packaging Conventions): by relationships, not by names.

Word, PowerPoint and other programs name their parts as they like; `_rels/.rels` says which is the main one,
and `x/_rels/y.xml.rels` what the part `x/y.xml` refers to.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from prism.ingest.readers.container import Container
from prism.ingest.readers.wordxml import attribute, local

MAIN = "officeDocument"
"""The relationship from the package to its main part."""


@dataclass(frozen=True, slots=True)
class Related:
    """One relationship: `kind` is the last word of its type, `target` a part or, outside, an address."""

    kind: str
    target: str
    is_outside: bool


class Parts:
    """The parts of an open container, found by their relationships."""

    def __init__(self, container: Container) -> None:
        self._container = container
        # Part names differ by more than case (OPC, section 6.2.2.3), yet some programs write them so.
        self._members = {member.lower(): member for member in container.members}
        self._related: dict[str, dict[str, Related]] = {}

    def main(self, usual: str) -> str:
        """The main part: as the package says, else by its usual name."""
        named = next((found.target for found in self.related("").values() if found.kind == MAIN), "")
        return named if self.member(named) else usual

    def member(self, part: str) -> str:
        """A part's name as it is written in the container, nothing where there is no such part."""
        return self._members.get(part.lstrip("/").lower(), "")

    def xml(self, part: str) -> Element | None:
        """A part's root element, None where there is no such part. Raises `UnreadableError`: damaged."""
        member = self.member(part)
        return self._container.xml(member) if member else None

    def xml_or_none(self, part: str) -> Element | None:
        """The same for parts that a document can do without: a damaged one counts as missing, and is named in
        the container's warnings."""
        member = self.member(part)
        return self._container.xml_or_none(member) if member else None

    def related(self, part: str) -> dict[str, Related]:
        """What a part refers to, by id; a missing or damaged list of relationships is empty."""
        if part not in self._related:
            folder, name = posixpath.split(part)
            root = self.xml_or_none(posixpath.join(folder, "_rels", f"{name}.rels"))
            self._related[part] = dict(_relations(root, folder))
        return self._related[part]

    def of_kind(self, part: str, kind: str) -> list[str]:
        """The parts of one kind that a part refers to, as far as they are there."""
        targets = (found.target for found in self.related(part).values() if found.kind == kind)
        return [target for target in targets if self.member(target)]

    def first(self, part: str, kind: str) -> Element | None:
        """The root of the first part of a kind, None where there is none that can be read."""
        return next((self.xml_or_none(target) for target in self.of_kind(part, kind)), None)


def _relations(root: Element | None, folder: str) -> Iterator[tuple[str, Related]]:
    for element in root if root is not None else ():
        if local(element) != "Relationship":
            continue
        target = attribute(element, "Target")
        is_outside = attribute(element, "TargetMode").lower() == "external"
        if not is_outside:
            target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
        kind = attribute(element, "Type").rpartition("/")[2]
        yield attribute(element, "Id"), Related(kind, target, is_outside)


def relation_id(element: Element | None, name: str = "id") -> str:
    """The id of the relationship an element names (`r:id`, `r:embed`), or nothing."""
    for key, value in element.attrib.items() if element is not None else ():
        namespace, _, found = key.rpartition("}")
        if found == name and "elationships" in namespace:
            return value
    return ""
