from __future__ import annotations

from prism.ingest.chunkers import fixed
from prism.types import BlockSpan, SectionSpan
from tests.chunked import leaves, plain

SIZES = {"fixed_tokens": 16, "fixed_overlap_tokens": 4}
NUMBERS = " ".join(map(str, range(40)))


def test_windows_are_full_and_share_their_overlap() -> None:
    assert leaves(fixed.cut, plain(NUMBERS), **SIZES) == [
        " ".join(map(str, range(16))),
        " ".join(map(str, range(12, 28))),
        " ".join(map(str, range(24, 40))),
    ]


def test_windows_go_over_the_ends_of_sentences() -> None:
    text = "One two three four five. " * 8
    found = leaves(fixed.cut, plain(text), **SIZES)
    assert found[0].endswith("five. One")


def test_a_heading_moves_on_with_the_first_word_under_it() -> None:
    before = " ".join(map(str, range(14)))
    text = f"{before}\n\nA Heading\n\nwords under it go on"
    source = plain(text, sections=(SectionSpan(text.index("A H"), ("A Heading",)),))
    first, second = leaves(fixed.cut, source, fixed_tokens=16, fixed_overlap_tokens=0)
    assert (first, second) == (before, "A Heading\n\nwords under it go on")


def test_a_block_that_does_not_fit_is_cut_between_its_lines() -> None:
    lines = [f"call {number} with five words now" for number in range(6)]
    code = "\n".join(lines)
    source = plain(code, blocks=(BlockSpan(0, len(code), "code"),))
    found = leaves(fixed.cut, source, fixed_tokens=16, fixed_overlap_tokens=0)
    assert found == ["\n".join(lines[at : at + 2]) for at in (0, 2, 4)]
