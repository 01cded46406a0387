"""What was measured is told in full, and what differs between results stands out."""

from __future__ import annotations

from eval.report.blocks import Bullets, Paragraph, Table
from eval.report.measured import facts, measured_section
from tests.unit.eval.report.results import alone, make_result, make_row, pair


def tables(blocks: tuple[object, ...]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Cells after the first by the first, by caption."""
    return {
        block.caption: {first: tuple(rest) for first, *rest in block.rows}
        for block in blocks
        if isinstance(block, Table)
    }


def test_questions_are_counted_by_what_became_of_them() -> None:
    # Ten asked: q7 is unscorable, q8 and q9 have no gold, the other seven are scored, q6 of them failed.
    told = facts(make_result())
    assert told["questions asked"] == "10"
    assert told["questions scored"] == "7"
    assert told["questions without gold"] == "2"
    assert told["questions unscorable"] == "1"
    assert told["questions failed"] == "1"
    assert told["questions left out (--limit, --language)"] == "3"


def test_code_models_and_machine_are_named() -> None:
    told = facts(make_result())
    assert told["commit"] == "0123456789ab with uncommitted changes"
    assert told["model: embedder"] == "fake-embedder"
    assert told["machine"] == "processor one of them, cores 2"
    assert told["date"] == "2026-01-02T03:04:05+00:00"
    assert facts(make_result(dirty=False))["commit"] == "0123456789ab"


def test_empty_facts_are_told_in_words_and_unknown_ones_not_at_all() -> None:
    assert facts(make_result(index={"failures": [], "built_in_s": None}))["index"] == "failures none"
    assert facts(make_result(index={}))["index"] == ""


def test_settings_that_differ_from_the_defaults_are_listed() -> None:
    assert tables(measured_section(alone()).blocks)["Settings that differ from the defaults"] == {
        "retrieval.k": ("8",)
    }
    defaults = measured_section(alone(settings={})).blocks
    assert Paragraph("All settings are the defaults.") in defaults


def test_what_is_as_in_the_baseline_says_so() -> None:
    other = make_result(name="other", settings={"gate.enabled": False}, models={})
    told = tables(measured_section(pair(other)).blocks)
    assert told["What was measured, and with what"]["dataset"] == ("ten questions", "as A")
    assert told["What was measured, and with what"]["result"] == ("handmade", "other")
    assert told["What was measured, and with what"]["model: embedder"] == ("fake-embedder", "–")
    assert told["Settings that differ from the defaults"] == {
        "gate.enabled": ("default", "false"),
        "retrieval.k": ("8", "default"),
    }


def test_reasons_are_counted_the_commonest_first() -> None:
    rows = [make_row(unscorable=reason) for reason in ("no file", "no quote", "no quote")]
    told = tables(measured_section(alone(rows)).blocks)
    assert list(told["Unscorable questions by reason"].items()) == [("no quote", ("2",)), ("no file", ("1",))]
    assert "Failed questions by reason" not in told


def test_many_reasons_are_cut_and_the_rest_counted() -> None:
    rows = [make_row(error=f"reason {place}") for place in range(12)]
    failed = tables(measured_section(alone(rows)).blocks)["Failed questions by reason"]
    assert len(failed) == 11
    assert failed["2 other reasons"] == ("2",)


def test_nothing_wrong_is_said_in_words_and_notes_are_kept() -> None:
    clean = measured_section(alone([make_row()], notes=("two files were empty",))).blocks
    assert Bullets(("two files were empty",)) in clean
    assert (
        Paragraph("No question was unscorable, and none failed.")
        in measured_section(alone([make_row()])).blocks
    )


def test_other_dataset_is_warned_of() -> None:
    warned = [
        block
        for block in measured_section(pair(make_result(fingerprint="cafe"))).blocks
        if isinstance(block, Paragraph) and block.is_warning
    ]
    assert len(warned) == 1
    assert "numbers do not compare" in warned[0].text
