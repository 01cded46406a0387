"""Builds the PDF and the DOCX of the sample collection from their texts, with the same content each time.

No time of writing is kept, and the PDF is not compressed, since compressors differ between machines.

Run: python eval/datasets/sample/build_documents.py [FOLDER]

A text has one block per line: `# title`, `## heading`, `|> a | b` a table's header row, `| a | b` a
row, `=== page` a page break, and anything else a paragraph.
"""

from __future__ import annotations

import io
import sys
import zipfile
from datetime import datetime
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import docx
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

HERE = Path(__file__).parent
FRONT_MATTER_SHEETS = 2
ZIP_DATE = (2024, 1, 1, 0, 0, 0)

Block = tuple[str, str]


def main(folder: Path) -> None:
    """Write both documents into `folder`."""
    (folder / "settlement-handbook.pdf").write_bytes(build_pdf(_blocks("settlement-handbook.txt")))
    (folder / "hr-policy.docx").write_bytes(build_docx(_blocks("hr-policy.txt")))


def build_pdf(blocks: list[Block]) -> bytes:
    """A PDF whose front matter is labelled i, ii and whose body starts at 1, as printed on the pages."""
    styles = getSampleStyleSheet()
    kinds = {"title": styles["Title"], "heading": styles["Heading2"], "paragraph": styles["BodyText"]}
    story: list[Flowable] = []
    for kind, group in groupby(
        blocks, key=lambda block: "table" if block[0] in ("header", "row") else block[0]
    ):
        texts = [text for _, text in group]
        if kind == "table":
            story += [Spacer(1, 3 * mm), Table([_cells(text) for text in texts]), Spacer(1, 3 * mm)]
        elif kind == "page":
            story.append(PageBreak())
        else:
            story += [Paragraph(escape(text), kinds[kind]) for text in texts]
    buffer = io.BytesIO()
    margins = {"leftMargin": 25 * mm, "rightMargin": 25 * mm, "topMargin": 25 * mm, "bottomMargin": 25 * mm}
    document = SimpleDocTemplate(
        buffer,
        pagesize=A4,
        invariant=1,
        pageCompression=0,
        title="Settlement Handbook",
        author="Sarovar Network",
        **margins,
    )
    document.build(story, onFirstPage=_number_page, onLaterPages=_number_page)
    return buffer.getvalue()


def build_docx(blocks: list[Block]) -> bytes:
    """A DOCX with headings and tables."""
    document = docx.Document()
    document.core_properties.title = "Human Resources Policy"
    document.core_properties.author = "Lokanet Quick Transfer Limited"
    document.core_properties.created = document.core_properties.modified = datetime(*ZIP_DATE)
    table = None
    for kind, text in blocks:
        if kind == "header":
            table = document.add_table(rows=1, cols=len(_cells(text)), style="Table Grid")
            _fill(table.rows[0], text)
        elif kind == "row" and table is not None:
            _fill(table.add_row(), text)
        elif kind in ("title", "heading"):
            document.add_heading(text, level=1 if kind == "title" else 2)
        else:
            document.add_paragraph(text)
    buffer = io.BytesIO()
    document.save(buffer)
    return _with_fixed_dates(buffer.getvalue())


def _blocks(name: str) -> list[Block]:
    lines = (HERE / "texts" / name).read_text(encoding="utf-8").splitlines()
    return [_block(line) for line in lines if line.strip()]


def _block(line: str) -> Block:
    marks = {"# ": "title", "## ": "heading", "|> ": "header", "| ": "row", "=== ": "page"}
    for mark, kind in marks.items():
        if line.startswith(mark):
            return kind, line[len(mark) :]
    return "paragraph", line


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.split("|")]


def _fill(row: docx.table._Row, text: str) -> None:
    for cell, value in zip(row.cells, _cells(text), strict=True):
        cell.text = value


def _number_page(canvas: Canvas, document: SimpleDocTemplate) -> None:
    sheet = document.page
    front = sheet <= FRONT_MATTER_SHEETS
    label = "i" * sheet if front else str(sheet - FRONT_MATTER_SHEETS)
    if sheet in (1, FRONT_MATTER_SHEETS + 1):
        canvas.addPageLabel(sheet - 1, style="ROMAN_LOWER" if front else "ARABIC", start=1)
    canvas.drawCentredString(A4[0] / 2, 12 * mm, label)


def _with_fixed_dates(data: bytes) -> bytes:
    """A zip holds the time of writing for each part; without it equal parts give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, ZIP_DATE), old.read(name), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "documents")
