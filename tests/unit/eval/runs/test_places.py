"""Nodes are found where they stand in their document."""

from __future__ import annotations

import pytest

from eval.runs.places import Places
from prism.types import PageRef
from tests.unit.eval.runs.conftest import MakeDataset, OpenCollection

TABLE = "city;fee\nPune;ten\nसूरत;two\n"


def test_texts_and_pages_are_found_by_name(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset({"a.txt": "apples  and\n\n\n\npears", "t.csv": TABLE})) as found:
        places = Places(found)
        assert places.text_of("a.txt") == "apples  and\n\npears"
        (page,) = places.pages_of("a.txt")
        assert (page.sheet, page.start, page.end) == (1, 0, 18)
        assert [page.label for page in places.pages_of("t.csv")] == ["row 1", "row 2"]


def test_what_is_not_there_has_neither_text_nor_pages(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset({"a.txt": "apples", "broken.pdf": "%PDF-1.4 no more"})) as found:
        places = Places(found)
        for name in ("nowhere.txt", "broken.pdf"):
            assert (places.text_of(name), places.pages_of(name)) == ("", ())


def test_a_piece_says_where_it_stands_and_what_it_shows(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset({"a.txt": "apples", "t.csv": TABLE})) as found:
        passages = {
            passage.document: passage for passage in found.prism.retrieve("ten apples Pune", 5).passages
        }
        table, text = Places(found).of_nodes([passages["t.csv"].node_id, passages["a.txt"].node_id])
        assert (text.document, text.start, text.end, text.text.strip()) == ("a.txt", 0, 6, "apples")
        assert text.pages == (PageRef("1", 1),)
        assert (table.document, table.pages) == ("t.csv", (PageRef("row 1 – row 2", 1),))
        assert "city" in table.text, "the names of a table's columns are shown with its rows"
        assert "सूरत" in table.text


def test_pieces_come_in_the_order_asked_and_once_looked_up_are_known(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with opened(make_dataset({"a.txt": "apples", "b.txt": "bread"})) as found:
        ids = [passage.node_id for passage in found.prism.retrieve("apples bread", 5).passages]
        places = Places(found)
        forth, back = places.of_nodes(ids), places.of_nodes([*reversed(ids), ids[0]])
        assert [piece.document for piece in back] == [
            *(piece.document for piece in reversed(forth)),
            forth[0].document,
        ]
        assert places.of_nodes([]) == []


def test_a_node_that_is_not_there_is_an_error(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset({"a.txt": "apples"})) as found, pytest.raises(KeyError):
        Places(found).of_nodes(["nothing"])
