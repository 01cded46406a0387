import struct

import pytest

from prism.errors import ModelMissingError, ModelUnfitError
from prism.models.gguf_file import read_gguf_header


def string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str, value: str | int | list[str] | list[int]) -> bytes:
    if isinstance(value, str):
        return string(key) + struct.pack("<I", 8) + string(value)
    if isinstance(value, int):
        return string(key) + struct.pack("<II", 4, value)
    if value and isinstance(value[0], str):
        items, kind = b"".join(string(str(item)) for item in value), 8
    else:
        items, kind = b"".join(struct.pack("<i", item) for item in value), 5
    return string(key) + struct.pack("<IIQ", 9, kind, len(value)) + items


def gguf(**values) -> bytes:
    named = {key.replace("__", "."): value for key, value in values.items()}
    pairs = b"".join(pair(key, value) for key, value in named.items())
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(named)) + pairs


LLAMA = gguf(
    general__architecture="llama",
    llama__context_length=8192,
    tokenizer__ggml__tokens=["a", "<|im_end|>", "b"],
    tokenizer__ggml__token_type=[1, 3, 1],
)


def test_architecture_context_and_turn_marks_are_read(tmp_path):
    file = tmp_path / "m.gguf"
    file.write_bytes(LLAMA)
    header = read_gguf_header(file, setting="s")
    assert header.architecture == "llama"
    assert header.trained_context_tokens == 8192
    assert header.control_tokens == ("<|im_end|>",)


def test_a_file_that_does_not_tell_its_context_is_taken(tmp_path):
    file = tmp_path / "m.gguf"
    file.write_bytes(gguf(general__architecture="llama"))
    assert read_gguf_header(file, setting="s").trained_context_tokens is None


@pytest.mark.parametrize("length", [4, 10, 30, len(LLAMA) - 1])
def test_dep_08_a_file_cut_off_in_its_header_is_named(tmp_path, length):
    file = tmp_path / "m.gguf"
    file.write_bytes(LLAMA[:length])
    with pytest.raises(ModelMissingError, match=r"m\.gguf is cut off.*models\.local\.path"):
        read_gguf_header(file, setting="models.local.path")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04rest", b"version https://git-lfs"])
def test_another_kind_of_file_is_unfit(tmp_path, content):
    file = tmp_path / "m.gguf"
    file.write_bytes(content)
    with pytest.raises(ModelUnfitError, match="not a GGUF file"):
        read_gguf_header(file, setting="s")


def test_noise_after_the_magic_is_unfit_not_a_crash(tmp_path):
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF" + bytes([255]) * 1000)
    with pytest.raises(ModelUnfitError, match="broken GGUF header"):
        read_gguf_header(file, setting="s")


@pytest.mark.parametrize("architecture", ["bert", "nomic-bert", "jina-bert-v2"])
def test_an_embedding_model_given_as_language_model_is_unfit(tmp_path, architecture):
    file = tmp_path / "m.gguf"
    file.write_bytes(gguf(general__architecture=architecture))
    with pytest.raises(ModelUnfitError, match="writes no text"):
        read_gguf_header(file, setting="s")


def test_dep_08_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(ModelMissingError, match="does not exist"):
        read_gguf_header(tmp_path / "none.gguf", setting="s")
    with pytest.raises(ModelMissingError, match="is a folder"):
        read_gguf_header(tmp_path, setting="s")
