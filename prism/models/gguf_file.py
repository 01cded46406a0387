"""What a GGUF file says about itself, read from its header without a runtime.

Layout (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): magic `GGUF`, version (u32), tensor
count (u64), number of key-value pairs (u64), then the pairs: key (string), type (u32), value. Strings
are a u64 length and UTF-8 bytes; all numbers are little-endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from prism.errors import ModelMissingError, ModelUnfitError

_MAGIC = b"GGUF"
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_STRING_BYTES = 16 * 1024 * 1024
_MAX_ITEMS = 10_000_000
_CONTROL_TOKEN = 3
"""Token type of marks such as `<|im_start|>` (llama.cpp: LLAMA_TOKEN_TYPE_CONTROL)."""

_NOT_GENERATIVE = ("bert", "t5encoder", "clip", "wavtokenizer")


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """`trained_context_tokens` is None when the file does not say. `control_tokens` are the marks that
    separate turns; in a person's or a document's text they must not act."""

    architecture: str
    trained_context_tokens: int | None
    control_tokens: tuple[str, ...]


def read_gguf_header(file: Path, *, setting: str) -> GgufHeader:
    """Read the header of a language model.

    Raises:
        ModelMissingError: no such file, or it is cut off within its header.
        ModelUnfitError: it is not a GGUF file, or holds a model that writes no text.
    """
    if not file.is_file():
        what = "is a folder, not a GGUF file" if file.is_dir() else "does not exist"
        raise ModelMissingError(f"{file} {what}: set {setting} to a GGUF file.")
    with file.open("rb") as stream:
        if stream.read(4) != _MAGIC:
            raise ModelUnfitError(f"{file} is not a GGUF file. Set {setting} to one.")
        try:
            values = _read_pairs(stream)
        except EOFError:
            raise ModelMissingError(f"{file} is cut off. Copy it again, or correct {setting}.") from None
        except (ValueError, struct.error):
            raise ModelUnfitError(f"{file} has a broken GGUF header. Copy it again.") from None
    architecture = str(values.get("general.architecture", ""))
    if any(word in architecture for word in _NOT_GENERATIVE):
        raise ModelUnfitError(
            f"{file} holds a {architecture} model, which writes no text. "
            f"Set {setting} to a chat model such as SmolLM2 or Qwen2.5 Instruct."
        )
    context = values.get(f"{architecture}.context_length")
    return GgufHeader(
        architecture=architecture,
        trained_context_tokens=context if isinstance(context, int) else None,
        control_tokens=_control_tokens(values),
    )


def _control_tokens(values: dict[str, object]) -> tuple[str, ...]:
    tokens, types = values.get("tokenizer.ggml.tokens"), values.get("tokenizer.ggml.token_type")
    if not isinstance(tokens, list) or not isinstance(types, list):
        return ()
    pairs = zip(tokens, types, strict=False)
    return tuple(str(token) for token, kind in pairs if kind == _CONTROL_TOKEN and len(str(token)) > 1)


def _read_pairs(stream: BinaryIO) -> dict[str, object]:
    _version, _tensors, pairs = struct.unpack("<IQQ", _take(stream, 20))
    if pairs > _MAX_ITEMS:
        raise ValueError(pairs)
    values: dict[str, object] = {}
    for _ in range(pairs):
        key = _read_string(stream)
        values[key] = _read_value(stream, _read_number(stream, "I"))
    return values


def _read_value(stream: BinaryIO, kind: int) -> object:
    if kind == _STRING:
        return _read_string(stream)
    if kind == _ARRAY:
        return _read_array(stream)
    if kind not in _NUMBERS:
        raise ValueError(kind)
    return _read_number(stream, _NUMBERS[kind])


def _read_array(stream: BinaryIO) -> list[object]:
    kind, count = struct.unpack("<IQ", _take(stream, 12))
    if count > _MAX_ITEMS:
        raise ValueError(count)
    if kind in _NUMBERS:
        layout = f"<{count}{_NUMBERS[kind]}"
        return list(struct.unpack(layout, _take(stream, struct.calcsize(layout))))
    return [_read_value(stream, kind) for _ in range(count)]


def _read_number(stream: BinaryIO, code: str) -> int:
    (number,) = struct.unpack(f"<{code}", _take(stream, struct.calcsize(f"<{code}")))
    return number  # type: ignore[no-any-return]


def _read_string(stream: BinaryIO) -> str:
    length = _read_number(stream, "Q")
    if length > _MAX_STRING_BYTES:
        raise ValueError(length)
    return _take(stream, length).decode("utf-8", errors="replace")


def _take(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
