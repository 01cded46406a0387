"""The sections of a report and their order."""

from __future__ import annotations

from eval.report.build import build_report
from tests.unit.eval.report.results import make_result

ALONE = [
    "In short",
    "What stands out",
    "What was measured",
    "Quality",
    "By kind of question",
    "Where gold is found and lost",
    "Abstention",
    "Latency",
    "Questions that went worst",
    "Measures",
]


def test_result_alone_has_no_baseline() -> None:
    report = build_report([make_result()])
    assert report.title == "Retrieval: handmade"
    assert [section.title for section in report.sections] == ALONE


def test_several_are_set_against_the_first() -> None:
    report = build_report([make_result(), make_result(name="other")])
    assert report.title == "Retrieval: handmade beside other"
    assert [section.title for section in report.sections] == [*ALONE[:4], "Against the baseline", *ALONE[4:]]
