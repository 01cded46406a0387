from __future__ import annotations

from dataclasses import replace

import pytest

from prism.query.assemble import assemble, page_refs, print_order
from prism.types import Copy, Merged, Node, PageRef, PageSpan, Passage


def node(name: str, document: str = "doc") -> Node:
    return Node(name, document, 3, 0, 0, None, 10, 14, "text", header="A | B")


NODES = {name: node(name) for name in "abc"} | {"d": node("d", "other")}
NAMES = {"doc": "rules.pdf", "other": "other.pdf"}


def passages(*names: str, names_of=NAMES) -> tuple[Passage, ...]:
    ranked = [Merged(name, (name,), 1.0 / at, {"dense": at}) for at, name in enumerate(names, 1)]
    return assembled(*ranked, nodes=NODES, names=names_of)


def assembled(*ranked: Merged, nodes=NODES, names=NAMES) -> tuple[Passage, ...]:
    return assemble(ranked, nodes=nodes, names=names, pages_of=lambda item: [PageSpan(4, "iv", 0, 20)])


def test_passages_are_numbered_by_relevance_from_1() -> None:
    first, second = passages("b", "a")
    assert (first.rank, first.node_id, second.rank, second.node_id) == (1, "b", 2, "a")
    assert (first.document, first.document_id, first.generation) == ("rules.pdf", "doc", 3)
    assert (first.start, first.end, first.text, first.header) == (10, 14, "text", "A | B")
    assert (first.pages, first.score, first.legs) == ((PageRef("iv", 4),), 1.0, {"dense": 1})


def test_what_is_gone_meanwhile_is_passed_over_and_leaves_no_gap_in_the_numbers() -> None:
    found = passages("gone", "a", "d", "b", names_of={"doc": "rules.pdf"})
    assert [(item.rank, item.node_id) for item in found] == [(1, "a"), (2, "b")]


def test_nothing_gives_nothing() -> None:
    assert passages() == ()


def test_a_passage_lists_its_copies_and_a_copy_names_what_it_repeats() -> None:
    first, second, third = assembled(
        Merged("a", ("a",), 0.9, copies=("d", "gone")), Merged("b", ("b",), 0.8), Merged("d", ("d",), 0.7)
    )
    assert first.copies == (Copy("d", "other.pdf", "other", 3, (PageRef("iv", 4),), 10, 14),)
    assert (second.copies, third.copies) == ((), ())
    assert (first.copy_of, second.copy_of, third.copy_of) == (None, None, 1)


def test_a_copy_within_the_passage_itself_is_none() -> None:
    parent = Node("p", "doc", 3, 1, 0, None, 0, 90, "all of it")
    near = {"p": parent, "before": replace(NODES["a"], node_id="before", start=91, end=95), "a": NODES["a"]}
    (passage,) = assembled(Merged("p", ("a",), 0.9, copies=("a", "before")), nodes=near)
    assert [copy.node_id for copy in passage.copies] == ["before"]


def test_a_copy_in_a_document_that_is_gone_meanwhile_is_not_listed() -> None:
    (passage,) = assembled(Merged("a", ("a",), 0.9, copies=("d",)), names={"doc": "rules.pdf"})
    assert passage.copies == ()


@pytest.mark.parametrize(
    ("spans", "refs"),
    [
        ([], []),
        ([(3, "iii")], [("iii", 3)]),
        ([(3, "iii"), (4, "1")], [("iii", 3), ("1", 4)]),
        ([(1, "row 7")], [("row 7", 1)]),
        ([(1, "row 7"), (1, "row 8"), (1, "row 9")], [("row 7 – row 9", 1)]),
        ([(1, "2"), (1, "2")], [("2", 1)]),
        ([(1, "row 9"), (2, "row 1"), (2, "row 2")], [("row 9", 1), ("row 1 – row 2", 2)]),
    ],
)
def test_a_sheet_is_referred_to_once_and_its_rows_as_a_range(spans, refs) -> None:
    found = page_refs([PageSpan(sheet, label, 0, 1) for sheet, label in spans])
    assert [(ref.label, ref.sheet) for ref in found] == refs


@pytest.mark.parametrize(
    ("names", "printed"),
    [("", []), ("a", [1]), ("ab", [1, 2]), ("abc", [1, 3, 2]), ("abca", [1, 3, 4, 2])],
)
def test_the_best_two_are_printed_at_the_ends(names: str, printed: list[int]) -> None:
    assert [item.rank for item in print_order(passages(*names))] == printed
