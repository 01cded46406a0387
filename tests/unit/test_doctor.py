from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from prism import doctor
from prism.doctor import Finding, examine
from prism.engine import Prism
from prism.errors import StoreError
from prism.models.protocols import OnBatch, Vectors
from prism.stores.record_faults import RecordFault
from prism.types import LEAF_LEVEL, Source
from tests.fakes import LetterEmbedder


class Counting(LetterEmbedder):
    """Remembers how many texts it embedded."""

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        self.embedded += len(texts)
        return super().embed(texts, on_batch)


@pytest.fixture
def full(prism: Prism, add) -> Prism:
    add(prism, {"a.txt": "Alpha rule holds.", "b.txt": "Beta rule holds. " * 20})
    return prism


def look(prism: Prism) -> list[Finding]:
    return examine(prism._storage, LetterEmbedder())


def outcomes(findings: Sequence[Finding]) -> list[str]:
    return [finding.outcome for finding in findings]


def change_record(prism: Prism, statement: str, *values: object) -> None:
    connection = prism._storage._database.read()
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(statement, values)


def kept_file(prism: Prism, name: str) -> Path:
    info = prism.document(name)
    hashed = prism._storage.catalogue.content_hash(info.document_id, info.generation)
    return prism._storage.originals.path(info.document_id, hashed)


def test_a_healthy_folder_gives_no_finding(full: Prism) -> None:
    assert look(full) == []


# ── the projections ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("projection", ["vectors", "keywords"])
def test_leaves_missing_from_a_projection_are_indexed_again(full: Prism, projection: str) -> None:
    info = full.document("a.txt")
    active = full._storage.active("default")
    if projection == "vectors":
        active.vectors.delete_generation(info.document_id, info.generation)
    else:
        active.keywords.remove([(info.document_id, info.generation)])
    assert not full.status().consistent

    findings = look(full)

    assert [finding.problem.split(":")[0] for finding in findings] == ["a.txt"]
    assert full.status().consistent
    assert look(full) == []


def test_a_deleted_document_is_examined_too_and_stays_deleted(full: Prism) -> None:
    info = full.delete("a.txt")
    full._storage.active("default").vectors.delete_document(info.document_id)
    assert len(look(full)) == 1
    assert full.status().consistent
    assert full.document("a.txt").status == "deleted"


def test_vectors_of_nobody_are_removed(full: Prism) -> None:
    info = full.document("a.txt")
    nodes = full._storage.catalogue.nodes
    ids = nodes.node_ids({info.document_id: info.generation}, LEAF_LEVEL)
    leaf = nodes.get(ids, {info.document_id: info.generation})[ids[0]].node
    vectors = full._storage.active("default").vectors
    vectors.upsert(["stray"], LetterEmbedder().embed([leaf.text]), ["gone"], [1])

    assert [finding.repair for finding in look(full)] == ["removed"]
    assert full.status().consistent


def test_missing_words_are_added_without_a_new_vector(full: Prism) -> None:
    info, embedder = full.document("a.txt"), Counting()
    full._storage.active("default").keywords.remove([(info.document_id, info.generation)])
    (finding,) = examine(full._storage, embedder)
    assert "keyword index" in finding.problem
    # The sample that is compared with what is stored, and nothing else.
    assert embedder.embedded <= doctor.SAMPLE_LEAVES


def test_missing_vectors_are_made_without_reading_words_again(
    full: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = full.document("a.txt")
    full._storage.active("default").vectors.delete_document(info.document_id)
    monkeypatch.delattr("prism.ingest.index.tokenize")
    assert outcomes(look(full)) == ["mended"]


def test_a_leaf_that_holds_anothers_vector_is_made_again(full: Prism) -> None:
    info = full.document("a.txt")
    vectors = full._storage.active("default").vectors
    (leaf,) = vectors.ids(info.document_id, info.generation)
    wrong = np.eye(26, dtype=np.float32)[25:]
    vectors.upsert([leaf], wrong, [info.document_id], [info.generation])
    (finding,) = look(full)
    assert "a.txt" in finding.problem
    assert "not its text's" in finding.problem
    assert look(full) == []


def test_equal_counts_of_other_leaves_are_noticed(full: Prism) -> None:
    info = full.document("a.txt")
    vectors = full._storage.active("default").vectors
    (leaf,) = vectors.ids(info.document_id, info.generation)
    row = vectors.vectors([leaf])[leaf]
    vectors.delete_generation(info.document_id, info.generation)
    vectors.upsert(["other"], row[None], [info.document_id], [info.generation])
    assert outcomes(look(full)) == ["mended"]
    assert vectors.ids(info.document_id, info.generation) == {leaf}


def test_another_embedder_is_left_to_the_person_and_nothing_is_mixed(full: Prism) -> None:
    class Other(Counting):
        name = "letters@2"

    embedder = Other()
    (finding,) = examine(full._storage, embedder)
    assert (finding.outcome, finding.workspace) == ("left", "")
    assert "letters@1" in finding.problem
    assert "doctor --rebuild" in finding.repair
    assert embedder.embedded == 0


# ── the record ──────────────────────────────────────────────────────────────────────────────────


def test_leaves_without_tokens_get_them_again(full: Prism) -> None:
    change_record(full, "DELETE FROM leaf_tokens")
    assert outcomes(look(full)) == ["mended", "mended"]
    assert look(full) == []
    assert full.with_settings(retrieval={"dense_weight": 0}).retrieve("alpha").passages


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE nodes SET end = 100000 WHERE level = 0", "outside the stored text"),
        ("UPDATE nodes SET start = end WHERE level = 0", "outside the stored text"),
        ("UPDATE nodes SET parent_id = 'gone' WHERE level = 0", "parent"),
        ("DELETE FROM nodes", "none of its passages"),
        ("DELETE FROM pages", "none of its pages"),
        ("UPDATE versions SET leaves = 99", "another number of leaves"),
    ],
)
def test_a_record_that_contradicts_itself_is_left_with_the_way_out(
    full: Prism, statement: str, problem: str
) -> None:
    change_record(full, statement)
    found = [finding for finding in look(full) if finding.outcome == "left"]
    assert found
    assert any(problem in finding.problem and "a.txt" in finding.problem for finding in found)
    assert any(f"prism purge {full.document('a.txt').document_id[:12]}" in item.repair for item in found)


def test_a_document_without_its_version_is_left_with_the_way_to_a_backup(full: Prism) -> None:
    change_record(full, "UPDATE documents SET live_generation = 7 WHERE source_key = 'a.txt'")
    (finding,) = (finding for finding in look(full) if finding.outcome == "left")
    assert "a.txt: the version" in finding.problem
    assert "restore" in finding.repair


def test_nothing_is_made_from_a_record_whose_file_is_damaged(
    full: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Counting()
    full._storage.active("default").vectors.delete_document(full.document("a.txt").document_id)
    fault = RecordFault("file", "row 3 missing from index")
    monkeypatch.setattr(full._storage, "record_faults", lambda: [fault])
    (finding,) = examine(full._storage, embedder)
    assert (finding.outcome, "row 3" in finding.problem) == ("left", True)
    assert "restore" in finding.repair
    assert embedder.embedded == 0


def test_rows_that_refer_to_nothing_are_told(full: Prism) -> None:
    change_record(full, "INSERT INTO leaf_tokens VALUES ('nobody', 'word')")
    (finding,) = look(full)
    assert (finding.outcome, "leaf_tokens" in finding.problem) == ("left", True)


# ── the files and the disk ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("harm", "problem"),
    [(Path.unlink, "is gone"), (lambda file: file.write_bytes(b"other bytes"), "was changed")],
)
def test_an_original_that_is_gone_or_changed_is_left_to_the_person(
    full: Prism, harm: Callable[[Path], object], problem: str
) -> None:
    harm(kept_file(full, "a.txt"))
    (finding,) = look(full)
    assert finding.outcome == "left"
    assert problem in finding.problem
    assert "ingest" in finding.repair


def test_ingesting_the_file_again_brings_its_original_back(full: Prism, add) -> None:
    kept_file(full, "a.txt").unlink()
    add(full, {"a.txt": "Alpha rule holds."})
    assert look(full) == []


def test_an_interrupted_file_is_noted_with_what_to_do(open_prism, add) -> None:
    class Stopped(LetterEmbedder):
        def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
            raise KeyboardInterrupt

    prism = open_prism(embedder=Stopped())
    with pytest.raises(KeyboardInterrupt):
        add(prism, {"a.txt": "Alpha rule holds."})
    (finding,) = look(prism)
    assert finding.outcome == "noted"
    assert "prism resume" in finding.repair


def test_a_full_disk_is_noted(full: Prism, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type(shutil.disk_usage("/"))(100, 99, 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    (finding,) = look(full)
    assert (finding.outcome, "free" in finding.problem) == ("noted", True)


def test_files_of_a_document_the_record_knows_nothing_of_are_left_to_the_person(full: Prism) -> None:
    strange = kept_file(full, "a.txt").parents[1] / "unheardof"
    strange.mkdir()
    (strange / "aa").write_text("a file")
    (finding,) = look(full)
    assert finding.outcome == "left"
    assert "1 document of which" in finding.problem
    assert "backup" in finding.repair


def test_leftovers_that_cannot_be_removed_are_left_to_the_person(
    full: Prism, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise StoreError("aa: cannot be removed")

    monkeypatch.setattr(full._storage, "remove_leftovers", refused)
    (finding,) = look(full)
    assert (finding.outcome, "cannot be removed" in finding.problem) == ("left", True)


def test_files_a_stopped_ingest_never_came_to_are_noted(full: Prism) -> None:
    files = [Source(Path(f"{number}.txt"), f"{number}.txt") for number in range(3)]
    job_id = full._storage.jobs.start("default", files, keep=9)
    change_record(full, "UPDATE jobs SET state = 'interrupted' WHERE job_id = ?", job_id)
    (finding,) = look(full)
    assert finding.outcome == "noted"
    assert "3 files" in finding.problem
    assert "prism resume" in finding.repair
