"""Results as a report: the order in which a reader needs its sections."""

from __future__ import annotations

from collections.abc import Sequence

from eval.outcome.result import Result
from eval.report.baseline import baseline_section
from eval.report.blocks import Report
from eval.report.findings import findings_section
from eval.report.kinds import kinds_section
from eval.report.latencies import latency_section
from eval.report.measured import measured_section
from eval.report.quality import glossary_section, quality_section, short_section
from eval.report.refusals import refusals_section
from eval.report.sides import side_by_side
from eval.report.stages import stages_section
from eval.report.worst import worst_section


def build_report(results: Sequence[Result]) -> Report:
    """The report of some results; of several the first is the baseline.

    Raises:
        UsageError: there are none, or more than stand side by side.
    """
    sides = side_by_side(results)
    return Report(
        "Retrieval: " + " beside ".join(result.name for result in results),
        (
            short_section(sides),
            findings_section(sides),
            measured_section(sides),
            quality_section(sides),
            *((baseline_section(sides),) if len(sides) > 1 else ()),
            kinds_section(sides),
            stages_section(sides),
            refusals_section(sides),
            latency_section(sides),
            worst_section(sides),
            glossary_section(sides),
        ),
    )
