"""The survey as Markdown, by figures worked out by hand."""

from __future__ import annotations

from eval.survey.choices import BASE
from eval.survey.table import survey_table
from tests.unit.eval.survey.outcomes import make_outcome

# Of a hundred questions each: the base has every other right, `better` all, `even` the other half.
HALF = [1.0, 0.0] * 50
BETTER = [1.0] * 100
EVEN = [0.0, 1.0] * 50


def part(table: str, title: str) -> list[list[str]]:
    """The rows of the table under a title, without its head."""
    _, _, rest = table.partition(f"### {title}")
    lines = [line for line in rest.partition("###")[0].splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines][1:]


def test_each_set_has_a_table_with_its_choices_beside_the_base() -> None:
    outcomes = [make_outcome(ndcg=HALF), make_outcome(choice="dense", ndcg=BETTER, ms=None)]
    table = survey_table(outcomes)
    assert table.startswith("### sample: 100 questions, 1,234 leaves\n")
    base, dense = part(table, "sample")
    assert base == [BASE, "0.500 (0.000–1.000)", "–", "–", "–", "–", "", "7.2"]
    assert dense[:2] == ["dense", "1.000 (0.000–1.000)"]
    assert dense[6].startswith("**+0.500** (+0.4"), "it wins on every question on which they differ"
    assert dense[7] == "–"


def test_what_may_be_chance_is_not_bold() -> None:
    even = survey_table([make_outcome(ndcg=HALF), make_outcome(choice="dense", ndcg=EVEN)])
    assert part(even, "sample")[1][6].startswith("+0.000 (-0.")


def test_over_all_sets_each_counts_once_however_large() -> None:
    outcomes = [
        make_outcome("one", ndcg=HALF),
        make_outcome("one", "dense", BETTER),
        make_outcome("two", ndcg=[1.0, 1.0]),
        make_outcome("two", "dense", [0.0, 0.0]),
    ]
    table = survey_table(outcomes)
    assert "### All 2 sets, each counting once" in table
    base, dense = part(table, "All 2 sets")
    # (0.5 + 1) / 2 and (1 + 0) / 2. Two questions that both turn leave no doubt either.
    assert (base[:2], base[6:]) == ([BASE, "0.750"], ["", "0 / 0"])
    assert (dense[:2], dense[7]) == (["dense", "0.500"], "1 / 1")
    # (0.5 - 1) / 2
    assert dense[6].startswith("**-0.250** (")


def test_a_set_of_which_nothing_could_be_scored_does_not_count() -> None:
    outcomes = [
        make_outcome("one", ndcg=HALF),
        make_outcome("one", "dense", BETTER),
        make_outcome("two", ndcg=[None, None]),
        make_outcome("two", "dense", [None, None]),
    ]
    table = survey_table(outcomes)
    assert part(table, "two")[1] == ["dense", "–", "–", "–", "–", "–", "", "7.2"]
    dense = part(table, "All 2 sets")[1]
    assert (dense[1:6], dense[7]) == (["1.000", "–", "–", "–", "–"], "1 / 0")
    assert dense[6].startswith("**+0.500**")


def test_without_the_base_nothing_is_compared() -> None:
    table = survey_table([make_outcome(choice="dense", ndcg=HALF)])
    assert part(table, "sample")[0][6] == ""
    assert part(table, "All 1 sets")[0][6:] == ["", "0 / 0"]


def test_a_rung_of_the_ladder_is_compared_with_the_one_before() -> None:
    outcomes = [
        make_outcome(choice="dense alone", ndcg=HALF),
        make_outcome(choice="+ keyword", ndcg=BETTER),
        make_outcome(choice="+ context", ndcg=BETTER),
    ]
    table = survey_table(outcomes)
    dense, keyword, context = part(table, "sample")
    assert "against the rung before" in table
    assert dense[6] == ""
    assert keyword[6].startswith("**+0.500**")
    assert context[6] == "+0.000 (+0.000 to +0.000)"
    assert part(table, "All 1 sets")[1][7] == "1 / 0"


def test_where_all_are_compared_with_one_it_is_named() -> None:
    outcomes = [
        make_outcome(choice="fusion alone", ndcg=HALF),
        make_outcome(choice="rerank.weight 0.5", ndcg=BETTER),
        make_outcome(choice="rerank.weight 0.8", ndcg=HALF),
    ]
    table = survey_table(outcomes)
    assert "| nDCG@10 against fusion alone |" in table
    assert [row[6].split(" ")[0] for row in part(table, "sample")] == ["", "**+0.500**", "+0.000"]
