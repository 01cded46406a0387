from __future__ import annotations

from pathlib import Path

import pytest

from prism.errors import StoreDamagedError
from prism.stores import keyword_files
from prism.stores.bm25 import LeafTokens, Segment, build_segment
from prism.stores.keyword_files import read_base, write_base


def segment(node_id: str) -> Segment:
    return build_segment([LeafTokens(node_id, "d", 1, ("ant", "bee", "ant"))])


def test_a_base_comes_back_as_it_was_written(tmp_path: Path) -> None:
    written = write_base(tmp_path / "new", segment("a"), "1")
    read = read_base(tmp_path / "new", "1")
    assert read
    assert read.node_ids == written.node_ids == ("a",)
    assert [part.tolist() for part in read.postings("ant")] == [[0], [2]]
    assert read.leaf_counts == {("d", 1): 1}


def test_nothing_saved_is_no_base(tmp_path: Path) -> None:
    assert read_base(tmp_path / "never", "1") is None


@pytest.mark.parametrize("moment", ["save_segment", "load_segment"])
def test_a_failure_before_the_switch_leaves_the_old_base_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    write_base(tmp_path, segment("old"), "1")

    def fail(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(keyword_files, moment, fail)
        with pytest.raises(OSError, match="no space"):
            write_base(tmp_path, segment("new"), "1")
    read = read_base(tmp_path, "1")
    assert read
    assert read.node_ids == ("old",)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"base": "base-1"}'])
def test_a_broken_current_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "current.json").write_text(content)
    with pytest.raises(StoreDamagedError, match=r"current\.json"):
        read_base(tmp_path, "1")
