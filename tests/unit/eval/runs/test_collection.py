"""An index is built once for what shapes it, used again, and never touched by a run."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.dataset import LabelledQuestion
from eval.runs import collection as module
from eval.runs.collection import COMPLETE, code_hash, collection
from prism.errors import StoreBusyError, UsageError
from prism.settings import overlay_settings
from prism.types import IngestProgress
from tests.fakes import SharedWordsReranker
from tests.unit.eval.runs.conftest import SETTINGS, CountingEmbedder, MakeDataset, OpenCollection

FILES = {"a.txt": "apples and pears", "b.txt": "bread and butter", "c/d.txt": "cheese and crackers"}


def indexes(cache: Path) -> list[Path]:
    return sorted((cache / "indexes").iterdir())


def digest(folder: Path) -> dict[str, str]:
    """Hash of every file below a folder."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_documents_are_indexed_and_can_be_asked(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset(FILES)) as found:
        assert (found.documents, found.leaves, found.embedded, found.failures) == (3, 3, 3, ())
        assert found.seconds is not None
        assert found.prism.retrieve("bread butter", 1).passages[0].document == "b.txt"
        assert found.reranker is None


def test_under_the_same_settings_the_index_is_used_again(
    opened: OpenCollection, make_dataset: MakeDataset, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    with opened(make_dataset(FILES)):
        pass
    embedder.passages.clear()
    with opened(make_dataset(FILES)) as found:
        assert (found.documents, found.leaves, found.embedded, found.seconds) == (3, 3, 0, None)
        assert found.prism.retrieve("bread butter", 1).passages[0].document == "b.txt"
    assert embedder.passages == []
    assert len(indexes(tmp_path / "cache")) == 1


@pytest.mark.parametrize(
    "overlay",
    [
        {"retrieval.fusion": "min_max"},
        {"retrieval.keyword_weight": 0.0},
        {"merge.enabled": False},
        {"keywords.k1": 0.9},
        {"gate.threshold": 0.4},
        {"storage.workspace": "mine"},
    ],
    ids=str,
)
def test_settings_that_shape_no_index_ask_the_same_one(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path, overlay: dict[str, Any]
) -> None:
    with opened(make_dataset(FILES)):
        pass
    with opened(make_dataset(FILES), **overlay) as found:
        assert (found.seconds, found.embedded) == (None, 0)
        assert len(found.prism.retrieve("bread butter", 3).passages) >= 1
    assert len(indexes(tmp_path / "cache")) == 1


@pytest.mark.parametrize(
    "overlay",
    [
        {"chunk.leaf_tokens": 32},
        {"chunk.parent_tokens": ()},
        {"chunk.leaf_overlap_tokens": 4},
        {"read.max_pages": 10},
        {"vectors.hnsw_m": 16},
    ],
    ids=str,
)
def test_settings_that_shape_an_index_build_another_and_passages_known_are_not_embedded_again(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path, overlay: dict[str, Any]
) -> None:
    with opened(make_dataset(FILES)):
        pass
    with opened(make_dataset(FILES), **overlay) as found:
        assert found.seconds is not None
        assert found.embedded == 0, "each document is one passage either way"
    assert len(indexes(tmp_path / "cache")) == 2


def test_new_passages_alone_are_embedded(
    opened: OpenCollection, make_dataset: MakeDataset, embedder: CountingEmbedder
) -> None:
    with opened(make_dataset(FILES)):
        pass
    embedder.passages.clear()
    with opened(make_dataset({**FILES, "e.txt": "eggs", "copy.txt": FILES["a.txt"]})) as found:
        assert (found.documents, found.embedded) == (5, 1)
    assert [text.strip() for text in embedder.passages] == ["eggs"]


def test_another_embedder_builds_another(
    opened: OpenCollection, make_dataset: MakeDataset, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    with opened(make_dataset(FILES)):
        pass
    embedder.name = "letters@2"
    with opened(make_dataset(FILES)) as found:
        assert found.embedded == 3
    embedder.max_tokens = 128
    with opened(make_dataset(FILES)) as found:
        assert found.embedded == 3
    assert len(indexes(tmp_path / "cache")) == 3


def test_other_documents_build_another(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path
) -> None:
    with opened(make_dataset(FILES)):
        pass
    with opened(make_dataset({**FILES, "b.txt": "bagels"})):
        pass
    renamed = {("c/e.txt" if name == "c/d.txt" else name): text for name, text in FILES.items()}
    with opened(make_dataset(renamed)) as found:
        assert {info.document for info in found.prism.documents()} == set(renamed)
    assert len(indexes(tmp_path / "cache")) == 3


def test_other_questions_build_none(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path
) -> None:
    with opened(make_dataset(FILES, fingerprint="one")):
        pass
    with opened(make_dataset(FILES, LabelledQuestion("q", "?"), fingerprint="two")) as found:
        assert found.seconds is None
    assert len(indexes(tmp_path / "cache")) == 1


def test_other_code_builds_another(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(make_dataset(FILES)):
        pass
    monkeypatch.setattr(module, "code_hash", lambda: "changed")
    with opened(make_dataset(FILES)) as found:
        assert (found.seconds is not None, found.embedded) == (True, 0)
    assert len(indexes(tmp_path / "cache")) == 2


def test_the_code_is_that_of_the_rooms_that_shape_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ingest/chunk.py", "ingest/readers/pdf.py", "query/fuse.py"):
        (tmp_path / "prism" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "prism" / name).write_text("a = 1\n")
    monkeypatch.setattr(module, "REPOSITORY", tmp_path)
    first = code_hash()
    (tmp_path / "prism" / "query" / "fuse.py").write_text("a = 2\n")
    (tmp_path / "prism" / "ingest" / "notes.txt").write_text("no code")
    assert code_hash() == first
    (tmp_path / "prism" / "ingest" / "readers" / "pdf.py").write_text("a = 2\n")
    assert code_hash() != first


def test_a_build_that_was_stopped_goes_on(
    opened: OpenCollection, make_dataset: MakeDataset, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    embedder.stop_at = "butter"
    with pytest.raises(KeyboardInterrupt), opened(make_dataset(FILES)):
        pass
    assert embedder.passages == ["apples and pears"]
    # Without the vectors of the first time, only what is indexed already can be spared.
    (tmp_path / "cache" / "vectors.sqlite").unlink()
    embedder.stop_at = None
    embedder.passages.clear()
    with opened(make_dataset(FILES)) as found:
        assert (found.documents, found.embedded) == (3, 2)
        assert found.prism.retrieve("apples", 1).passages[0].document == "a.txt"
    assert embedder.passages == ["bread and butter", "cheese and crackers"]


def test_an_index_of_which_it_is_not_said_that_it_is_whole_is_completed(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path
) -> None:
    with opened(make_dataset(FILES)):
        pass
    (index,) = indexes(tmp_path / "cache")
    (index / COMPLETE).unlink()
    with opened(make_dataset(FILES)) as found:
        assert (found.documents, found.leaves, found.embedded) == (3, 3, 0)
        assert found.seconds is not None


def test_a_run_leaves_the_index_as_it_was(
    opened: OpenCollection, make_dataset: MakeDataset, tmp_path: Path
) -> None:
    with opened(make_dataset(FILES)):
        pass
    (index,) = indexes(tmp_path / "cache")
    before = digest(index)
    with opened(make_dataset(FILES)) as found:
        trace_id = found.prism.retrieve("apples", 1).trace_id
        found.prism.conversation().ask("And bread?")
        found.prism.delete("b.txt")
    assert digest(index) == before
    with opened(make_dataset(FILES)) as found:
        assert found.prism.conversations() == []
        assert len(found.prism.retrieve("bread", 3).passages) >= 1
        assert all(info.status == "active" for info in found.prism.documents())
        assert trace_id not in str(found.prism.jobs())


def test_what_cannot_be_indexed_is_told_each_time(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    dataset = make_dataset({**FILES, "broken.pdf": "%PDF-1.4 nothing more", "empty.txt": ""})
    for _ in range(2):
        with opened(dataset) as found:
            assert found.documents == 3
            broken, empty = found.failures
            assert broken.startswith("broken.pdf: ")
            assert empty.startswith("empty.txt: ")


def test_a_set_of_which_nothing_can_be_indexed_is_refused(
    opened: OpenCollection, make_dataset: MakeDataset
) -> None:
    with (
        pytest.raises(UsageError, match=r"letters: nothing could be indexed\. First: "),
        opened(make_dataset({"broken.pdf": "%PDF-1.4 nothing more"})),
    ):
        pass
    with pytest.raises(UsageError, match="letters: it has no documents"), opened(make_dataset({})):
        pass


def test_nothing_is_sent_to_a_remote_model(opened: OpenCollection, make_dataset: MakeDataset) -> None:
    with opened(make_dataset(FILES), **{"privacy.remote_models": "allow"}) as found:
        assert found.prism.settings.privacy.remote_models == "deny"


def test_progress_of_indexing_is_told(
    make_dataset: MakeDataset, embedder: CountingEmbedder, tmp_path: Path
) -> None:
    told: list[IngestProgress] = []
    with collection(make_dataset(FILES), SETTINGS, tmp_path / "cache", told.append):
        pass
    assert (told[-1].files_done, told[-1].files_total) == (3, 3)


def test_scores_of_a_reranker_are_kept(
    opened: OpenCollection, make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "load_reranker", lambda settings: SharedWordsReranker())
    counts = []
    for _ in range(2):
        with opened(make_dataset(FILES), **{"rerank.kind": "cross_encoder"}) as found:
            found.prism.retrieve("bread and butter", 3)
            assert found.reranker is not None
            counts.append((found.reranker.computed, found.reranker.read))
    # Each of the three leaves holds a letter of the question, so that the dense leg finds all.
    assert counts == [(3, 0), (0, 3)]


def test_settings_stay_as_given(make_dataset: MakeDataset, opened: OpenCollection) -> None:
    with opened(make_dataset(FILES), **{"retrieval.k": 2}) as found:
        expected = overlay_settings(
            SETTINGS,
            {
                "retrieval.k": 2,
                "storage.path": found.prism.settings.storage.path,
                "privacy.remote_models": "deny",
            },
        )
        assert found.prism.settings == expected


def test_an_index_that_another_run_is_building_is_waited_for_or_built_elsewhere(
    opened: OpenCollection, make_dataset: MakeDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(settings: Any) -> Any:
        raise StoreBusyError("process 7 works on it")

    monkeypatch.setattr(module, "Storage", busy)
    with (
        pytest.raises(UsageError, match="another run is indexing the same documents"),
        opened(make_dataset({"a.txt": "words"})),
    ):
        pass
