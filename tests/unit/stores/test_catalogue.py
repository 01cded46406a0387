from __future__ import annotations

import pytest

from prism.errors import StoreError
from prism.stores.catalogue import Catalogue
from prism.stores.database import Database
from prism.types import PageSpan


def test_values_about_the_index_are_kept_and_overwritten(catalogue: Catalogue) -> None:
    assert catalogue.meta("embedder") is None
    catalogue.set_meta({"embedder": "one", "tokenizer": "1"})
    catalogue.set_meta({"embedder": "two"})
    assert (catalogue.meta("embedder"), catalogue.meta("tokenizer")) == ("two", "1")


# ── building ────────────────────────────────────────────────────────────────────────────────────


def test_a_build_is_invisible_until_it_is_activated(catalogue: Catalogue, build) -> None:
    generation = build("doc")
    assert catalogue.active_generations("default") == {}
    assert catalogue.live("doc") is None
    assert catalogue.document("doc").status == "indexing"

    catalogue.activate("doc", generation)

    assert catalogue.active_generations("default") == {"doc": 1}
    info = catalogue.document("doc")
    assert (info.status, info.leaves, info.page_count, info.bytes) == ("active", 2, 2, 10)
    assert (info.document, info.title, info.warnings) == ("doc.txt", "Doc", ("guessed the encoding",))


def test_a_new_version_takes_the_place_of_the_old_in_one_step(catalogue: Catalogue, show, build) -> None:
    show("doc", "old text")
    second = build("doc", "new text")
    assert catalogue.active_generations("default") == {"doc": 1}

    catalogue.activate("doc", second)

    assert catalogue.active_generations("default") == {"doc": 2}
    assert catalogue.live("doc").version == "version of new text"
    assert catalogue.stale_generations() == [("default", "doc", 1)]


def test_ing_31_a_failed_first_build_shows_as_failed_and_its_number_is_used_again(
    catalogue: Catalogue, build
) -> None:
    build("doc")
    assert catalogue.fail("doc", 1, "the embedder gave up")

    info = catalogue.document("doc")
    assert (info.status, info.leaves) == ("failed", 0)
    assert info.warnings[-1] == "the embedder gave up"
    assert catalogue.text("doc", 1) == ""
    assert catalogue.pages("doc", 1) == ()
    assert catalogue.nodes.node_ids({"doc": 1}) == []
    assert build("doc") == 1


def test_ing_30_a_failed_update_leaves_the_old_version_as_it_was(catalogue: Catalogue, show, build) -> None:
    show("doc", "old text")
    build("doc", "new text")
    catalogue.fail("doc", 2, "the embedder gave up")

    assert catalogue.active_generations("default") == {"doc": 1}
    assert catalogue.document("doc").status == "active"
    assert catalogue.text("doc", 1) == "old text"
    assert build("doc", "new text") == 2


def test_a_version_that_is_shown_cannot_fail_any_more(catalogue: Catalogue, show) -> None:
    show("doc", "kept text")

    assert not catalogue.fail("doc", 1, "interrupted just after the commit")

    assert catalogue.document("doc").status == "active"
    assert catalogue.text("doc", 1) == "kept text"
    assert len(catalogue.nodes.node_ids({"doc": 1})) == 3


def test_ing_45_a_build_left_by_a_dead_process_shows_as_interrupted(catalogue: Catalogue, build) -> None:
    build("doc")
    assert catalogue.interrupt_builds() == [("doc", 1)]
    assert catalogue.document("doc").status == "interrupted"
    assert catalogue.stale_generations("default") == [("default", "doc", 1)]
    assert catalogue.stale_generations("other") == []
    assert catalogue.interrupt_builds() == []


def test_a_build_purged_meanwhile_cannot_be_shown(catalogue: Catalogue, build) -> None:
    build("doc")
    catalogue.purge("doc")

    with pytest.raises(StoreError, match="removed while"):
        catalogue.activate("doc", 1)
    assert catalogue.document("doc") is None


def test_showing_what_cannot_be_shown_leaves_the_old_version_live(catalogue: Catalogue, show) -> None:
    show("doc")
    with pytest.raises(StoreError):
        catalogue.activate("doc", 7)
    assert catalogue.active_generations("default") == {"doc": 1}


# ── visibility ──────────────────────────────────────────────────────────────────────────────────


def test_hiding_and_showing_again_keeps_the_generation(catalogue: Catalogue, show) -> None:
    show("doc")
    catalogue.set_active("doc", active=False)
    assert catalogue.active_generations("default") == {}
    assert catalogue.document("doc").status == "deleted"
    assert not catalogue.live("doc").is_active

    catalogue.set_active("doc", active=True)
    assert catalogue.active_generations("default") == {"doc": 1}


def test_a_document_that_was_never_complete_cannot_be_made_visible(catalogue: Catalogue, build) -> None:
    build("doc")
    catalogue.set_active("doc", active=True)
    catalogue.set_active("unknown", active=True)
    assert catalogue.active_generations("default") == {}


@pytest.mark.parametrize(("unless_hidden", "visible"), [(True, {}), (False, {"doc": 2})])
def test_a_document_deleted_during_its_update_stays_deleted_when_asked_to(
    catalogue: Catalogue, show, build, unless_hidden: bool, visible: dict[str, int]
) -> None:
    show("doc", "old text")
    build("doc", "new text")
    catalogue.set_active("doc", active=False)

    catalogue.activate("doc", 2, unless_hidden=unless_hidden)

    assert catalogue.active_generations("default") == visible
    assert catalogue.live("doc").generation == 2


def test_a_workspace_sees_its_own_documents_alone(catalogue: Catalogue, show) -> None:
    show("one")
    show("two", workspace="other")
    assert catalogue.active_generations("default") == {"one": 1}
    assert [info.document_id for info in catalogue.documents("other")] == ["two"]
    assert catalogue.workspaces() == ["default", "other"]


def test_originals_of_replaced_versions_are_not_wanted(catalogue: Catalogue, show) -> None:
    show("one", "first words")
    show("one", "second words")
    show("two")
    wanted = catalogue.originals_wanted()
    assert wanted.keys() == {"one", "two"}
    assert wanted["one"] == {catalogue.content_hash("one", 2)}
    assert catalogue.content_hash("one", 1) not in wanted["one"]


def test_the_file_of_a_replaced_version_may_go_unless_it_came_back(catalogue: Catalogue, show) -> None:
    show("one", "first words")
    show("one", "second words")
    first = catalogue.content_hash("one", 1)
    assert catalogue.originals_replaced() == {"one": {first}}
    show("one", "first words")
    assert catalogue.originals_replaced() == {"one": {catalogue.content_hash("one", 2)}}


# ── removing ────────────────────────────────────────────────────────────────────────────────────


def test_what_was_purged_is_known_until_its_files_are_gone(catalogue: Catalogue, show) -> None:
    for name in ("one", "two", "three"):
        show(name)
    catalogue.purge("one")
    catalogue.purge("three")
    catalogue.purge("never there")
    assert sorted(catalogue.purged()) == ["one", "three"]
    show("three")
    # Of the files kept for it, only those of the new version may stay.
    assert sorted(catalogue.purged()) == ["one", "three"]
    catalogue.forget_purged(["one", "three"])
    assert catalogue.purged() == []


def test_purging_leaves_no_row_and_no_word_of_the_document(
    catalogue: Catalogue, database: Database, show
) -> None:
    show("doc", "quixotry " + "beta " * 3000)
    show("other", "kept words")

    catalogue.purge("doc")

    for table in ("documents", "versions", "pages", "nodes"):
        row = database.read().execute(f"SELECT count(*) FROM {table} WHERE document_id = 'doc'").fetchone()
        assert row[0] == 0, table
    assert database.read().execute("SELECT count(*) FROM leaf_tokens").fetchone()[0] == 2
    for file in database.file.parent.iterdir():
        assert b"quixotry" not in file.read_bytes(), file.name
    assert catalogue.text("other", 1) == "kept words"


def test_a_dropped_generation_keeps_its_row_alone(catalogue: Catalogue, show) -> None:
    show("doc", "old text")
    show("doc", "new text")

    catalogue.drop_generation("doc", 1)

    assert catalogue.text("doc", 1) == ""
    assert catalogue.pages("doc", 1) == ()
    assert catalogue.nodes.node_ids({"doc": 1}) == []
    assert catalogue.stale_generations() == []
    assert catalogue.content_hash("doc", 1) == b"old text".hex()
    assert show("doc", "newest text") == 3


def test_the_live_generation_cannot_be_dropped(catalogue: Catalogue, show) -> None:
    show("doc", "kept text")
    catalogue.drop_generation("doc", 1)
    assert catalogue.text("doc", 1) == "kept text"
    assert len(catalogue.nodes.node_ids({"doc": 1})) == 3


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("start", "end", "labels"),
    [(0, 5, ["i"]), (0, 6, ["i"]), (5, 7, ["i", "ii"]), (6, 10, ["ii"]), (6, 6, ["ii"]), (10, 12, [])],
)
def test_pages_are_those_a_stretch_of_text_touches(
    catalogue: Catalogue, show, start: int, end: int, labels: list[str]
) -> None:
    show("doc", "alpha beta")  # page i is 0:6, page ii is 6:10
    assert [page.label for page in catalogue.pages_between("doc", 1, start, end)] == labels


def test_pages_come_in_order_with_sheet_and_label(catalogue: Catalogue, show) -> None:
    show("doc", "alpha beta")
    assert catalogue.pages("doc", 1) == (PageSpan(1, "i", 0, 6), PageSpan(2, "ii", 6, 10))


def test_a_text_asked_for_too_early_or_too_late_is_not_remembered_as_missing(
    catalogue: Catalogue, show
) -> None:
    assert catalogue.text("doc", 1) == ""
    show("doc", "first text")
    assert catalogue.text("doc", 1) == "first text"
    catalogue.purge("doc")
    assert catalogue.text("doc", 1) == ""
    show("doc", "second text")
    assert catalogue.text("doc", 1) == "second text"


def test_a_text_read_while_it_is_being_purged_does_not_stay(
    catalogue: Catalogue, show, monkeypatch: pytest.MonkeyPatch
) -> None:
    show("doc", "purged text")
    read_row = catalogue._version_row

    def read_then_purge(*args):
        row = read_row(*args)
        monkeypatch.setattr(catalogue, "_version_row", read_row)
        catalogue.purge("doc")
        return row

    monkeypatch.setattr(catalogue, "_version_row", read_then_purge)
    catalogue.text("doc", 1)

    show("doc", "second text")
    assert catalogue.text("doc", 1) == "second text"


def test_leaves_are_counted_per_live_generation(catalogue: Catalogue, show) -> None:
    show("one")
    show("one", "one again")
    show("two")
    catalogue.set_active("two", active=False)

    assert catalogue.live_leaf_counts("default") == {("one", 2): 2, ("two", 1): 2}
    assert catalogue.leaf_count("default", active_only=True) == 2
    assert catalogue.leaf_count("default", active_only=False) == 4
    assert catalogue.names(["one", "two", "three"]) == {"one": "one.txt", "two": "two.txt"}
    assert catalogue.media_type("one", 2) == "text/plain"
    assert catalogue.media_type("one", 9) == catalogue.content_hash("none", 1) == ""
