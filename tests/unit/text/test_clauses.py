from __future__ import annotations

import time

from prism.text.clauses import clauses


def references(text: str) -> list[str]:
    return [item.reference for item in clauses(text)]


def test_items_are_named_by_the_number_above_them() -> None:
    assert references("7. Fees\n(a) berths\n(i) by day\n(ii) by night\n(b) cranes") == [
        "7(a)", "7(a)(i)", "7(a)(ii)", "7(b)",
    ]  # fmt: skip
    assert references("  > Section 4.2 (a) berths\n(b) cranes\n\nपैरा\nधारा 9 (a) शुल्क") == [
        "4.2(a)", "4.2(b)", "9(a)",
    ]  # fmt: skip


def test_a_number_on_the_line_below_its_word_is_one_mark() -> None:
    assert references("Section\n7. Fees\n(a) forty crowns") == ["7(a)"]


def test_a_long_text_without_clauses_takes_no_longer_by_the_line() -> None:
    began = time.perf_counter()
    assert clauses("The berth fee is forty crowns a day and no more.\n" * 100_000) == ()
    assert time.perf_counter() - began < 10
