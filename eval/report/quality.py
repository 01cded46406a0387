"""How good the rankings are: the main measures, then all of them, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eval.metrics.catalogue import CATALOGUE, describe
from eval.report.blocks import Block, Bullets, Definitions, Figure, Paragraph, Section, Table
from eval.report.interval_plot import interval_plot
from eval.report.sides import Side
from eval.wording.figures import NONE, interval, measure_title

HEADLINE: Final = ("ndcg@10", "recall@10", "hit@1", "context_recall")
"""Order, completeness, the first place, and what the answerer gets: as many as a reader keeps in mind."""

NOT_SCORED: Final = "No question could be scored, so there are no figures of quality."


def short_section(sides: Sequence[Side]) -> Section:
    """The main measures, and what must be known before they are trusted."""
    names = [name for name in HEADLINE if any(name in side.result.metrics for side in sides)]
    figures: Block = _table("Main measures", sides, names) if names else Paragraph(NOT_SCORED)
    letters = (Bullets(tuple(side.name for side in sides)),) if len(sides) > 1 else ()
    warnings = (warning for side in sides for warning in _warnings(side))
    return Section("In short", (*letters, figures, *warnings))


def quality_section(sides: Sequence[Side]) -> Section:
    """All measures as drawing and table."""
    names = metric_names(sides)
    if not names:
        return Section("Quality", (Paragraph(NOT_SCORED),))
    drawing = Figure("Means with 95 % intervals", interval_plot(sides, names))
    return Section("Quality", (drawing, _table("All measures", sides, names)))


def glossary_section(sides: Sequence[Side]) -> Section:
    """What each measure means, a line each."""
    meanings = [describe(name) for name in metric_names(sides)]
    if not meanings:
        return Section("Measures", (Paragraph(NOT_SCORED),))
    return Section(
        "Measures", (Definitions(tuple((metric.title, metric.definition) for metric in meanings)),)
    )


def metric_names(sides: Sequence[Side]) -> tuple[str, ...]:
    """The measures that any side has a mean of, in the catalogue's order; unknown ones follow."""
    held = dict.fromkeys(name for side in sides for name in side.result.metrics)
    return (
        *(name for name in CATALOGUE if name in held),
        *(name for name in held if name not in CATALOGUE),
    )


def _table(subject: str, sides: Sequence[Side], names: Sequence[str]) -> Table:
    heads = [side.headed(head) for side in sides for head in ("mean (95 % interval)", "questions")]
    rows = tuple(
        (measure_title(name), *(cell for side in sides for cell in _cells(side, name))) for name in names
    )
    return Table(f"{subject}. Questions: those with a value, of those asked", ("measure", *heads), rows)


def _cells(side: Side, name: str) -> tuple[str, str]:
    summary = side.result.metrics.get(name)
    if summary is None:
        return NONE, NONE
    return interval(summary), f"{summary.questions}/{len(side.result.rows)}"


def _warnings(side: Side) -> list[Block]:
    rows = side.result.rows
    failed, unscorable = sum(bool(row.error) for row in rows), sum(bool(row.unscorable) for row in rows)
    said = []
    if failed:
        said.append(f"{failed} of {len(rows)} questions failed. They count as if nothing had been found.")
    if unscorable:
        said.append(f"{unscorable} of {len(rows)} questions are unscorable and in no mean of a ranking.")
    return [Paragraph(side.headed(words), is_warning=True) for words in said]
