"""A document is found by what a person calls it."""

from __future__ import annotations

import unicodedata

import pytest

from eval.datasets.match import match

NAMES = (
    "handbook.pdf",
    "hr/leave policy.docx",
    "x/fees.csv",
    "y/fees.csv",
    "सूचना.txt",
    "résumé.md",
    "a, b.txt",
)


@pytest.mark.parametrize(
    ("wanted", "document"),
    [
        ("handbook.pdf", "handbook.pdf"),
        ("Handbook.PDF", "handbook.pdf"),
        ("handbook", "handbook.pdf"),
        ("leave policy.docx", "hr/leave policy.docx"),
        ("leave policy", "hr/leave policy.docx"),
        (r"C:\Users\asha\Documents\hr\Leave Policy.docx", "hr/leave policy.docx"),
        ("./handbook.pdf", "handbook.pdf"),
        ("y/fees.csv", "y/fees.csv"),
        (r"D:\corpus\x\fees", "x/fees.csv"),
        ("सूचना", "सूचना.txt"),
        (unicodedata.normalize("NFD", "résumé.md"), "résumé.md"),
        ("a, b.txt", "a, b.txt"),
    ],
)
def test_a_document_is_found(wanted: str, document: str) -> None:
    assert match(wanted, NAMES).documents == (document,)


def test_commas_may_stand_between_several() -> None:
    assert match("handbook.pdf, y/fees.csv,handbook", NAMES).documents == ("handbook.pdf", "y/fees.csv")


def test_one_unknown_among_several_makes_the_whole_unknown() -> None:
    found = match("handbook.pdf, nothing.pdf", NAMES)
    assert found.documents == ()
    assert "there is no document 'handbook.pdf, nothing.pdf'" in found.problem


@pytest.mark.parametrize(
    ("wanted", "near"),
    [("hadbook.pdf", "handbook.pdf"), ("Leave-Policy.pdf", "hr/leave policy.docx"), ("सूचन", "सूचना.txt")],
)
def test_the_nearest_is_suggested_for_a_misspelt_one(wanted: str, near: str) -> None:
    assert match(wanted, NAMES).problem == f"there is no document {wanted!r}. Is {near!r} meant?"


@pytest.mark.parametrize("wanted", ["zzzzzzzz", "/", "."])
def test_nothing_is_suggested_where_nothing_is_near(wanted: str) -> None:
    assert match(wanted, NAMES).problem == f"there is no document {wanted!r}."


def test_a_name_that_several_have_is_not_guessed() -> None:
    found = match("fees", NAMES)
    assert found.documents == ()
    assert (
        found.problem == "several documents are called 'fees': x/fees.csv, y/fees.csv. Write the folder too."
    )


def test_of_no_documents_none_is_meant() -> None:
    assert match("handbook.pdf", ()).problem == "there is no document 'handbook.pdf'."


def test_commas_between_paths_are_seen_before_slashes_within_them() -> None:
    found = match("docs/hr-policy.docx, docs/faq.md", ["faq.md", "hr-policy.docx"])
    assert found.documents == ("hr-policy.docx", "faq.md")


def test_the_same_name_in_another_folder_is_another_document() -> None:
    found = match("2024/wallet.txt", ["2022/wallet.txt"])
    assert found.documents == ()
    assert "Is '2022/wallet.txt' meant?" in found.problem
