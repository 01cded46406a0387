"""Pages that could not be read: remembered, told when nothing was found, and read when they can be."""

from __future__ import annotations

from prism.ingest.readers import recognize
from prism.settings import ReadSettings
from prism.stores.unread import UnreadDocument
from prism.types import PageRef, Scope
from prism.unread import UNREAD_PAGES, unread_notice
from tests.scans import needs_tesseract, picture_of, saved, scanned_pdf

TEXT = ["The board of the harbour met on Monday, and it has fixed", "the fees of the year without any vote."]
SCAN = picture_of(["The locker code of the north hall is 4471,", "and it changes on the first of the month."])
LOCKER = "What is the locker code of the north hall?"
STRICT = {"gate.threshold": 0.99}


class Unread:
    """Stands for the record."""

    def __init__(self, documents: list[UnreadDocument], count: int) -> None:
        self._documents, self._count = documents, count

    def documents(self, *_: object, **__: object) -> tuple[list[UnreadDocument], int]:
        return self._documents, self._count


def document(name: str, count: int, *labels: str) -> UnreadDocument:
    pages = tuple(PageRef(label, sheet) for sheet, label in enumerate(labels, 1))
    return UnreadDocument(name, name, count, pages)


def said(documents: list[UnreadDocument], count: int, **settings: object) -> str:
    notice = unread_notice(Unread(documents, count), Scope(), ReadSettings(**settings))
    assert notice is not None
    assert notice.code == UNREAD_PAGES
    return notice.message


# ── what is said ────────────────────────────────────────────────────────────────────────────────


def test_pages_are_named_as_ranges_or_by_their_labels():
    assert said([document("a.pdf", 3, "1", "2", "3"), document("b.pdf", 2, "iv", "v")], 2, ocr="off") == (
        "Some pages could not be read, and what was asked may stand there: a.pdf p. 1–3; b.pdf p. iv, v. "
        "Text recognition is off (read.ocr)."
    )


def test_what_is_not_named_is_counted():
    message = said([document("a.pdf", 40, "1", "2")], 3, ocr="off")
    assert "a.pdf p. 1–2 and 38 more; and in 2 more documents. " in message
    assert "; and in one more. " in said([document("a.pdf", 1, "1")], 2, ocr="off")


def test_long_names_are_cut():
    assert len(said([document("x" * 500 + ".pdf", 1, "1")] * 3, 3, ocr="off")) < 500


def test_the_next_step_is_named(monkeypatch):
    monkeypatch.setattr(recognize, "find_tesseract", lambda: None)
    assert "Text recognition needs Tesseract (Debian: tesseract-ocr tesseract-ocr-eng" in said(
        [document("a.pdf", 1, "1")], 1
    )


def test_nothing_unread_nothing_said():
    assert unread_notice(Unread([], 0), Scope(), ReadSettings()) is None


# ── through the engine ──────────────────────────────────────────────────────────────────────────


def unread_of(answer) -> list[str]:
    return [notice.message for notice in answer.notices if notice.code == UNREAD_PAGES]


def test_a_question_that_is_not_answered_is_told_of_pages_that_could_not_be_read(open_prism, add):
    prism = open_prism(**STRICT, **{"read.ocr": "off"})
    add(prism, {"minutes.pdf": scanned_pdf(TEXT, SCAN), "plain.txt": "Boats are moored at the quay."})
    answer = prism.ask(LOCKER)
    assert answer.abstained
    (message,) = unread_of(answer)
    assert "minutes.pdf p. 2. " in message
    assert [notice["code"] for notice in prism.trace(answer.trace_id)["notices"]].count(UNREAD_PAGES) == 1
    only_plain = Scope(document_ids=frozenset([prism.document("plain.txt").document_id]))
    assert unread_of(prism.ask(LOCKER, scope=only_plain)) == []
    prism.delete(prism.document("minutes.pdf").document_id)
    assert unread_of(prism.ask(LOCKER)) == []


def test_an_answer_is_told_nothing_of_them(open_prism, add):
    prism = open_prism(**{"read.ocr": "off"})
    add(prism, {"minutes.pdf": scanned_pdf(TEXT, SCAN)})
    answer = prism.ask("What has the board fixed?")
    assert not answer.abstained
    assert unread_of(answer) == []


def test_the_stream_tells_it_before_the_answer(open_prism, add):
    prism = open_prism(**STRICT, **{"read.ocr": "off"})
    add(prism, {"minutes.pdf": scanned_pdf(TEXT, SCAN)})
    *before, last = prism.stream(LOCKER)
    assert [event.code for event in before if getattr(event, "code", "") == UNREAD_PAGES] == [UNREAD_PAGES]
    assert len(unread_of(last)) == 1


def test_ing_09_a_scan_fails_is_remembered_and_told(open_prism, add):
    prism = open_prism(**{"read.ocr": "off"})
    (file,) = add(prism, {"scan.pdf": scanned_pdf(SCAN, SCAN)}).files
    assert file.status == "failed"
    assert file.reason == (
        "scan.pdf: no readable text (scanned?). No text on sheet 1–2: pictures only (scanned?); "
        "text recognition is off (read.ocr)."
    )
    assert (file.chunks, prism.status().leaves, prism.status().documents) == (0, 0, 0)
    (info,) = prism.documents()
    assert (info.document, info.status, info.page_count, info.warnings) == (
        "scan.pdf", "failed", 2, (file.reason,),
    )  # fmt: skip
    answer = prism.ask(LOCKER)
    assert answer.abstained
    assert "scan.pdf p. 1–2. " in unread_of(answer)[0]
    assert prism.status().consistent
    again = open_prism(**{"read.ocr": "off"})
    assert "scan.pdf p. 1–2. " in unread_of(again.ask(LOCKER))[0]
    again.delete(info.document_id)
    assert again.documents() == []
    assert unread_of(again.ask(LOCKER)) == []


@needs_tesseract
def test_what_could_not_be_read_is_read_when_it_can_be(open_prism, add):
    files = {
        "scan.pdf": scanned_pdf(SCAN),
        "minutes.pdf": scanned_pdf(TEXT, SCAN),
        "plain.txt": "Boats moor.",
    }
    off = open_prism(**{"read.ocr": "off"})
    assert [file.status for file in add(off, files).files] == ["failed", "added", "added"]
    assert [file.status for file in add(off, files).files] == ["failed", "unchanged", "unchanged"]

    on = open_prism()
    assert [file.status for file in add(on, files).files] == ["added", "updated", "unchanged"]
    assert [file.status for file in add(on, files).files] == ["unchanged"] * 3
    assert "4471" in on.ask(LOCKER).text
    assert on.status().consistent
    assert on._storage.catalogue.unread.documents("default", named=9, pages=9) == ([], 0)

    later = open_prism(**{"read.ocr": "off"})
    assert [file.status for file in add(later, files).files] == ["unchanged"] * 3, "what was read stays"
    narrower = open_prism(**{"read.ocr_languages": ["eng"]})
    assert [file.status for file in add(narrower, files).files] == ["unchanged"] * 3


@needs_tesseract
def test_a_page_that_took_too_long_is_tried_again_with_more_time(open_prism, add):
    files = {"minutes.pdf": scanned_pdf(TEXT, SCAN)}
    hasty = open_prism(**{"read.ocr_timeout_s": 0.001})
    assert [file.status for file in add(hasty, files).files] == ["added"]
    assert [file.status for file in add(hasty, files).files] == ["unchanged"]
    patient = open_prism()
    assert [file.status for file in add(patient, files).files] == ["updated"]


@needs_tesseract
def test_the_page_of_a_citation_of_a_scan_has_its_picture_and_boxes(open_prism, add):
    prism = open_prism()
    add(prism, {"scan.pdf": scanned_pdf(TEXT, SCAN), "photo.png": saved(SCAN, "PNG")})
    for name, sheet in (("scan.pdf", 2), ("photo.png", 1)):
        page = prism.page(prism.document(name).document_id, sheet)
        assert page.image_png is not None
        assert page.image_png.startswith(b"\x89PNG")
        words = [page.text[box.start - page.start : box.end - page.start] for box in page.boxes]
        assert words == page.text.split()
        assert "4471," in words
