from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.reading.files import Known, known_files, read_or_refused
from prism.errors import UsageError
from prism.settings import ReadSettings
from prism.types import SourceText


def known(folder: Path, *rows: dict[str, str]) -> tuple[Known, ...]:
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return known_files(folder)


def test_only_files_with_a_reference_are_known(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("words")
    files = known(
        tmp_path,
        {"file": "b.PDF", "flags": "password:pa:ss", "groundtruth_md": "b.md"},
        {"file": "a.pdf", "flags": "needs_ocr", "groundtruth_md": "b.md"},
        {"file": "c.txt", "flags": ""},
    )
    assert files == (
        Known(tmp_path / "a.pdf", "words", "", is_text_pdf=False),
        Known(tmp_path / "b.PDF", "words", "pa:ss", is_text_pdf=True),
    )


@pytest.mark.parametrize("manifest", ["", "{", '{"file": "a", "groundtruth_md": "none.md"}'])
def test_a_folder_without_known_texts_is_refused_by_name(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.jsonl").write_text(manifest)
    with pytest.raises(UsageError, match=str(tmp_path)):
        known_files(tmp_path)


def test_a_file_is_read_as_it_would_be_stored_or_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("ﬁne\u00a0text".encode())
    (tmp_path / "b.pdf").write_bytes(b"no such thing")
    text, refusal = (
        read_or_refused(Known(tmp_path / name, "", "", is_text_pdf=False), ReadSettings())
        for name in ("a.txt", "b.pdf")
    )
    assert isinstance(text, SourceText)
    assert "\u00a0" not in text.text
    assert isinstance(refusal, str)
    assert "b.pdf" in refusal
