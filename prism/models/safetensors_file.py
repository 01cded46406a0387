"""Whether a weights file is whole, from its header alone.

A safetensors file is: 8 bytes little-endian header length, the header (JSON: tensor name to dtype,
shape, data_offsets), then the data; the largest end offset therefore gives the file's exact size
(https://huggingface.co/docs/safetensors, "Format"). Other formats are only checked for not being a
Git LFS pointer.
"""

from __future__ import annotations

import json
from pathlib import Path

from prism.errors import ModelMissingError, ModelUnfitError

_MAX_HEADER_BYTES = 100 * 1024 * 1024  # the format's own limit
_LFS_POINTER = b"version https://git-lfs"


def check_safetensors(file: Path, *, setting: str) -> None:
    """Raise unless the file is complete.

    Raises:
        ModelMissingError: it is empty, a Git LFS pointer, or shorter than its header says.
        ModelUnfitError: its name ends in .safetensors but its header is not of that format.
    """
    size_bytes = file.stat().st_size
    with file.open("rb") as stream:
        start = stream.read(len(_LFS_POINTER))
    if start == _LFS_POINTER:
        raise ModelMissingError(
            f"{file} is a Git LFS pointer, not the weights themselves. "
            f"Fetch the real file (git lfs pull), or correct {setting}."
        )
    if size_bytes < 8:
        raise ModelMissingError(f"{file} is empty or cut off. Copy it again, or correct {setting}.")
    if file.suffix != ".safetensors":
        return
    expected_bytes = _expected_size(file, setting)
    if size_bytes < expected_bytes:
        raise ModelMissingError(
            f"{file} is cut off: {size_bytes} of {expected_bytes} bytes. Copy it again, or correct {setting}."
        )


def _expected_size(file: Path, setting: str) -> int:
    not_safetensors = ModelUnfitError(f"{file} is no safetensors file. Copy it again, or correct {setting}.")
    with file.open("rb") as stream:
        header_bytes = int.from_bytes(stream.read(8), "little")
        if header_bytes > _MAX_HEADER_BYTES:
            raise not_safetensors
        raw = stream.read(header_bytes)
    if len(raw) < header_bytes:
        return 8 + header_bytes
    try:
        header = json.loads(raw)
        ends = [int(tensor["data_offsets"][1]) for name, tensor in header.items() if name != "__metadata__"]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        raise not_safetensors from None
    return 8 + header_bytes + max(ends, default=0)
