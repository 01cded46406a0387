from __future__ import annotations

import pytest

from prism.stores.catalogue import Catalogue
from prism.stores.unread import UnreadDocument
from prism.types import Box, PageRef, PageSpan, SourceText

WORDS = Box(0, 5, 0.1, 0.2, 0.3, 0.4), Box(6, 10, 0.0, 0.5, 1.0, 0.75)


@pytest.fixture
def keep(catalogue: Catalogue):
    """`keep(id, unread=…, boxes=…)` opens `alpha beta` on sheets i, ii, iii; the last has no text."""

    def run(
        document_id: str, unread: tuple[int, ...] = (), boxes: tuple[Box, ...] = (), text="alpha beta"
    ) -> int:
        cut, end = (6, 10) if text else (0, 0)
        return catalogue.begin(
            document_id,
            workspace="default",
            source_key=f"{document_id}.pdf",
            version="v",
            content_hash="h",
            size_bytes=1,
            loaded=SourceText(
                text=text,
                title="T",
                media_type="application/pdf",
                pages=(PageSpan(1, "i", 0, cut), PageSpan(2, "ii", cut, end), PageSpan(3, "iii", end, end)),
                boxes=boxes,
                unread_sheets=unread,
            ),
            recognizer="tesseract 5 eng",
        )

    return run


def shown(catalogue: Catalogue, **options) -> list[UnreadDocument]:
    return catalogue.unread.documents("default", named=9, pages=9, **options)[0]


def test_boxes_come_back_with_their_page(catalogue, keep):
    generation = keep("doc", boxes=WORDS)
    first, second = (catalogue.unread.boxes("doc", generation, sheet) for sheet in (1, 2))
    for stored, given in zip((*first, *second), WORDS, strict=True):
        assert (stored.start, stored.end) == (given.start, given.end)
        assert [stored.left, stored.top, stored.right, stored.bottom] == pytest.approx(
            [given.left, given.top, given.right, given.bottom], abs=1e-5
        )
    assert catalogue.unread.boxes("doc", generation, 3) == ()


def test_what_was_tried_is_known_where_pages_are_unread(catalogue, keep):
    assert catalogue.unread.recognizer("doc", 1) is None
    assert catalogue.unread.recognizer("doc", keep("doc", unread=(3,))) == "tesseract 5 eng"
    assert catalogue.unread.recognizer("other", keep("other")) is None


def test_unread_pages_of_visible_documents_are_told_with_their_labels(catalogue, keep):
    catalogue.activate("doc", keep("doc", unread=(3, 1)))
    assert shown(catalogue) == [UnreadDocument("doc.pdf", "doc", 2, (PageRef("i", 1), PageRef("iii", 3)))]
    assert shown(catalogue, document_ids=frozenset()) == []
    assert catalogue.unread.documents("elsewhere", named=9, pages=9) == ([], 0)
    catalogue.set_active("doc", active=False)
    assert shown(catalogue) == []


def test_a_build_under_way_is_not_told(catalogue, keep):
    keep("doc", unread=(1,))
    assert shown(catalogue) == []


def test_a_file_that_failed_is_told(catalogue, keep):
    catalogue.fail("doc", keep("doc", unread=(1, 2), text=""), "no readable text")
    assert [(found.document, found.count) for found in shown(catalogue)] == [("doc.pdf", 2)]
    assert catalogue.document("doc").status == "failed"


def test_a_version_that_failed_is_told_beside_the_one_before_and_not_when_deleted(catalogue, keep):
    catalogue.activate("doc", keep("doc"))
    catalogue.fail("doc", keep("doc", unread=(1,), text=""), "no readable text")
    assert [found.count for found in shown(catalogue)] == [1]
    catalogue.set_active("doc", active=False)
    assert shown(catalogue) == []


def test_the_first_documents_are_named_and_all_are_counted(catalogue, keep):
    for name in "abcd":
        catalogue.activate(name, keep(name, unread=(1, 2, 3)))
    documents, count = catalogue.unread.documents("default", named=2, pages=1)
    assert (count, [(found.document_id, found.count, len(found.pages)) for found in documents]) == (
        4, [("a", 3, 1), ("b", 3, 1)],
    )  # fmt: skip


def test_nothing_stays_of_a_generation_that_was_replaced_or_purged(catalogue, keep, database):
    catalogue.activate("doc", keep("doc", unread=(3,), boxes=WORDS))
    catalogue.activate("doc", keep("doc", unread=(2,), boxes=WORDS))
    catalogue.drop_generation("doc", 1)
    rows = "SELECT generation, count(*) FROM {} GROUP BY generation"
    for table in ("unread_pages", "word_boxes"):
        assert [row[0] for row in database.read().execute(rows.format(table))] == [2]
    catalogue.purge("doc")
    for table in ("unread_pages", "word_boxes"):
        assert database.read().execute(rows.format(table)).fetchall() == []


def test_a_failed_build_keeps_no_boxes(catalogue, keep):
    generation = keep("doc", unread=(1,), boxes=WORDS)
    catalogue.fail("doc", generation, "stopped")
    assert catalogue.unread.boxes("doc", generation, 1) == ()


def test_an_empty_box_is_not_kept(catalogue, keep):
    generation = keep("doc", boxes=(Box(3, 3, 0, 0, 1, 1), Box(0, 5, -0.1, 0, 1.2, 1)))
    (only,) = catalogue.unread.boxes("doc", generation, 1)
    assert (only.left, only.right) == (0, 1)
