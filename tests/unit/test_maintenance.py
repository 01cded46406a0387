from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from prism.engine import Prism
from prism.errors import NotFoundError
from prism.maintenance import show_page, take_status
from prism.types import PageRef
from tests.fakes import LetterEmbedder

ROWS = "item,fee\nwire,10\ncard,20\ncash,30\n"


@pytest.fixture
def full(prism: Prism, add) -> Prism:
    add(prism, {"a.txt": "Alpha rule holds.", "b.txt": "Beta rule holds.", "fees.csv": ROWS})
    return prism


def test_record_and_projections_agree_after_an_ingest(full: Prism) -> None:
    status = take_status(full._storage, "default", {"embedder": "letters@1"})
    assert status.consistent
    assert status.leaves == status.vectors == status.keyword_docs == status.active_leaves


def test_another_embedder_makes_the_index_inconsistent(full: Prism) -> None:
    assert not take_status(full._storage, "default", {"embedder": "other"}).consistent


def test_token_vectors_that_are_wanted_and_lacking_make_the_index_inconsistent(full: Prism) -> None:
    def is_consistent(recipe: str | None) -> bool:
        return take_status(full._storage, "default", {"embedder": "letters@1"}, recipe).consistent

    assert is_consistent(None)
    assert not is_consistent("r")
    tokens = full._storage.active("default").tokens
    tokens.keep("r")
    for info in full.documents():
        tokens.add(info.document_id, info.generation, ["x"], [np.ones((1, 2), np.int8)])
        tokens.finish(info.document_id, info.generation)
    assert is_consistent("r")
    assert not is_consistent("s")
    assert is_consistent("r"), "looking at another's removes nothing"


def test_an_empty_folder_is_consistent(prism: Prism) -> None:
    status = take_status(prism._storage, "default", {"embedder": "any"})
    assert (status.documents, status.leaves, status.consistent) == (0, 0, True)


def test_a_table_files_page_is_all_its_rows(full: Prism) -> None:
    page = show_page(full._storage, full.document("fees.csv"), 1)
    assert page.page == PageRef("row 1 – row 3", 1)
    assert "card" in page.text
    assert (page.start, page.image_png) == (0, None)


def test_a_page_of_a_locked_file_is_its_text_without_a_picture(prism: Prism, add) -> None:
    def locked_pdf(password: str | None) -> bytes:
        file = io.BytesIO()
        canvas = Canvas(file, encrypt=password)
        canvas.drawString(72, 700, "The cap is 20.")
        canvas.save()
        return file.getvalue()

    add(prism, {"a.pdf": locked_pdf(None)})
    info = prism.document("a.pdf")
    shown = show_page(prism._storage, info, 1)
    assert shown.image_png is not None
    assert len(shown.boxes) == 4
    kept = prism._storage.originals
    hashed = prism._storage.catalogue.content_hash(info.document_id, info.generation)
    kept.path(info.document_id, hashed).write_bytes(locked_pdf("secret"))
    locked = show_page(prism._storage, info, 1)
    assert (locked.text, locked.image_png, locked.boxes) == ("The cap is 20.", None, ())


def test_a_failed_document_has_no_page_to_show(open_prism, add, tmp_path: Path) -> None:
    class Failing(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise RuntimeError("429")

    prism = open_prism(embedder=Failing())
    add(prism, {"a.txt": "Alpha rule holds."})
    with pytest.raises(NotFoundError, match="is failed"):
        prism.page("a.txt", 1)
