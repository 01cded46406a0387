"""DrawingML, which Word and PowerPoint share: paragraphs in shapes, charts and diagrams (SmartArt)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.number_format import shown
from prism.ingest.readers.wordxml import attribute, child, local, whole

_SKIPPED = frozenset(("rPr", "pPr", "endParaRPr", "extLst"))


def content(element: Element) -> Iterator[Element]:
    """An element's children; of alternatives (`mc:AlternateContent`) the first, which is the richest."""
    for inner in element:
        if local(inner) != "AlternateContent":
            yield inner
            continue
        chosen = child(inner, "Choice")
        chosen = child(inner, "Fallback") if chosen is None else chosen
        yield from content(chosen) if chosen is not None else ()


def paragraph_text(paragraph: Element) -> str:
    """The text of runs, fields and formulas; a slide's own number is left out."""
    return "".join(_pieces(paragraph)).strip()


def _pieces(element: Element) -> Iterator[str]:
    for part in content(element):
        kind = local(part)
        if kind == "t":
            yield part.text or ""
        elif kind == "br":
            yield "\n"
        elif kind == "tab":
            yield "\t"
        elif kind == "fld" and attribute(part, "type") == "slidenum":
            continue
        elif kind not in _SKIPPED:
            yield from _pieces(part)


def body_text(body: Element | None) -> str:
    """All paragraphs of a text body on one line, for cells, titles and labels."""
    if body is None:
        return ""
    paragraphs = (part for part in body.iter() if local(part) == "p")
    return " ".join(" ".join(paragraph_text(paragraph).split()) for paragraph in paragraphs).strip()


def write_chart(builder: TextBuilder, chart: Element) -> None:
    """A chart as what it says: its title, its axes, and a table with a row per category."""
    titles = [_title(part) for part in chart.iter() if local(part) == "title"]
    series = [part for part in chart.iter() if local(part) in ("ser", "series")]
    if titles := list(dict.fromkeys(filter(None, titles))):
        builder.block("Chart: " + "; ".join(titles))
    columns = [_column(one) for one in series]
    if not any(local(part) == "ser" for part in series):
        columns = list(_extended_columns(chart, series))
    for categories in dict.fromkeys(tuple(categories) for categories, _, _ in columns):
        same = [(name, values) for found, name, values in columns if tuple(found) == categories]
        length = max(len(categories), *(len(values) for _, values in same))
        rows = [["", *(name for name, _ in same)]] if any(name for name, _ in same) else []
        rows.extend(
            [_at(categories, place), *(_at(values, place) for _, values in same)] for place in range(length)
        )
        builder.table(rows, header=rows[0] if any(name for name, _ in same) else ())


def _title(title: Element) -> str:
    written = " ".join(body_text(part) for part in title.iter() if local(part) in ("rich", "txData"))
    return written.strip() or " ".join(
        (part.text or "").strip() for part in title.iter() if local(part) == "v"
    )


def _column(series: Element) -> tuple[list[str], str, list[str]]:
    """Categories, name and values of one series (bars, lines, points)."""
    name = " ".join(_points(child(series, "tx")))
    categories = _points(child(series, "cat")) or _points(child(series, "xVal"))
    values = _points(child(series, "val")) or _points(child(series, "yVal"))
    sizes = _points(child(series, "bubbleSize"))
    if sizes:
        values = [f"{number} ({_at(sizes, place)})" for place, number in enumerate(values)]
    return categories, name, values


def _extended_columns(
    chart: Element, series: Sequence[Element]
) -> Iterator[tuple[list[str], str, list[str]]]:
    """The same of the newer charts (waterfall, treemap…), whose data stand apart from their series."""
    names = [" ".join(_points(child(one, "tx"))) for one in series]
    data = [part for part in chart.iter() if local(part) == "data" and len(part)]
    for place, one in enumerate(data):
        texts = [_points(part) for part in one if local(part) == "strDim"]
        numbers = [_points(part) for part in one if local(part) == "numDim"]
        yield (texts or [[]])[0], _at(names, place), (numbers or [[]])[0]


def _points(element: Element | None) -> list[str]:
    """Cached values in the order of their index; a gap is an empty cell."""
    if element is None:
        return []
    code = next((part.text or "" for part in element.iter() if local(part) == "formatCode"), "")
    code = next((attribute(p, "formatCode") for p in element.iter() if attribute(p, "formatCode")), code)
    levels = [part for part in element.iter() if local(part) == "lvl"]
    found: dict[int, list[str]] = {}
    for level in reversed(levels or [element]):
        for part in level.iter():
            if local(part) == "pt" and attribute(part, "idx"):
                inner = child(part, "v")
                text = (part if inner is None else inner).text or ""
                found.setdefault(whole(attribute(part, "idx")), []).append(
                    shown(text.strip(), code or "General")
                )
    if not found:
        single = next((part.text or "" for part in element.iter() if local(part) == "v"), "")
        return [single.strip()] if single.strip() else []
    return [" ".join(found.get(place, ())) for place in range(min(max(found) + 1, 100_000))]


def _at(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""


def diagram_items(data: Element) -> list[tuple[int, str]]:
    """The nodes of a diagram with their depth, in the order of its outline."""
    points = {attribute(part, "modelId"): part for part in data.iter() if local(part) == "pt"}
    texts = {
        key: body_text(body)
        for key, point in points.items()
        if attribute(point, "type") != "pres" and (body := child(point, "t")) is not None
    }
    links = [
        part for part in data.iter() if local(part) == "cxn" and attribute(part, "type") in ("", "parOf")
    ]
    inner: dict[str, list[tuple[int, str]]] = {}
    for link in links:
        inner.setdefault(attribute(link, "srcId"), []).append(
            (whole(attribute(link, "srcOrd")), attribute(link, "destId"))
        )
    found: list[tuple[int, str]] = []
    seen: set[str] = set()
    below = {target for targets in inner.values() for _, target in targets}
    waiting = [(0, key) for key in reversed(points) if key not in below]
    while waiting:
        depth, key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        text = texts.get(key, "")
        if text:
            found.append((depth, text))
        waiting.extend((depth + bool(text), target) for _, target in sorted(inner.get(key, ()), reverse=True))
    found.extend((0, text) for key, text in texts.items() if text and key not in seen)
    return found


def write_diagram(builder: TextBuilder, data: Element) -> None:
    """A diagram as a list of its nodes."""
    for place, (depth, text) in enumerate(diagram_items(data)):
        builder.block("  " * depth + "- " + text, gap="\n" if place else "\n\n", kind="list")


def level_of(properties: Element | None) -> int:
    """A paragraph's depth in its list, from 0."""
    return min(whole(attribute(properties, "lvl")), 8)
