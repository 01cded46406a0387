from __future__ import annotations

from pathlib import Path

import pytest

from prism.ingest.prune import LookedThrough, looked_through, without_file
from prism.settings import ReadSettings
from prism.types import DocumentInfo, DocumentStatus, Source

SETTINGS = ReadSettings()


def info(name: str, status: DocumentStatus = "active") -> DocumentInfo:
    return DocumentInfo(name, name, name, "default", status, 1, 1, 1, "v", 1, "", ())


def gone(
    tmp_path: Path, given: list[object], paths: dict[str, Path], settings=SETTINGS, seen=()
) -> list[str]:
    folders = looked_through(given, settings)  # type: ignore[arg-type]
    return [item.document for item in without_file(map(info, paths), paths, set(seen), folders)]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (folder := tmp_path / "docs").mkdir()
    (folder / "there.txt").write_text("x")
    return folder


def test_a_document_goes_whose_file_was_in_the_folder_and_is_no_longer(tmp_path: Path, docs: Path) -> None:
    paths = {
        "gone.txt": docs / "gone.txt",
        "sub/gone.txt": docs / "sub" / "gone.txt",
        "there.txt": docs / "there.txt",
        "elsewhere.txt": tmp_path / "other" / "gone.txt",
        "like.txt": tmp_path / "docs2" / "gone.txt",
    }
    assert gone(tmp_path, [docs], paths) == ["gone.txt", "sub/gone.txt"]
    assert gone(tmp_path, [docs], paths, seen=["gone.txt"]) == ["sub/gone.txt"]


def test_documents_of_unknown_place_and_those_not_shown_stay(docs: Path) -> None:
    folders = looked_through([docs], ReadSettings())
    assert without_file([info("a")], {}, set(), folders) == []
    assert without_file([info("a", "deleted")], {"a": docs / "a"}, set(), folders) == []


def test_files_and_uploads_say_nothing_of_what_is_gone(tmp_path: Path, docs: Path) -> None:
    paths = {"gone.txt": docs / "gone.txt"}
    assert gone(tmp_path, [docs / "there.txt", Source(docs, "docs")], paths) == []


def test_what_would_not_have_been_read_stays(tmp_path: Path, docs: Path) -> None:
    paths = {"a.txt": docs / "a.txt", "b.md": docs / "b.md", "old/c.txt": docs / "old" / "c.txt"}
    assert gone(tmp_path, [docs], paths, ReadSettings(exclude=("old",))) == ["a.txt", "b.md"]
    assert gone(tmp_path, [docs], paths, ReadSettings(include=("*.md",))) == ["b.md"]
    assert gone(tmp_path, [f"{docs}/*.txt"], paths) == ["a.txt"]


def test_a_folder_reached_by_a_link_is_the_same_folder(tmp_path: Path, docs: Path) -> None:
    (way := tmp_path / "way").symlink_to(docs)
    assert gone(tmp_path, [docs], {"a.txt": way / "a.txt"}) == ["a.txt"]
    assert gone(tmp_path, [way], {"a.txt": docs / "a.txt"}) == ["a.txt"]


def test_a_link_to_nothing_is_still_there(tmp_path: Path, docs: Path) -> None:
    (docs / "link.txt").symlink_to(tmp_path / "nothing")
    assert gone(tmp_path, [docs], {"link.txt": docs / "link.txt"}) == []


def test_what_cannot_be_looked_at_is_not_gone(tmp_path: Path, docs: Path) -> None:
    assert gone(tmp_path, [docs], {"x": docs / ("x" * 300)}) == []
    assert isinstance(looked_through([docs], ReadSettings())[0], LookedThrough)
