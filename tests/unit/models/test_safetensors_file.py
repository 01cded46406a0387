import json

import pytest

from prism.errors import ModelMissingError, ModelUnfitError
from prism.models.safetensors_file import check_safetensors


def safetensors(data_bytes: int, promised_bytes: int) -> bytes:
    header = json.dumps(
        {"w": {"dtype": "U8", "shape": [promised_bytes], "data_offsets": [0, promised_bytes]}}
    )
    return len(header).to_bytes(8, "little") + header.encode() + bytes(data_bytes)


def test_a_whole_file_passes(tmp_path):
    file = tmp_path / "model.safetensors"
    file.write_bytes(safetensors(100, 100))
    check_safetensors(file, setting="s")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x01",
        safetensors(99, 100),
        safetensors(0, 100),
        safetensors(100, 100)[:30],
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 90868376\n",
    ],
    ids=["empty", "one byte", "one byte short", "no data", "cut in the header", "git lfs pointer"],
)
def test_dep_08_a_file_that_is_cut_off_is_named_with_the_fix(tmp_path, content):
    file = tmp_path / "model.safetensors"
    file.write_bytes(content)
    with pytest.raises(ModelMissingError) as raised:
        check_safetensors(file, setting="models.embedder.path")
    assert str(file) in str(raised.value)
    assert "models.embedder.path" in str(raised.value)


@pytest.mark.parametrize("content", [b"<html>not found</html>", (2).to_bytes(8, "little") + b"[]"])
def test_another_kind_of_file_is_unfit(tmp_path, content):
    file = tmp_path / "model.safetensors"
    file.write_bytes(content)
    with pytest.raises(ModelUnfitError):
        check_safetensors(file, setting="s")
