"""Reads RTF group by group: what is text, and where it belongs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from prism.ingest.readers.rtf_document import CellEdge, Paragraph, RtfDocument
from prism.ingest.readers.rtf_letters import Letters, code_page
from prism.ingest.readers.rtf_tokens import Token, tokens
from prism.ingest.readers.rtf_words import CHARACTERS, EDGES, ENTERED, HEADING, SKIPPED, VARYING
from prism.ingest.readers.word_notes import ONLY_PAGE
from prism.ingest.readers.word_symbols import raised


@dataclass(slots=True)
class _Sink:
    """Where the text of a group goes; `done` takes it when the group ends."""

    kind: str
    parts: list[str] = field(default_factory=list)
    done: Callable[[str], None] | None = None


@dataclass(slots=True)
class _State:
    """What a group hands on to the groups inside it. Of the groups in an `\\upr` only the last is read."""

    sink: _Sink
    skips: bool = False
    is_twofold: bool = False
    font: int = -1
    stand_ins: int = 1
    hidden: bool = False
    deleted: bool = False
    is_raised: bool = False
    paragraph: Paragraph = field(default_factory=Paragraph)
    style_level: int | None = None


class RtfGroups:
    """Reads a file into `document`."""

    def __init__(self) -> None:
        self.document = RtfDocument()
        self.has_picture = False
        self.letters = Letters()
        self._levels: dict[int, int] = {}
        self._body = _Sink("body")
        self._state = _State(self._body)
        self._stack: list[_State] = []
        self._is_first = False
        self._is_ignorable = False
        self._mark: list[str] = []
        self._boxes: list[str] = []
        self._edges: list[CellEdge] = []
        self._cell = CellEdge(0)
        self._left = 0
        self._is_header_row = False
        self._in_row = False
        self._counts = {"note": 0, "endnote": 0}
        self._is_endnote = False
        self._author = ""
        self._instruction = ""
        self._style = 0
        self._seen: set[str] = set()
        self._is_complete = True

    def warnings(self) -> list[str]:
        """What was left out."""
        told = {
            "hidden": "hidden text was left out",
            "deleted": "tracked changes were read as if accepted",
            "object": "an embedded object was not read",
        }
        found = [text for key, text in told.items() if key in self._seen]
        return found if self._is_complete else [*found, "the file ends early: its end may be missing"]

    def read(self, data: bytes) -> None:
        """Read the whole file; one cut short is read as far as it goes."""
        for token in tokens(data):
            if token.word == "{":
                self._open()
            elif token.word == "}":
                self._close()
                if not self._stack:
                    break
            elif token.word == "*" and self._is_first:
                self._is_ignorable = True
            else:
                self._take(token)
                self._is_first = self._is_ignorable = False
        self._is_complete = not self._stack
        while self._stack:
            self._close()

    def _take(self, token: Token) -> None:
        if self._is_first and token.word and self._opens(token.word, token.number):
            return
        if self._state.skips:
            return
        if token.word:
            self._word(token.word, token.number)
        else:
            self.letters.take(token.text)

    # ── groups ──────────────────────────────────────────────────────────────────────────────────

    def _open(self) -> None:
        self._flush()
        self.letters.stop_skipping()
        self._stack.append(self._state)
        self._state = copy.copy(self._state)
        self._state.paragraph = copy.copy(self._state.paragraph)
        self._state.skips = self._state.skips or self._state.is_twofold
        self._state.is_twofold = False
        self._is_first, self._is_ignorable = True, False

    def _close(self) -> None:
        self._flush()
        self.letters.stop_skipping()
        self._is_first = self._is_ignorable = False
        if not self._stack:
            return
        if len(self._stack) == 1:
            self._paragraph_end()
        ended, self._state = self._state, self._stack.pop()
        if ended.sink is not self._state.sink and ended.sink.done is not None:
            ended.sink.done("".join(ended.sink.parts))

    def _opens(self, word: str, number: int | None) -> bool:
        """Whether the first word of a group was only there to say what the group is."""
        state = self._state
        if word == "ud" and self._is_ignorable and self._stack[-1].is_twofold:
            state.skips = False
            return True
        if state.skips:
            return True
        if word == "upr":
            state.is_twofold = True
            return True
        self.has_picture |= word == "pict"
        if word == "object":
            self._seen.add("object")
        is_form = word.startswith("m") and word.endswith("Pr")  # How a formula is set.
        if word in SKIPPED or is_form or (self._is_ignorable and word not in ENTERED):
            state.skips = True
            return True
        return self._redirects(word, number)

    def _redirects(self, word: str, number: int | None) -> bool:
        state = self._state
        if word in EDGES:
            self._begin(word, lambda text: self._edge(EDGES[word], text))
        elif word == "fldrslt" and state.sink.kind in EDGES and VARYING.match(self._instruction):
            state.skips = True
        elif state.sink.kind == "stylesheet":
            self._style = (number or 0) if word == "s" else 0
            self._begin("style", self._style_end)
            return False
        elif word in _COLLECTED and (word != "title" or state.sink.kind == "info"):
            done = _COLLECTED[word]
            self._begin(word, lambda text: done(self, text))
        else:
            return False
        return True

    def _begin(self, kind: str, done: Callable[[str], None]) -> None:
        self._state.sink = _Sink(kind, done=done)
        self._state.is_raised = False
        self._state.paragraph = Paragraph()

    def _comment(self, text: str) -> None:
        if said := " ".join(text.split()):
            author, self._author = self._author, ""
            self.document.comments.append(f"Comment{f' by {author}' if author else ''}: {said}")

    def _edge(self, name: str, text: str) -> None:
        lines = (" ".join(line.split()).strip(" |-–—") for line in text.splitlines())
        if kept := [line for line in lines if line and not ONLY_PAGE.fullmatch(line)]:
            self.document.edges.append(f"{name}: " + "\n".join(kept))

    def _note(self, text: str) -> None:
        kind = "endnote" if self._is_endnote else "note"
        self._is_endnote = False
        self._counts[kind] += 1
        self._state.sink.parts.append(f" ({kind} {self._counts[kind]})")
        if said := " ".join(text.split()):
            self.document.notes.append(f"{kind.capitalize()} {self._counts[kind]}: {said}")

    def _style_end(self, text: str) -> None:
        name = text.strip().rstrip(";").strip().lower()
        if name == "title":
            self._levels[self._style] = 0
        elif found := HEADING.match(name):
            self._levels[self._style] = int(found[1])

    # ── words ───────────────────────────────────────────────────────────────────────────────────

    def _word(self, word: str, number: int | None) -> None:
        if word == "u":
            state = self._state
            self._put(self.letters.unicode(number or 0, state.stand_ins, state.font))
        elif word in CHARACTERS:
            if not self.letters.skips_word():
                self._flush()
                self._put(CHARACTERS[word])
        elif handler := _HANDLERS.get(word):
            self._flush()
            self.letters.stop_skipping()
            handler(self, number)

    def _flush(self) -> None:
        self._put(self.letters.flush(self._state.font))

    def _put(self, text: str) -> None:
        state = self._state
        if state.skips or not text:
            return
        if state.sink.kind == "fonttbl":
            self.letters.name_font(text)
        elif state.hidden or state.deleted:
            if text.strip():
                self._seen.add("hidden" if state.hidden else "deleted")
        else:
            state.sink.parts.append(raised(text) if state.is_raised else text)

    def _paragraph_end(self, *, in_table: bool = False, nesting: int = 1) -> None:
        state = self._state
        if state.sink is not self._body:
            state.sink.parts.append("\n")
            return
        text, mark = "".join(self._body.parts), "".join(self._mark)
        self._body.parts.clear()
        self._mark.clear()
        form = state.paragraph
        in_table = in_table or form.in_table or self._in_row
        level = state.style_level if form.level is None else form.level
        nesting = max(nesting, form.nesting)
        self.document.paragraph(text, mark, replace(form, level=level, in_table=in_table, nesting=nesting))
        for box in self._boxes:
            self.document.box(box, in_table=in_table)
        self._boxes.clear()

    def _cell_end(self) -> None:
        self._state.paragraph.nesting = 1
        self._paragraph_end(in_table=True)
        if self._state.sink is self._body:
            self.document.cell_end()

    def _row_end(self) -> None:
        if self._state.sink is not self._body:
            return
        if "".join(self._body.parts).strip():
            self._cell_end()
        self._in_row = False
        self.document.row_end(self._edges, self._left, is_header=self._is_header_row)

    def _inner_cell_end(self) -> None:
        self._paragraph_end(in_table=True, nesting=2)
        if self._state.sink is self._body:
            self.document.inner_cell_end()

    def _inner_row_end(self) -> None:
        if self._state.sink is self._body or self._state.sink.kind == "nesttableprops":
            self.document.inner_row_end()

    def _row_begin(self) -> None:
        if self._state.sink is self._body:
            self._edges, self._cell, self._left, self._is_header_row = [], CellEdge(0), 0, False
            self._in_row = True

    def _cell_edge(self, right: int) -> None:
        if self._state.sink is self._body:
            self._edges.append(replace(self._cell, right=right))
        self._cell = CellEdge(0)

    def _paragraph_begin(self) -> None:
        self._state.paragraph = Paragraph()
        self._state.style_level = None

    def _plain(self) -> None:
        state = self._state
        state.hidden = state.deleted = state.is_raised = False
        state.font = -1

    def _font(self, number: int) -> None:
        if self._state.sink.kind == "fonttbl":
            self.letters.font_at = number
        else:
            self._state.font = number

    def _outline(self, number: int) -> None:
        level = number + 1 if 0 <= number < 9 else None
        if self._state.sink.kind != "style":
            self._state.paragraph.level = level
        elif level is not None:
            self._levels.setdefault(self._style, level)

    def _set(self, name: str, value: object) -> None:
        """A property of what follows in the group."""
        setattr(self._state, name, value)

    def _form(self, name: str, value: object) -> None:
        """A property of the paragraph."""
        setattr(self._state.paragraph, name, value)

    def _keep(self, name: str, value: object) -> None:
        """Something to be remembered across groups."""
        setattr(self, "_" + name, value)


_COLLECTED: Final[Mapping[str, Callable[[RtfGroups, str], None]]] = {
    **dict.fromkeys(("fonttbl", "stylesheet", "info", "nesttableprops"), lambda _groups, _text: None),
    "title": lambda groups, text: groups.document.name(text),
    "fldinst": lambda groups, text: groups._keep("instruction", text),
    "listtext": lambda groups, text: groups._mark.append(text.strip() or "•"),
    "pntext": lambda groups, text: groups._mark.append(text.strip() or "•"),
    "shptxt": lambda groups, text: groups._boxes.append(text),
    "dptxbxtext": lambda groups, text: groups._boxes.append(text),
    "atnauthor": lambda groups, text: groups._keep("author", " ".join(text.split())),
    "annotation": lambda groups, text: groups._comment(text),
    "footnote": lambda groups, text: groups._note(text),
}
"""Groups whose text is not the running text, and who takes it at their end."""

_HANDLERS: Final[Mapping[str, Callable[[RtfGroups, int | None], None]]] = {
    **dict.fromkeys(("par", "sect", "\n", "\r"), lambda groups, _: groups._paragraph_end()),
    "page": lambda groups, _: groups._put("\n"),
    "cell": lambda groups, _: groups._cell_end(),
    "row": lambda groups, _: groups._row_end(),
    "nestcell": lambda groups, _: groups._inner_cell_end(),
    "nestrow": lambda groups, _: groups._inner_row_end(),
    "trowd": lambda groups, _: groups._row_begin(),
    "trleft": lambda groups, number: groups._keep("left", number or 0),
    "trhdr": lambda groups, _: groups._keep("is_header_row", True),
    "clmrg": lambda groups, _: groups._keep("cell", replace(groups._cell, across=True)),
    "clvmgf": lambda groups, _: groups._keep("cell", replace(groups._cell, down="restart")),
    "clvmrg": lambda groups, _: groups._keep("cell", replace(groups._cell, down="continue")),
    "cellx": lambda groups, number: groups._cell_edge(number or 0),
    "pard": lambda groups, _: groups._paragraph_begin(),
    "plain": lambda groups, _: groups._plain(),
    "intbl": lambda groups, _: groups._form("in_table", True),
    "itap": lambda groups, number: groups._form("nesting", 1 if number is None else number),
    "ilvl": lambda groups, number: groups._form("depth", min(max(number or 0, 0), 8)),
    "outlinelevel": lambda groups, number: groups._outline(number or 0),
    "s": lambda groups, number: groups._set("style_level", groups._levels.get(number or 0)),
    "f": lambda groups, number: groups._font(number or 0),
    "deff": lambda groups, number: setattr(groups.letters, "default_font", number or 0),
    "fcharset": lambda groups, number: groups.letters.tell_charset(number or 0),
    "ansicpg": lambda groups, number: setattr(groups.letters, "page", code_page(number or 1252)),
    "mac": lambda groups, _: setattr(groups.letters, "page", "mac_roman"),
    "pc": lambda groups, _: setattr(groups.letters, "page", "cp437"),
    "pca": lambda groups, _: setattr(groups.letters, "page", "cp850"),
    "uc": lambda groups, number: groups._set("stand_ins", 1 if number is None else max(number, 0)),
    "v": lambda groups, number: groups._set("hidden", number != 0),
    "deleted": lambda groups, number: groups._set("deleted", number != 0),
    "super": lambda groups, number: groups._set("is_raised", number != 0),
    "nosupersub": lambda groups, _: groups._set("is_raised", False),
    "ftnalt": lambda groups, _: groups._keep("is_endnote", True),
}
"""Words that change how or where what follows is read."""
