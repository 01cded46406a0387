"""Write: the matrix as Prism packages it, and beside it what it was made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from prism.errors import UsageError

SUFFIX: Final = ".npy"


def check_target(file: Path) -> None:
    """Raise `UsageError` where no matrix can be written to, before hours of work."""
    if file.suffix != SUFFIX:
        raise UsageError(f"--out {file}: a projection is a {SUFFIX} file. Name it so.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out {file}: no folder can be made there ({error.strerror}).") from None


def write_projection(file: Path, matrix: NDArray[np.float32], origin: Mapping[str, Any]) -> None:
    """Write the matrix in half precision, at once, and `origin` to a `.json` file of the same name.

    Half precision moves a cosine by a thousandth at most, where a byte a number moves it by more.
    """
    buffer = BytesIO()
    np.save(buffer, matrix.astype(np.float16))
    text = json.dumps(origin, ensure_ascii=False, allow_nan=False, indent=1)
    _at_once(file.with_suffix(".json"), f"{text}\n".encode())
    _at_once(file, buffer.getvalue())


def _at_once(file: Path, data: bytes) -> None:
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(file)
