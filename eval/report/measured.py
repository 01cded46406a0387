"""What was measured and with what, so that somebody else can judge the numbers and measure them again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from eval.metrics.summarize import count
from eval.outcome.result import Result
from eval.report.blocks import Block, Bullets, Paragraph, Section, Table
from eval.report.sides import Side, under_headings
from eval.wording.figures import NONE

MOST_REASONS: Final = 10
"""Reasons listed; a set with more of them has one cause that the first ones show."""


def measured_section(sides: Sequence[Side]) -> Section:
    """Dataset, questions, models, code, machine; settings that differ from the defaults; what went wrong."""
    return Section(
        "What was measured",
        (
            *_warnings(sides),
            _facts_table(sides),
            _settings_block(sides),
            *under_headings(sides, [_left_out(side) for side in sides]),
        ),
    )


def facts(result: Result) -> Mapping[str, str]:
    """What a result rests on, label to value, in reading order."""
    counts = count(result.rows)
    without_gold = counts["asked"] - counts["scored"] - counts["unscorable"]
    return {
        "result": result.name,
        "dataset": result.dataset,
        "judged unit": result.unit,
        "dataset fingerprint": result.fingerprint,
        "questions asked": str(counts["asked"]),
        "questions scored": str(counts["scored"]),
        "questions without gold": str(without_gold),
        "questions unscorable": str(counts["unscorable"]),
        "questions failed": str(counts["failed"]),
        "questions left out (--limit, --language)": str(result.counts.get("cut", 0)),
        "passages per question (k)": str(result.k),
        **{f"model: {role}": name for role, name in result.models.items()},
        "index": _list_of(result.index),
        "commit": result.commit + (" with uncommitted changes" if result.dirty else ""),
        "date": result.date,
        "settings hash": result.settings_hash,
        "machine": _list_of(result.machine),
        "libraries": _list_of(result.libraries),
    }


def _facts_table(sides: Sequence[Side]) -> Table:
    columns = [facts(side.result) for side in sides]
    labels = dict.fromkeys(label for column in columns for label in column)
    return _words_table("What was measured, and with what", "", sides, labels, columns, NONE)


def _settings_block(sides: Sequence[Side]) -> Block:
    columns = [{name: _value(value) for name, value in side.result.settings.items()} for side in sides]
    names = sorted({name for column in columns for name in column})
    if not names:
        return Paragraph("All settings are the defaults.")
    caption = "Settings that differ from the defaults"
    return _words_table(caption, "setting", sides, dict.fromkeys(names), columns, "default")


def _words_table(
    caption: str,
    corner: str,
    sides: Sequence[Side],
    labels: Mapping[str, None],
    columns: Sequence[Mapping[str, str]],
    missing: str,
) -> Table:
    """A row a label, a column a side. What is as in the baseline says so: differences stand out."""
    rows = []
    for label in labels:
        values = [column.get(label, missing) or NONE for column in columns]
        others = ["as A" if value == values[0] else value for value in values[1:]]
        rows.append((label, values[0], *others))
    heads = tuple(side.letter or "value" for side in sides)
    return Table(caption, (corner, *heads), tuple(rows), text_columns=1 + len(sides))


def _warnings(sides: Sequence[Side]) -> list[Paragraph]:
    first, *others = sides
    return [
        Paragraph(
            f"{side.letter} is of another dataset, or another state of it, than A: numbers do not compare.",
            is_warning=True,
        )
        for side in others
        if side.result.fingerprint != first.result.fingerprint
    ]


def _left_out(side: Side) -> tuple[Block, ...]:
    """Why questions are unscorable or failed, each reason counted, and the run's own notes."""
    result = side.result
    blocks: list[Block] = []
    for title, reasons in (
        ("Unscorable questions by reason", [row.unscorable for row in result.rows if row.unscorable]),
        ("Failed questions by reason", [row.error for row in result.rows if row.error]),
    ):
        if reasons:
            blocks.append(_reasons_table(side.headed(title), reasons))
    if result.notes:
        blocks += [Paragraph("Notes of the run:"), Bullets(result.notes)]
    if not blocks:
        blocks.append(Paragraph("No question was unscorable, and none failed."))
    return tuple(blocks)


def _reasons_table(caption: str, reasons: Sequence[str]) -> Table:
    counted = Counter(reasons).most_common()
    rows = [(reason, str(times)) for reason, times in counted[:MOST_REASONS]]
    rest = counted[MOST_REASONS:]
    if rest:
        rows.append((f"{len(rest)} other reasons", str(sum(times for _, times in rest))))
    return Table(caption, ("reason", "questions"), tuple(rows))


def _list_of(values: Mapping[str, Any]) -> str:
    """Names with values; what has none (an index from the cache was not built) is passed over."""
    known = {name.replace("_", " "): _value(value) for name, value in values.items() if value is not None}
    return ", ".join(f"{name} {value}" for name, value in known.items())


def _value(value: Any) -> str:
    if value in ([], {}):
        return "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
