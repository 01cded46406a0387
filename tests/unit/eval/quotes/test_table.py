from __future__ import annotations

from eval.quotes.judge import Judged
from eval.quotes.table import quotes_table


def row(best: bool, two: bool = True, quoted: bool = True, *, quotes: int = 2, ms: float = 10.0) -> Judged:
    return Judged(best, two, quoted, quotes, ms)


def cells(table: str, name: str) -> list[list[str]]:
    """The rows of this name, a list of cells each."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith(f"| {name} |")
    ]


def test_each_way_has_its_shares_with_intervals_and_what_it_took() -> None:
    slow = [row(False, ms=40.0), row(True, ms=60.0), row(True, False, False, quotes=1, ms=50.0), row(False)]
    table = quotes_table({"slow": slow})
    assert table.startswith("4 questions;")
    # Wilson, two and three of four: by hand .150 to .850 and .301 to .954.
    assert cells(table, "slow") == [
        [
            "slow",
            "0.500 (0.150 to 0.850)",
            "0.750 (0.301 to 0.954)",
            "0.750 (0.301 to 0.954)",
            "1.75",
            "45.0",
        ]
    ]
    assert "Beside" not in table


def test_the_others_are_set_beside_the_first_question_by_question() -> None:
    slow = [row(value, ms=50.0) for value in (True, False, False, False)]
    fast = [row(value, ms=5.0) for value in (False, True, True, False)]
    _, (_, best, two, _, ratio) = cells(quotes_table({"slow": slow, "fast": fast}), "fast")
    assert best.startswith("+0.250 (")
    assert best.endswith("+2 −1")
    assert two == "0.000 (0.000 to 0.000), +0 −0"
    assert ratio == "10.0"
