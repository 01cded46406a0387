"""XML by what it holds: articles and books as prose with headings, data as lines that name each value.

Prose (text beside elements, or paragraphs): titles open sections, lists, tables and code are what they are
called in the usual vocabularies (JATS, DocBook, TEI); any other element is a block when it holds blocks, else
part of its line. Data: elements that come again are rows (`name: France; capital: Paris`), each a page of its
own like a table's, when there is nothing else; single values are `name: value` lines.
"""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element

from prism.ingest.kinds import Kind
from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.jats import is_article, write_articles
from prism.ingest.readers.protocol import SourceFile
from prism.ingest.readers.xml_prose import ProseWriter, title_of
from prism.ingest.readers.xml_shape import is_group, is_prose, is_row, local_name_as_written, row, values_of
from prism.ingest.readers.xml_tree import parse_xml
from prism.types import SourceText


def read(file: SourceFile) -> SourceText:
    """Read an XML file. Raises `UnreadableError` when the bytes are not text."""
    tree = parse_xml(file.data, file.name)
    builder = TextBuilder()
    warnings = list(tree.warnings)
    title = ""
    if tree.root is None:
        builder.block(tree.text.strip())
        if tree.text.strip():
            warnings.append("not XML: it holds no element, and was read as plain text")
    elif any(map(is_article, tree.root.iter())):
        title = write_articles(builder, tree.root)
    elif is_prose(tree.root):
        title = title_of(tree.root)
        ProseWriter(builder).write(tree.root)
    else:
        _write_data(builder, tree.root)
    return builder.loaded(
        title=title or file.title,
        media_type=Kind.XML.value,
        warnings=warnings,
    )


def _write_data(builder: TextBuilder, root: Element) -> None:
    """Rows and values in the order of the document."""
    rows: list[tuple[int, int]] = []
    has_more = False
    stack = [(root, False)]
    while stack:
        element, comes_again = stack.pop()
        name = local_name_as_written(element)
        if comes_again and is_row(element):
            start = builder.block(row(element), gap="\n")
            rows.append((start, builder.length))
        elif element is not root and is_group(element):
            builder.block(row(element, name), gap="\n")
            has_more = True
        else:
            values = "; ".join(f"{key or name}: {text}" for key, text in values_of(element))
            builder.block(values, gap="\n")
            has_more = has_more or bool(values)
            names = Counter(inner.tag for inner in element)
            stack.extend((inner, names[inner.tag] > 1) for inner in reversed(list(element)))
    if not has_more:
        for number, (start, end) in enumerate(rows, 1):
            builder.page(1, f"row {number}", start, end)
