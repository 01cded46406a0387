"""The text of Word's paragraphs as a reader sees it, and what is met on the way: boxes, notes, objects."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from prism.ingest.readers.drawing import content
from prism.ingest.readers.officemath import linear
from prism.ingest.readers.word_symbols import raised, symbol
from prism.ingest.readers.wordxml import attribute, child, is_on, local, value, whole

REVISED = frozenset(("del", "moveFrom"))
"""Text that a tracked change takes out."""

_LEFT_OUT = REVISED | frozenset(
    ("instrText", "delText", "delInstrText", "pPr", "rPr", "sdtPr", "sdtEndPr", "rt", "rubyPr", "ffData")
)
_MAX_QUOTE_CHARS = 80


class WordText:
    """Reads paragraphs, counting the notes they refer to in order.

    `revised` and `hidden` tell whether anything was left out for being deleted or hidden; `objects` names
    embedded objects; `notes` are the ids of notes met since they were last taken, as (kind, id, number).
    """

    def __init__(self) -> None:
        self.revised = False
        self.hidden = False
        self.has_picture = False
        self.objects: list[str] = []
        self.notes: list[tuple[str, str, str]] = []
        self.commented: dict[str, str] = {}
        self._open_comments: dict[str, list[str]] = {}
        self._counts = {"footnote": 0, "endnote": 0}

    def of(self, element: Element) -> str:
        """The text of a paragraph without that of floating boxes."""
        return "".join(self._pieces(element))

    def _pieces(self, element: Element) -> Iterator[str]:
        for part in content(element):
            kind = local(part)
            if kind == "r":
                yield from self._run(part)
            elif kind in ("oMath", "oMathPara"):
                yield self._told(linear(part))
            elif kind == "sdt" and child(part, "sdtPr", "showingPlcHdr") is not None:
                continue  # The prompt of a field that nobody filled in.
            elif kind.startswith("commentRange"):
                self._comment_range(kind, attribute(part, "id"))
            elif kind in _LEFT_OUT:
                self.revised |= kind in REVISED
            elif kind == "ins":
                self.revised = True
                yield from self._pieces(part)
            elif kind != "txbxContent":
                yield from self._pieces(part)

    def _run(self, run: Element) -> Iterator[str]:
        properties = child(run, "rPr")
        if is_on(child(properties, "vanish")):
            self.hidden |= any(local(part) == "t" for part in run)
            return
        text = "".join(map(self._piece, content(run)))
        if value(child(properties, "vertAlign")) == "superscript":
            text = raised(text)
        yield self._told(text)

    def _piece(self, part: Element) -> str:
        kind = local(part)
        if kind == "t":
            return part.text or ""
        if kind in ("tab", "ptab"):
            return "\t"
        if kind in ("br", "cr"):
            return "\n"
        if kind == "noBreakHyphen":
            return "-"
        if kind == "sym":
            return symbol(attribute(part, "char"), attribute(part, "font"))
        if kind in ("footnoteReference", "endnoteReference"):
            return self._note(kind.removesuffix("Reference"), attribute(part, "id"))
        if kind == "fldChar":
            return _form_field(child(part, "ffData"))
        if kind in ("drawing", "pict", "object"):
            return self._drawing(part)
        return "".join(self._pieces(part)) if kind not in _LEFT_OUT and kind != "txbxContent" else ""

    def _drawing(self, part: Element) -> str:
        """The text of a box that stands in the line; what floats is read after the paragraph."""
        for inner in part.iter():
            kind = local(inner)
            if kind == "OLEObject":
                self.objects.append(attribute(inner, "ProgID") or "unknown")
            self.has_picture |= kind in ("pic", "imagedata")
        inline = inline_box(part)
        return f" {self.of(inline).strip()} " if inline is not None else ""

    def _note(self, kind: str, identifier: str) -> str:
        self._counts[kind] += 1
        number = str(self._counts[kind])
        self.notes.append((kind, identifier, number))
        return f" ({'note' if kind == 'footnote' else kind} {number})"

    def _comment_range(self, kind: str, identifier: str) -> None:
        if kind == "commentRangeStart":
            self._open_comments[identifier] = []
        elif identifier in self._open_comments:
            words = " ".join("".join(self._open_comments.pop(identifier)).split())
            if len(words) > _MAX_QUOTE_CHARS:
                words = words[:_MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + "…"
            self.commented[identifier] = words

    def _told(self, text: str) -> str:
        for words in self._open_comments.values():
            words.append(text)
        return text


def inline_box(drawing: Element) -> Element | None:
    """The only paragraph of a box that stands in the line of text; None for other drawings."""
    if local(drawing) != "drawing" or child(drawing, "inline") is None:
        return None
    boxes = list(boxes_in(drawing))
    paragraphs = [part for part in boxes[0] if local(part) == "p"] if len(boxes) == 1 else []
    return paragraphs[0] if len(paragraphs) == 1 == len(boxes[0]) else None


def boxes_in(element: Element) -> Iterator[Element]:
    """The text boxes anchored in a paragraph, of alternatives the first; boxes in boxes are left to them."""
    for part in content(element):
        if local(part) == "txbxContent":
            yield part
        elif local(part) not in _LEFT_OUT:
            yield from boxes_in(part)


def floating_boxes(paragraph: Element) -> Iterator[Element]:
    """The text boxes of a paragraph that do not stand in its line."""
    for part in content(paragraph):
        if local(part) == "txbxContent":
            yield part
        elif local(part) not in _LEFT_OUT and inline_box(part) is None:
            yield from floating_boxes(part)


def _form_field(data: Element | None) -> str:
    """What a form field of the old kind is set to: a tick box or a choice of a list."""
    box = child(data, "checkBox")
    if box is not None:
        state = child(box, "checked")
        return "☒" if is_on(child(box, "default") if state is None else state) else "☐"
    choice = child(data, "ddList")
    if choice is None:
        return ""
    entries = [value(one) for one in choice if local(one) == "listEntry"]
    chosen = whole(value(child(choice, "result")))
    return entries[chosen] if chosen < len(entries) else ""
