"""Jupyter notebooks: Markdown cells as Markdown, code verbatim with what it printed, a page span per cell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prism.errors import UnreadableError
from prism.ingest.kinds import Kind
from prism.ingest.readers import markdown
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.encoding import decode
from prism.ingest.readers.html import plain_text
from prism.ingest.readers.protocol import SourceFile
from prism.types import SourceText

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def read(file: SourceFile) -> SourceText:
    """Read a notebook. Raises `UnreadableError` when it is damaged or none."""
    decoded = decode(file.data, file.name)
    try:
        notebook = json.loads(decoded.text.lstrip("\ufeff"), strict=False)
    except ValueError as error:
        raise UnreadableError(f"{file.name}: damaged ({error}). Save it again from Jupyter.") from None
    except RecursionError:
        raise UnreadableError(
            f"{file.name}: damaged (nested too deeply). Save it again from Jupyter."
        ) from None
    if not isinstance(notebook, dict) or not isinstance(cells := _cells(notebook), list):
        raise UnreadableError(f"{file.name}: not a notebook (it has no cells). Save it again from Jupyter.")
    builder = TextBuilder()
    pictures = 0
    for number, cell in enumerate(cells, 1):
        before = builder.length
        pictures += _write(builder, cell if isinstance(cell, dict) else {})
        if builder.length > before:
            builder.page(1, f"cell {number}", before + len("\n\n") if before else 0)
    warnings = [f"{pictures} picture{'' if pictures == 1 else 's'} left out"] if pictures else []
    return builder.loaded(
        title=builder.first_heading or file.title,
        media_type=Kind.NOTEBOOK.value,
        warnings=(*decoded.warnings, *warnings),
    )


def _cells(notebook: Mapping[str, Any]) -> Any:
    """The cells; the third format, of before 2015, kept them on worksheets."""
    if isinstance(sheets := notebook.get("worksheets"), list):
        return [cell for sheet in sheets if isinstance(sheet, dict) for cell in _list(sheet.get("cells"))]
    return notebook.get("cells")


def _write(builder: TextBuilder, cell: Mapping[str, Any]) -> int:
    """Append a cell; returns how many pictures it printed."""
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "markdown":
        markdown.write(source, builder)
    elif kind == "heading":
        builder.heading(cell["level"] if isinstance(cell.get("level"), int) else 1, source)
    elif kind == "code":
        builder.block(source.rstrip(), kind="code")
    else:
        builder.block(source.rstrip())
    pictures = 0
    for output in _list(cell.get("outputs")):
        texts = list(_printed(output)) if isinstance(output, dict) else []
        for text in texts:
            builder.block(_COLOURS.sub("", text).strip("\n").rstrip(), kind="code")
        pictures += not texts and _has_picture(output)
    return pictures


def _printed(output: Mapping[str, Any]) -> Iterator[str]:
    if output.get("output_type") in ("error", "pyerr"):
        yield f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
        return
    data = output.get("data") if isinstance(output.get("data"), dict) else {}
    shown = {name: _joined(text) for name, text in (data or {}).items() if name.startswith("text/")}
    if _has_picture(output) and _is_name_of_object(shown.get("text/plain", "")):
        return
    text = _joined(output.get("text")) or shown.get("text/markdown") or shown.get("text/plain") or ""
    text = text or plain_text(shown.get("text/html", ""))
    if text.strip():
        yield text


def _is_name_of_object(text: str) -> bool:
    """What stands beside a picture: `<Figure size 640x480 with 1 Axes>`."""
    return not text.strip() or re.fullmatch(r"\s*<.*>\s*", text, re.S) is not None


def _has_picture(output: Any) -> bool:
    data = output.get("data") if isinstance(output, dict) else None
    names: Sequence[str] = (
        list(data) if isinstance(data, dict) else list(output if isinstance(output, dict) else ())
    )
    return any(name.startswith("image/") or name in ("png", "jpeg", "svg") for name in names)


def _joined(text: Any) -> str:
    """A text, which the format may write as a list of lines."""
    parts = text if isinstance(text, list) else [text]
    return "".join(part for part in parts if isinstance(part, str))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
