"""The file of a projection is what Prism reads, and says what it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from eval.training.write import check_target, write_projection
from prism.errors import UsageError

MATRIX = np.array([[0.1, -2.0], [3.0, 0.0], [1e-3, 5.0]], dtype=np.float32)


def test_the_matrix_is_written_in_half_precision_with_its_origin(tmp_path: Path) -> None:
    file = tmp_path / "words@1.npy"
    write_projection(file, MATRIX, {"seed": 3, "sets": ["größe"]})
    found = np.load(file)
    assert found.dtype == np.float16
    assert np.allclose(found, MATRIX, rtol=1e-3)
    assert json.loads((tmp_path / "words@1.json").read_text(encoding="utf-8")) == {
        "seed": 3,
        "sets": ["größe"],
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["words@1.json", "words@1.npy"]


def test_a_target_is_checked_before_the_work(tmp_path: Path) -> None:
    check_target(tmp_path / "new" / "m.npy")
    assert (tmp_path / "new").is_dir()
    with pytest.raises(UsageError, match=r"m.bin: a projection is a .npy file"):
        check_target(tmp_path / "m.bin")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="no folder can be made there"):
        check_target(tmp_path / "file" / "deep" / "m.npy")
