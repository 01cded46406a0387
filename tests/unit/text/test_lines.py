"""Which single line breaks end a unit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from prism.text.lines import line_breaks
from prism.text.sentences import sentence_spans


def lines(text: str) -> list[str]:
    cuts = (0, *line_breaks(text).cuts, len(text))
    return [text[start:end].strip() for start, end in pairwise(cuts)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Bring", "- one", "- two"],
        ["Bring", "• एक", "• दो"],
        ["Do this", "1. open", "2. close"],
        ["Do this", "1) open", "2) close"],
        ["The member shall", "(a) pay, and", "(b) report; or", "(ii) leave."],
        ["(a) A list is given in Annex 5", "(b) Meetings are held."],
        ["A list is given in Annex 5", "(b) Meetings are held."],
        ["4.1 Scope", "4.2 Limits"],
        ["text", "# Heading", "more text"],
        ["name | fee", "RTGS | 25", "after the table"],
        ["| name | fee |", "|---|---|", "| RTGS | 25 |"],
        ["name: RTGS; fee: 25", "name: NEFT; fee: 5", "prose"],
        ["नाम: क; शुल्क: 5", "नाम: ख; शुल्क: 6"],
        ["Name: RTGS", "Fee: 25"],
        ["PAYMENT LIMITS", "The limit is five."],
        ["第一条 总则", "第二条 范围"],
    ],
)
def test_lines_of_lists_headings_and_tables_stand_alone(parts: list[str]) -> None:
    assert lines("\n".join(parts)) == parts
    assert lines("\r\n".join(parts)) == parts


@pytest.mark.parametrize(
    "text",
    [
        "a plain line\nthat was wrapped",
        "The Reserve\nFund of the network",
        "as required by section 7\n(a) of the rules",
        "it follows from section\n7. of the rules",
        "a book by J.\nK. Rowling",
        "the fee was raised by\n12. of the board",
        "LIABILITY OF THE NETWORK IS\nLIMITED AS STATED",
    ],
)
def test_a_wrapped_line_ends_nothing(text: str) -> None:
    assert lines(text) == [text]


def test_blank_lines_end_a_unit_and_the_blank_belongs_to_the_unit_before() -> None:
    text = "one\n \n\t\n  two\u2029three"
    assert line_breaks(text).cuts == (text.index("two"), text.index("three"))


def test_a_short_row_stays_whole_whatever_its_cells_hold() -> None:
    text = "code: A1; note: Pay now. Or later! Really.; fee: 5\ncode: A2; note: Go. On.; fee: 6\n"
    assert len(sentence_spans(text)) == 2


def test_rows_are_reported_with_their_line_break() -> None:
    assert line_breaks("x\na | b\ny").rows == ((2, 8),)
