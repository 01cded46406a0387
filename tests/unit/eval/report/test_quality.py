"""Figures of quality: each with its interval and with the questions it rests on."""

from __future__ import annotations

from eval.outcome.result import Summary
from eval.report.blocks import Bullets, Definitions, Figure, Paragraph, Table
from eval.report.quality import NOT_SCORED, glossary_section, metric_names, quality_section, short_section
from tests.unit.eval.report.results import alone, make_result, make_row, pair


def row_of(table: object, title: str) -> tuple[str, ...]:
    assert isinstance(table, Table)
    return next(row for row in table.rows if row[0] == title)


def test_mean_over_nine_of_ten_is_shown_as_nine_of_ten() -> None:
    rows = [make_row(f"q{place}", metrics={"ndcg@10": 1.0}) for place in range(9)]
    rows.append(make_row("q9", unscorable="nowhere", metrics={"ndcg@10": None}))
    table = quality_section(alone(rows)).blocks[1]
    assert row_of(table, "nDCG in the first 10")[1:] == ("1.000 (1.000 to 1.000)", "9/10")
    assert row_of(short_section(alone(rows)).blocks[0], "nDCG in the first 10")[2] == "9/10"


def test_hand_made_means_are_those_of_the_questions() -> None:
    # nDCG@10 of q1 to q6 and q10: (1 + 1 + 0.631 + 0.5 + 0 + 0 + 1) / 7 = 4.131 / 7 = 0.590.
    table = quality_section(alone()).blocks[1]
    mean, questions = row_of(table, "nDCG in the first 10")[1:]
    assert mean.startswith("0.590 (")
    assert questions == "7/10"
    # Of the nine judged (all but the failed q6), q7, q8 and q10 were refused: 3 / 9.
    assert row_of(table, "abstain rate")[1].startswith("0.333 (")


def test_drawing_stands_before_the_table() -> None:
    drawing, table = quality_section(alone()).blocks
    assert isinstance(drawing, Figure)
    assert isinstance(table, Table)


def test_result_without_a_measure_has_a_dash() -> None:
    other = make_result(metrics={"hit@1": Summary(0.5, 0.4, 0.6, 4)})
    table = quality_section(pair(other)).blocks[1]
    assert isinstance(table, Table)
    assert table.head[1:] == (
        "A: mean (95 % interval)",
        "A: questions",
        "B: mean (95 % interval)",
        "B: questions",
    )
    assert row_of(table, "hit in first place")[3:] == ("0.500 (0.400 to 0.600)", "4/10")
    assert row_of(table, "nDCG in the first 10")[3:] == ("–", "–")


def test_nothing_scored_is_said_in_words() -> None:
    rows = [make_row(unscorable="nowhere", metrics={"ndcg@10": None}, abstained=None)]
    for sides in (alone(()), alone(rows)):
        assert quality_section(sides).blocks == (Paragraph(NOT_SCORED),)
        assert short_section(sides).blocks[0] == Paragraph(NOT_SCORED)
        assert glossary_section(sides).blocks == (Paragraph(NOT_SCORED),)


def test_failed_and_unscorable_questions_are_warned_of() -> None:
    _, failed, unscorable = short_section(alone()).blocks
    assert failed == Paragraph(
        "1 of 10 questions failed. They count as if nothing had been found.", is_warning=True
    )
    assert unscorable == Paragraph(
        "1 of 10 questions are unscorable and in no mean of a ranking.", is_warning=True
    )
    assert len(short_section(alone([make_row()])).blocks) == 1


def test_letters_are_explained_where_there_are_several() -> None:
    blocks = short_section(pair(make_result(name="other"))).blocks
    assert blocks[0] == Bullets(("A: handmade (baseline)", "B: other"))


def test_measures_come_in_the_order_of_the_catalogue_and_unknown_ones_last() -> None:
    value = Summary(0.5, 0.4, 0.6, 4)
    sides = alone(metrics=dict.fromkeys(("of_another_version", "hit@1", "ndcg@5"), value))
    assert metric_names(sides) == ("ndcg@5", "hit@1", "of_another_version")


def test_glossary_has_a_line_for_each_measure_shown() -> None:
    (definitions,) = glossary_section(alone()).blocks
    assert isinstance(definitions, Definitions)
    terms = [term for term, _ in definitions.items]
    assert terms[0] == "nDCG in the first 10"
    assert len(terms) == len(metric_names(alone()))
    assert all(meaning for _, meaning in definitions.items)
