"""A report as one HTML file that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from eval.report.blocks import (
    Block,
    Bullets,
    Definitions,
    Figure,
    Heading,
    Paragraph,
    QuestionDetails,
    Ranked,
    Report,
    Section,
    Table,
)
from eval.report.style import STYLE
from eval.wording.escape import as_html

# Even text that escaping missed could load and run nothing.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(report: Report) -> str:
    """The page."""
    title = as_html(report.title)
    contents = "".join(
        f'<li><a href="#{_anchor(section.title)}">{as_html(section.title)}</a></li>'
        for section in report.sections
    )
    body = "\n".join(_section(section) for section in report.sections)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<nav aria-label="Contents"><ul>{contents}</ul></nav>
{body}
</main>
</body>
</html>
"""


def _section(section: Section) -> str:
    anchor = _anchor(section.title)
    blocks = "\n".join(map(_block, section.blocks))
    return (
        f'<section aria-labelledby="{anchor}">\n<h2 id="{anchor}">{as_html(section.title)}</h2>\n'
        f"{blocks}\n</section>"
    )


def _block(block: Block) -> str:
    match block:
        case Paragraph(text, is_warning):
            name = ' class="warning"' if is_warning else ""
            return f'<p dir="auto"{name}>{as_html(text)}</p>'
        case Heading(text):
            return f"<h3>{as_html(text)}</h3>"
        case Bullets(items):
            points = (f'<li dir="auto">{as_html(item)}</li>' for item in items)
            return f"<ul>{''.join(points)}</ul>"
        case Definitions(items):
            pairs = (f"<dt>{as_html(term)}</dt><dd>{as_html(meaning)}</dd>" for term, meaning in items)
            return f"<dl>{''.join(pairs)}</dl>"
        case Table():
            return _table(block)
        case Figure(caption, svg):
            return f"<figure>\n{svg}\n<figcaption>{as_html(caption)}</figcaption>\n</figure>"
        case QuestionDetails():
            return _details(block)


def _table(table: Table) -> str:
    caption = as_html(table.caption)
    head = "".join(
        f'<th scope="col"{_number(column, table)}>{as_html(cell)}</th>'
        for column, cell in enumerate(table.head)
    )
    rows = "\n".join(f"<tr>{_cells(row, table)}</tr>" for row in table.rows)
    # It scrolls within its own box, which the keyboard reaches too.
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">\n<table>\n'
        f"<caption><span>{caption}</span></caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n"
        "</table>\n</div>"
    )


def _cells(row: Sequence[str], table: Table) -> str:
    first, *others = row
    cells = (
        f"<td{_number(column, table)}>{as_html(cell)}</td>" for column, cell in enumerate(others, start=1)
    )
    return f'<th scope="row">{as_html(first)}</th>{"".join(cells)}'


def _number(column: int, table: Table) -> str:
    return ' class="number"' if column >= table.text_columns else ""


def _details(block: QuestionDetails) -> str:
    language = f' lang="{as_html(block.language)}"' if block.language else ""
    facts = "".join(
        f'<dt>{as_html(label)}</dt><dd dir="auto">{as_html(value)}</dd>' for label, value in block.facts
    )
    ranking = "".join(map(_ranked, block.ranking))
    found = f'<ol class="ranking">{ranking}</ol>' if ranking else "<p>Nothing was found.</p>"
    summary = f'<b>{as_html(block.value)}</b> <span dir="auto"{language}>{as_html(block.question)}</span>'
    return f"<details>\n<summary>{summary}</summary>\n<dl>{facts}</dl>\n{found}\n</details>"


def _ranked(item: Ranked) -> str:
    unit = as_html(item.unit)
    return f'<li class="gold">{unit} <b>★ gold</b></li>' if item.is_gold else f"<li>{unit}</li>"


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
