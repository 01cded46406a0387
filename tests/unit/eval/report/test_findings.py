"""What stands out stands in the report, with what to try."""

from __future__ import annotations

from eval.diagnose.diagnose import NOTHING, diagnose
from eval.report.blocks import Bullets, Heading, Paragraph
from eval.report.findings import findings_section
from tests.unit.eval.report.results import alone, make_result, make_row, pair


def test_every_finding_of_the_result_is_listed_with_its_advice() -> None:
    findings = diagnose(make_result())
    assert findings, "a failed question is one"
    (listed,) = findings_section(alone()).blocks
    assert isinstance(listed, Bullets)
    assert len(listed.items) == len(findings)
    for item, finding in zip(listed.items, findings, strict=True):
        assert item.startswith(finding.says)
        assert item.endswith(finding.advice)


def test_healthy_result_gets_one_sentence() -> None:
    rows = [make_row(f"q{place}") for place in range(300)]
    assert diagnose(make_result(rows)) == ()
    assert findings_section(alone(rows)).blocks == (Paragraph(NOTHING),)


def test_each_result_has_its_own() -> None:
    blocks = findings_section(pair(make_result(name="other"))).blocks
    assert [block.text for block in blocks if isinstance(block, Heading)] == [
        "A: handmade (baseline)",
        "B: other",
    ]
