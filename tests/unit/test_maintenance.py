from __future__ import annotations

from pathlib import Path

import pytest

from prism.engine import Prism
from prism.errors import ModelCallError, NotFoundError
from prism.maintenance import complete, examine, rebuild, show_page, take_status
from prism.types import LEAF_LEVEL, PageRef
from tests.fakes import LetterEmbedder

ROWS = "item,fee\nwire,10\ncard,20\ncash,30\n"


@pytest.fixture
def full(prism: Prism, add) -> Prism:
    add(prism, {"a.txt": "Alpha rule holds.", "b.txt": "Beta rule holds.", "fees.csv": ROWS})
    return prism


def test_all_is_well_after_an_ingest(full: Prism) -> None:
    assert examine(full._storage, LetterEmbedder()) == []
    status = take_status(full._storage, "default", {"embedder": "letters@1"})
    assert status.consistent
    assert status.leaves == status.vectors == status.keyword_docs == status.active_leaves


def test_another_embedder_makes_the_index_inconsistent(full: Prism) -> None:
    assert not take_status(full._storage, "default", {"embedder": "other"}).consistent


def test_an_empty_folder_is_consistent(prism: Prism) -> None:
    status = take_status(prism._storage, "default", {"embedder": "any"})
    assert (status.documents, status.leaves, status.consistent) == (0, 0, True)


@pytest.mark.parametrize("projection", ["vectors", "keywords"])
def test_leaves_missing_from_a_projection_are_indexed_again(full: Prism, projection: str) -> None:
    info = full.document("a.txt")
    active = full._storage.active("default")
    if projection == "vectors":
        active.vectors.delete_generation(info.document_id, info.generation)
    else:
        active.keywords.remove([(info.document_id, info.generation)])
    assert not full.status().consistent

    findings = examine(full._storage, LetterEmbedder())

    assert [finding.problem.split(":")[0] for finding in findings] == ["a.txt"]
    assert full.status().consistent
    assert examine(full._storage, LetterEmbedder()) == []


def test_a_deleted_document_is_examined_too_and_stays_deleted(full: Prism) -> None:
    info = full.delete("a.txt")
    full._storage.active("default").vectors.delete_document(info.document_id)
    assert len(examine(full._storage, LetterEmbedder())) == 1
    assert full.status().consistent
    assert full.document("a.txt").status == "deleted"


def test_vectors_of_nobody_are_removed(full: Prism) -> None:
    info = full.document("a.txt")
    nodes = full._storage.catalogue.nodes
    ids = nodes.node_ids({info.document_id: info.generation}, LEAF_LEVEL)
    leaf = nodes.get(ids, {info.document_id: info.generation})[ids[0]].node
    vectors = full._storage.active("default").vectors
    vectors.upsert(["stray"], LetterEmbedder().embed([leaf.text]), ["gone"], [1])

    assert [finding.repair for finding in examine(full._storage, LetterEmbedder())] == ["removed"]
    assert full.status().consistent


def test_a_rebuild_uses_todays_tokens_and_embedder(full: Prism) -> None:
    class Other(LetterEmbedder):
        name = "letters@2"

    nodes = full._storage.catalogue.nodes
    nodes.replace_tokens(
        {node_id: ["old"] for node_id in nodes.node_ids({full.document("a.txt").document_id: 1}, LEAF_LEVEL)}
    )
    (finding,) = rebuild(full._storage, Other())

    assert finding.repair == f"{full.status().leaves} leaves indexed again"
    assert full._storage.models_match("letters@2")
    with full._storage.active("default").snapshot() as snapshot:
        assert snapshot.keywords.search_tokens(["old"], 5) == ()
        assert len(snapshot.keywords.search("alpha", 5)) == 1


def test_a_table_files_page_is_all_its_rows(full: Prism) -> None:
    page = show_page(full._storage, full.document("fees.csv"), 1)
    assert page.page == PageRef("row 1 – row 3", 1)
    assert "card" in page.text
    assert (page.start, page.image_png) == (0, None)


def test_a_failed_document_has_no_page_to_show(open_prism, add, tmp_path: Path) -> None:
    class Failing(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise RuntimeError("429")

    prism = open_prism(embedder=Failing())
    add(prism, {"a.txt": "Alpha rule holds."})
    with pytest.raises(NotFoundError, match="is failed"):
        prism.page("a.txt", 1)


def test_dep_01_missing_vectors_are_completed_before_the_first_question(full: Prism) -> None:
    full._storage.active("default").vectors.delete_document(full.document("a.txt").document_id)
    complete(full._storage, "default", LetterEmbedder())
    assert examine(full._storage, LetterEmbedder()) == []


def test_ret_26_what_cannot_be_completed_does_not_stop_a_question(full: Prism, caplog) -> None:
    class Failing(LetterEmbedder):
        def embed(self, texts, on_batch=None):
            raise ModelCallError("out of memory")

    full._storage.active("default").vectors.delete_document(full.document("a.txt").document_id)
    complete(full._storage, "default", Failing())
    assert "out of memory" in caplog.text
