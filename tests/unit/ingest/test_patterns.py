from __future__ import annotations

from pathlib import Path

import pytest

from prism.ingest.patterns import Pattern, Selection, is_pattern, split


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.pdf", "a.pdf", True),
        ("*.pdf", "A.PDF", True),
        ("*.pdf", "x/y/a.pdf", True),
        ("*.pdf", "a.pdf.txt", False),
        ("a.pdf", "apdf", False),
        ("drafts", "x/drafts/y.txt", True),
        ("drafts/", "x/drafts/y.txt", True),
        ("drafts", "x/drafts.txt", False),
        ("x/*.txt", "x/a.txt", True),
        ("./x/*.txt", "x/a.txt", True),
        ("x/*.txt", "x/y/a.txt", False),
        ("x/*.txt", "z/x/a.txt", False),
        ("x/**", "x/y/a.txt", True),
        ("**/y/*.txt", "y/a.txt", True),
        ("**/y/*.txt", "x/z/y/a.txt", True),
        ("x/**/a.txt", "x/a.txt", True),
        ("?.txt", "a.txt", True),
        ("?.txt", "ab.txt", False),
        ("[ab].txt", "b.txt", True),
        ("[!ab].txt", "b.txt", False),
        ("[a-c].txt", "b.txt", True),
        ("[a.txt", "[a.txt", True),
        ("a+(1).txt", "a+(1).txt", True),
        ("[]a].txt", "].txt", True),
        ("[\\].txt", "\\.txt", True),
        ("cafe\u0301*", "caf\u00e9.txt", True),
        ("विधि*", "विधि दस्तावेज़.pdf", True),
        ("*", "a\nb", True),
    ],
)
def test_a_path_fits_a_pattern_or_not(pattern: str, path: str, fits: bool) -> None:
    assert Pattern(pattern).fits(path) == fits


def test_an_anchored_pattern_fits_from_the_folder_on() -> None:
    assert not Pattern("*.pdf", anchored=True).fits("x/a.pdf")
    assert Pattern("x", anchored=True).fits("x/a.pdf")
    assert Pattern("*/*.pdf", anchored=True).may_fit_below("x")
    assert not Pattern("*/*.pdf", anchored=True).may_fit_below("x/y")
    assert Pattern("**/*.pdf", anchored=True).may_fit_below("x/y")


def test_a_pattern_begins_in_a_folder() -> None:
    assert split("docs/**/*.pdf") == (Path("docs"), "**/*.pdf")
    assert split("*.pdf") == (Path(), "*.pdf")
    assert split("/a b/x?/c") == (Path("/a b"), "x?/c")
    assert not is_pattern("docs/a.pdf")


def test_what_is_excluded_is_not_wanted_even_where_it_is_included() -> None:
    selection = Selection.of(["*.pdf"], ["old"])
    assert selection.wants("new/a.pdf")
    assert not selection.wants("old/a.pdf")
    assert not selection.wants("new/a.txt")
    assert selection.refusal("new", is_folder=True) == ""
