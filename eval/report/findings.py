"""What stands out in each result, and which settings to try."""

from __future__ import annotations

from collections.abc import Sequence

from eval.diagnose.diagnose import NOTHING, diagnose
from eval.outcome.result import Result
from eval.report.blocks import Block, Bullets, Paragraph, Section
from eval.report.sides import Side, under_headings


def findings_section(sides: Sequence[Side]) -> Section:
    """The findings of each side, in the order in which to read them."""
    return Section("What stands out", under_headings(sides, [_blocks(side.result) for side in sides]))


def _blocks(result: Result) -> tuple[Block, ...]:
    findings = diagnose(result)
    if not findings:
        return (Paragraph(NOTHING),)
    advised = (
        f"{finding.says} Try: {finding.advice}" if finding.advice else finding.says for finding in findings
    )
    return (Bullets(tuple(advised)),)
