from __future__ import annotations

import pytest

from prism.text.amounts import AMOUNT, amount_tokens, plain_number
from prism.text.tokens import tokenize


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("1,25,000", "125000"),
        ("1,250,000.5", "1250000.5"),
        ("1.234,50", "1234.50"),
        ("1.234.567", "1234567"),
        ("1'234'567", "1234567"),
        ("12 000", "12000"),
        ("1 234,57", "1234.57"),
        ("1 250 000.5", "1250000.5"),
        ("12,5", "12.5"),
        ("3.5", "3.5"),
        ("007", "007"),
        ("4.2.1", None),
        ("192.168.100.200", None),
        ("01.04.2025", None),
        ("1,2,3", None),
    ],
)
def test_grouping_is_dropped_and_identifiers_are_no_numbers(number: str, expected: str | None) -> None:
    assert plain_number(number) == expected


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("₹1,25,000", "₹125000"),
        ("Rs. 1,25,000/-", "₹125000"),
        ("Rs1,25,000", "₹125000"),
        ("INR 125000", "₹125000"),
        ("₹1.25 lakh", "₹125000"),
        ("1.25 लाख", "125000"),
        ("₹ 2 crore", "₹20000000"),
        ("$3.5M", "$3500000"),
        ("US$3.5 million", "$3500000"),
        ("3,5 Millionen €", "€3500000"),
        ("1.234,56 EUR", "€1234.56"),
        ("$25.00", "$25"),
        ("25 per cent", "25%"),
        ("12,5 %", "12.5%"),
        ("A$40", "a$40"),
        ("823", "823"),
        ("000", "000"),
    ],
)
def test_one_value_has_one_whole_token_marked_exact_and_plain(text: str, whole: str) -> None:
    found = AMOUNT.search(text)
    assert found
    assert (amount_tokens(found) or ())[:2] == (f"={whole}", whole)


def test_a_sum_holds_its_number_without_currency() -> None:
    found = AMOUNT.search("₹1,25,000")
    assert found
    assert amount_tokens(found) == ("=₹125000", "₹125000", "125000")


@pytest.mark.parametrize("text", ["please try 500 times", "5 m long", "2 B pencils"])
def test_everyday_words_are_no_currency_and_no_magnitude(text: str) -> None:
    found = AMOUNT.search(text)
    assert found
    tokens = amount_tokens(found) or ()
    assert tokens[1] in {"500", "5", "2"}


@pytest.mark.parametrize("text", ["LQT-6312", "v2", "7(b)", "10-K", "12A"])
def test_numbers_inside_identifiers_are_not_amounts(text: str) -> None:
    assert AMOUNT.search(text) is None


@pytest.mark.parametrize("text", ["1 234,56 €", "€1.234,56", "1,234.56 EUR", "€1\u202f234,56", "1234,56 €"])
def test_ret_11_a_sum_is_one_sum_however_thousands_and_cents_are_parted(text: str) -> None:
    assert "€1234.56" in tokenize(text)


def test_two_columns_of_numbers_are_found_one_by_one() -> None:
    assert {"1", "234"} <= set(tokenize("row 1 234"))
