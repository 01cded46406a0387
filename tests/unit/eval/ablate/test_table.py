"""An ablation as Markdown: what is sure is bold, and how much of it chance would make so."""

from __future__ import annotations

from eval.ablate.axes import Variant
from eval.ablate.run import Trial
from eval.ablate.table import ablation_table
from eval.bootstrap import Difference
from tests.unit.eval.rows import make_result, make_row

BASE = make_result(
    [make_row(ranking=("a",))],
    index={"leaves": 1234},
    latency_ms={"total": {"p50": 7.25, "p95": 9.0, "p99": 9.0}},
)
NO_TIMES = make_result([make_row(f"q{n}", error="SearchError: x") for n in range(6)], index={"leaves": 99})


def trial(label: str, **differences: Difference) -> Trial:
    named = {name.replace("_at_", "@"): difference for name, difference in differences.items()}
    return Trial(Variant("axis", label, {}), NO_TIMES, named)


def rows(table: str) -> list[list[str]]:
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_base_stands_first_with_its_means() -> None:
    table = ablation_table(BASE, [], metrics=("hit@1", "ndcg@10"))
    assert table.startswith("letters: 1 questions scored by document. Base: the defaults.\n")
    head, base = rows(table)
    assert head == ["choice", "hit in first place", "nDCG in the first 10", "leaves", "search p50, ms"]
    assert base == ["base", "1.000", "1.000", "1,234", "7.2"]
    assert "by chance" not in table


def test_a_difference_is_bold_where_its_interval_leaves_0_out() -> None:
    table = ablation_table(
        BASE,
        [
            trial("up", hit_at_1=Difference(0.1, 0.01, 0.2, 0.01)),
            trial("down", hit_at_1=Difference(-0.1, -0.2, -0.01, 0.01)),
            trial("even", hit_at_1=Difference(0.1, 0.0, 0.2, 0.06)),
        ],
        metrics=("hit@1",),
    )
    assert [row[1] for row in rows(table)[2:]] == [
        "**+0.100** (+0.010 to +0.200)",
        "**-0.100** (-0.200 to -0.010)",
        "+0.100 (+0.000 to +0.200)",
    ]
    assert rows(table)[2][2:] == ["99", "–"]


def test_of_fewer_than_six_questions_nothing_is_bold() -> None:
    few = make_result([make_row(f"q{n}", ranking=("a",)) for n in range(5)], index={"leaves": 99})
    sure = Trial(Variant("axis", "up", {}), few, {"hit@1": Difference(0.1, 0.01, 0.2, 0.01)})
    assert rows(ablation_table(BASE, [sure], metrics=("hit@1",)))[2][1] == "+0.100 (+0.010 to +0.200)"


def test_columns_stay_in_place_where_a_difference_is_missing() -> None:
    table = ablation_table(
        BASE, [trial("some", ndcg_at_10=Difference(0.0, 0.0, 0.0, 1.0))], metrics=("hit@1", "ndcg@10", "none")
    )
    assert [len(row) for row in rows(table)] == [5, 5, 5]
    assert rows(table)[2][1:3] == ["–", "+0.000 (+0.000 to +0.000)"]


def test_what_chance_would_make_bold_is_told() -> None:
    none = Difference(0.0, 0.0, 0.0, 1.0)
    # 30 choices by two measures are 60 comparisons, 5 % of which are 3.
    trials = [trial(str(number), hit_at_1=none, ndcg_at_10=none) for number in range(30)]
    assert "Of 60 comparisons about 3 would be bold by chance" in ablation_table(BASE, trials)
    assert "Of 2 comparisons about 1 would be" in ablation_table(BASE, trials[:1])


def test_changed_settings_of_the_base_are_named() -> None:
    table = ablation_table(make_result([make_row()], settings={"retrieval.k": 3}), [], metrics=())
    assert "Base: retrieval.k = 3." in table
