from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from prism.errors import ModelCallError, StoreDamagedError
from prism.ingest.identify import document_id
from prism.ingest.pipeline import IngestParts, ingest_source, recipe
from prism.ingest.progress import Cancelled, Progress
from prism.stores.storage import Storage
from prism.types import Source
from tests.fakes import LetterEmbedder

DOC = document_id("default", "a.txt")


class FailingEmbedder(LetterEmbedder):
    """Fails with what it is given."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def embed(self, texts, on_batch=None):
        raise self.error


def hits(storage: Storage, word: str) -> list[str]:
    """Texts of the visible leaves that hold a word."""
    with storage.active("default").snapshot() as snapshot:
        ids = [hit.node_id for hit in snapshot.keywords.search(word, 10)]
        return [item.node.text for item in storage.catalogue.nodes.get(ids, snapshot.generations).values()]


def counts(storage: Storage) -> tuple[int, int, int]:
    """Leaves in the record, in the vectors, in keyword search."""
    active = storage.active("default")
    row = storage.catalogue._database.read().execute("SELECT count(*) FROM leaf_tokens").fetchone()
    return row[0], active.vectors.count(), len(active.keywords)


def kept_files(storage: Storage) -> list[str]:
    return [path.read_text() for path in (storage.folder / "originals").rglob("*") if path.is_file()]


def test_a_new_file_is_added_and_found(ingest, storage: Storage) -> None:
    report = ingest("a.txt", "Locker code is 4471.")
    assert (report.status, report.document, report.document_id) == ("added", "a.txt", DOC)
    assert (report.chunks, report.page_count, report.reason) == (1, 1, "")
    assert hits(storage, "locker") == ["Locker code is 4471."]
    assert counts(storage) == (1, 1, 1)
    assert kept_files(storage) == ["Locker code is 4471."]


def test_ing_27_the_same_bytes_again_change_nothing(ingest, storage: Storage) -> None:
    ingest("a.txt", "Locker code is 4471.")
    report = ingest("a.txt", "Locker code is 4471.")
    assert (report.status, report.reason, report.chunks) == ("unchanged", "already indexed", 1)
    assert counts(storage) == (1, 1, 1)


def test_ing_29_an_edited_file_takes_the_place_of_the_old_everywhere(ingest, storage: Storage) -> None:
    ingest("a.txt", "The cap is ten.")
    report = ingest("a.txt", "The cap is twenty.")
    assert report.status == "updated"
    assert hits(storage, "ten") == []
    assert hits(storage, "cap") == ["The cap is twenty."]
    assert counts(storage) == (1, 1, 1)
    assert kept_files(storage) == ["The cap is twenty."]
    assert storage.catalogue.live(DOC).generation == 2


def test_going_back_to_an_earlier_text_is_an_update_too(ingest, storage: Storage) -> None:
    for text in ("The cap is ten.", "The cap is twenty.", "The cap is ten."):
        ingest("a.txt", text)
    assert hits(storage, "cap") == ["The cap is ten."]
    assert counts(storage) == (1, 1, 1)


@pytest.mark.parametrize(
    "error", [ModelCallError("429: too many requests"), RuntimeError("a fault of ours"), OSError("disk full")]
)
def test_ing_30_the_old_version_answers_while_the_new_one_fails(
    ingest, storage: Storage, error: Exception
) -> None:
    ingest("a.txt", "The cap is ten.")

    report = ingest("a.txt", "The cap is twenty.", embedder=FailingEmbedder(error))

    assert report.status == "failed"
    assert str(error) in report.reason
    assert hits(storage, "cap") == ["The cap is ten."]
    assert storage.catalogue.document(DOC).status == "active"
    assert counts(storage) == (1, 1, 1)
    assert kept_files(storage) == ["The cap is ten."]

    assert ingest("a.txt", "The cap is twenty.").status == "updated"
    assert hits(storage, "cap") == ["The cap is twenty."]


def test_ing_31_a_failed_first_build_is_shown_as_failed_and_a_retry_succeeds(
    ingest, storage: Storage
) -> None:
    report = ingest("a.txt", "The cap is ten.", embedder=FailingEmbedder(ModelCallError("429")))
    assert (report.status, report.document_id) == ("failed", None)
    info = storage.catalogue.document(DOC)
    assert info.status == "failed"
    assert "429" in info.warnings[-1]
    assert counts(storage) == (0, 0, 0)
    assert kept_files(storage) == []

    assert ingest("a.txt", "The cap is ten.").status == "added"
    assert hits(storage, "cap") == ["The cap is ten."]
    assert storage.catalogue.document(DOC).status == "active"


def test_a_cancelled_build_is_given_up_and_keeps_the_file_for_a_resumption(ingest, storage: Storage) -> None:
    ingest("a.txt", "The cap is ten.")
    report = ingest("a.txt", "The cap is twenty.", embedder=FailingEmbedder(Cancelled()))
    assert (report.status, report.document_id) == ("cancelled", None)
    assert hits(storage, "cap") == ["The cap is ten."]
    assert counts(storage) == (1, 1, 1)
    assert sorted(kept_files(storage)) == ["The cap is ten.", "The cap is twenty."]

    assert ingest("a.txt", "The cap is twenty.").status == "updated"
    assert kept_files(storage) == ["The cap is twenty."]


@pytest.mark.parametrize("stop", [Cancelled, KeyboardInterrupt])
def test_ing_45_a_first_build_that_was_stopped_is_shown_as_interrupted(
    ingest, storage: Storage, stop: type[BaseException]
) -> None:
    with suppress(KeyboardInterrupt):
        ingest("a.txt", "The cap is ten.", embedder=FailingEmbedder(stop()))
    assert storage.catalogue.document(DOC).status == "interrupted"
    assert counts(storage) == (0, 0, 0)
    assert kept_files(storage) == ["The cap is ten."]


def test_a_build_from_the_kept_file_keeps_it_when_it_fails(
    ingest, parts: IngestParts, storage: Storage
) -> None:
    with pytest.raises(KeyboardInterrupt):
        ingest("a.txt", "The cap is ten.", embedder=FailingEmbedder(KeyboardInterrupt()))
    (kept,) = [path for path in (storage.folder / "originals").rglob("*") if path.is_file()]
    failing = replace(parts, embedder=FailingEmbedder(ModelCallError("429")))
    assert ingest_source(Source(kept, "a.txt"), failing, Progress([1], None)).status == "failed"
    assert kept_files(storage) == ["The cap is ten."]
    assert ingest_source(Source(kept, "a.txt"), parts, Progress([1], None)).status == "added"
    assert kept_files(storage) == ["The cap is ten."]


def test_a_document_purged_while_a_build_is_stopped_leaves_no_file(
    ingest, parts: IngestParts, storage: Storage
) -> None:
    class Purging(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            storage.catalogue.purge(DOC)
            raise Cancelled

    assert ingest("a.txt", "Locker code is 4471.", embedder=Purging()).status == "cancelled"
    assert kept_files(storage) == []
    assert storage.catalogue.document(DOC) is None


def test_an_interruption_is_passed_on_and_leaves_the_old_version(ingest, storage: Storage) -> None:
    ingest("a.txt", "The cap is ten.")
    with pytest.raises(KeyboardInterrupt):
        ingest("a.txt", "The cap is twenty.", embedder=FailingEmbedder(KeyboardInterrupt()))
    assert hits(storage, "cap") == ["The cap is ten."]
    assert counts(storage) == (1, 1, 1)


def test_an_interrupted_build_and_its_repetition_give_the_same_node_ids(ingest, storage: Storage) -> None:
    text = " ".join(f"Rule {number} sets a limit for all of us." for number in range(20))
    whole = ingest("b.txt", text)
    assert whole.status == "added"
    # The same build of another name, cut short once.
    with pytest.raises(KeyboardInterrupt):
        ingest("a.txt", text, embedder=FailingEmbedder(KeyboardInterrupt()))
    ingest("a.txt", text)
    after = storage.catalogue.nodes.node_ids({DOC: 1})
    storage.active("default").purge(DOC)
    ingest("a.txt", text)

    assert after == storage.catalogue.nodes.node_ids({DOC: 1})
    assert counts(storage) == (2 * whole.chunks,) * 3


def test_what_comes_after_the_commit_cannot_undo_it(
    ingest, parts: IngestParts, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest("a.txt", "The cap is ten.")
    show = parts.active.show

    def show_and_stop(*args, **kwargs) -> None:
        show(*args, **kwargs)
        raise KeyboardInterrupt

    monkeypatch.setattr(parts.active, "show", show_and_stop)
    with pytest.raises(KeyboardInterrupt):
        ingest("a.txt", "The cap is twenty.")

    assert hits(storage, "cap") == ["The cap is twenty."]
    assert storage.catalogue.document(DOC).status == "active"
    assert "The cap is twenty." in kept_files(storage)


def test_a_projection_that_cannot_be_tidied_does_not_hide_why_the_build_failed(
    ingest, parts: IngestParts, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    discard, calls = parts.active.discard, []

    def discard_once(*args) -> None:
        calls.append(args)
        if len(calls) > 1:
            raise StoreDamagedError("the vector store is broken")
        discard(*args)

    monkeypatch.setattr(parts.active, "discard", discard_once)
    report = ingest("a.txt", "The cap is ten.", embedder=FailingEmbedder(ModelCallError("429")))
    assert report.reason == "429"
    assert storage.catalogue.document(DOC).status == "failed"


def test_a_document_purged_while_it_is_built_does_not_come_back(
    ingest, parts: IngestParts, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Purging(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            parts.active.purge(DOC)
            return super().embed(texts)

    report = ingest("a.txt", "Locker code is 4471.", embedder=Purging())
    assert report.status == "failed"
    assert storage.catalogue.document(DOC) is None
    assert hits(storage, "locker") == []
    assert counts(storage) == (0, 0, 0)
    assert kept_files(storage) == []


def test_a_document_deleted_while_its_update_is_built_stays_deleted(
    ingest, parts: IngestParts, storage: Storage
) -> None:
    class Deleting(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            parts.active.hide(DOC)
            return super().embed(texts)

    ingest("a.txt", "The cap is ten.")
    ingest("a.txt", "The cap is twenty.", embedder=Deleting())
    assert hits(storage, "cap") == []
    storage.active("default").unhide(DOC)
    assert hits(storage, "cap") == ["The cap is twenty."]


def test_ing_33_a_deleted_file_that_comes_again_is_shown_again(ingest, storage: Storage) -> None:
    ingest("a.txt", "Locker code is 4471.")
    storage.active("default").hide(DOC)
    report = ingest("a.txt", "Locker code is 4471.")
    assert (report.status, report.reason) == ("added", "was deleted; shown again")
    assert hits(storage, "locker") == ["Locker code is 4471."]


def test_a_deleted_file_that_comes_again_with_other_words_is_added(ingest, storage: Storage) -> None:
    ingest("a.txt", "The cap is ten.")
    storage.active("default").hide(DOC)
    assert ingest("a.txt", "The cap is twenty.").status == "added"
    assert hits(storage, "cap") == ["The cap is twenty."]


@pytest.mark.parametrize("content", [b"", b" \n\t ", "\ufeff".encode()])
def test_ing_08_a_file_with_nothing_in_it_is_skipped(ingest, storage: Storage, content: bytes) -> None:
    report = ingest("a.txt", content)
    assert (report.status, report.reason, report.chunks) == ("skipped", "empty, skipped", 0)
    assert storage.catalogue.document(DOC) is None


def test_ing_29_a_file_emptied_since_answers_no_more(ingest, storage: Storage) -> None:
    ingest("a.txt", "Locker code is 4471.")
    report = ingest("a.txt", "")
    assert report.status == "skipped"
    assert "undo" in report.reason
    assert hits(storage, "locker") == []
    assert storage.catalogue.document(DOC).status == "deleted"
    assert ingest("a.txt", "").reason == "empty, skipped"


def test_a_file_that_cannot_be_read_is_reported_and_not_recorded(ingest, storage: Storage) -> None:
    report = ingest("a.pdf", b"%PDF-1.7 truncated")
    assert report.status == "failed"
    assert "a.pdf" in report.reason
    assert storage.catalogue.documents("default") == []


def test_ing_35_the_same_text_in_two_documents_is_there_twice(ingest, storage: Storage) -> None:
    ingest("a.txt", "Locker code is 4471.")
    ingest("b.txt", "Locker code is 4471.")
    assert len(hits(storage, "locker")) == 2
    storage.active("default").purge(DOC)
    assert len(hits(storage, "locker")) == 1


def test_a_change_of_what_shapes_nodes_is_a_new_version(ingest, storage: Storage) -> None:
    class Other(LetterEmbedder):
        name = "letters@2"

    ingest("a.txt", "Locker code is 4471.")
    assert ingest("a.txt", "Locker code is 4471.", embedder=Other()).status == "updated"


def test_the_recipe_is_the_same_for_the_same_parts(parts: IngestParts) -> None:
    assert recipe(parts) == recipe(parts)


def test_ing_05_rows_of_a_table_file_carry_their_columns_and_their_row_as_page(
    ingest, storage: Storage
) -> None:
    rows = "\n".join(f"E{number},{number % 30},{number % 90}" for number in range(1, 51))
    report = ingest("leave.csv", f"emp_id,leave_left,notice_days\n{rows}\n")
    assert report.status == "added"

    with storage.active("default").snapshot() as snapshot:
        hit = snapshot.keywords.search("E37", 1)[0]
        leaf = storage.catalogue.nodes.get([hit.node_id], snapshot.generations)[hit.node_id].node
        pages = storage.catalogue.pages_between(leaf.document_id, leaf.generation, leaf.start, leaf.end)
    assert "emp_id: E37; leave_left: 7; notice_days: 37" in leaf.text
    assert "row 37" in [page.label for page in pages]
    assert {page.sheet for page in pages} == {1}


def test_a_file_rewritten_while_it_is_indexed_is_kept_as_it_was_read(
    ingest, parts: IngestParts, storage: Storage, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = parts.catalogue.begin

    def rewrite_and_begin(*args, **kwargs) -> int:
        (tmp_path / "files" / "a.txt").write_text("The cap is twenty.")
        return begin(*args, **kwargs)

    monkeypatch.setattr(parts.catalogue, "begin", rewrite_and_begin)
    ingest("a.txt", "The cap is ten.")
    assert hits(storage, "cap") == kept_files(storage) == ["The cap is ten."]
    assert ingest("a.txt", "The cap is twenty.").status == "updated"


def test_ing_38_a_file_over_the_limit_leaves_what_was_there(ingest, storage: Storage) -> None:
    ingest("a.txt", "The cap is ten.")
    report = ingest("a.txt", "x" * 50_000_001)
    assert (report.status, "50 MB" in report.reason) == ("failed", True)
    assert hits(storage, "cap") == ["The cap is ten."]
