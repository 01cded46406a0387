"""From the states of a network to token vectors: fewer numbers, each in one byte.

A matrix packaged for the very model comes first. Any other model gets the principal components of its own
states over a fixed text, without centring: what late interaction compares are angles from the origin
(uncentred SVD; Eckart & Young 1936). ColBERTv2 (Santhanam et al. 2022) shows that far coarser residuals than
one byte a number keep the ranking.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prism.errors import ModelUnfitError
from prism.models.protocols import TokenVectors, Vectors

DIMENSION: Final = 64
"""Numbers of a token vector, at most: 8 KB for a leaf of 128 tokens."""

FORMAT_VERSION: Final = 1
"""Raised whenever the same states and the same matrix give other bytes."""

STEPS: Final = 127
"""The largest component of a row becomes this."""

States = NDArray[np.float32]
"""Last hidden states, shape (tokens, hidden)."""


@dataclass(frozen=True, slots=True)
class TokenProjection:
    """`matrix`: float32 (hidden, d). `name` tells its kind, d, and where it comes from."""

    name: str
    matrix: NDArray[np.float32]

    def quantized(self, states: States) -> TokenVectors:
        """Rows scaled by their largest component to int8 in [-127, 127]; a zero row stays zero.

        Returns:
            shape (tokens, d).
        """
        rows = self._projected(states)
        peaks = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
        scaled = rows * np.divide(STEPS, peaks, out=np.zeros_like(peaks), where=peaks > 0)
        vectors: TokenVectors = np.rint(scaled).astype(np.int8)
        return vectors

    def unit(self, states: States) -> Vectors:
        """Rows of length 1, float32 (tokens, d); a zero row stays zero."""
        return unit_rows(self._projected(states))

    def _projected(self, states: States) -> NDArray[np.float32]:
        hidden = len(self.matrix)
        if states.shape[1] != hidden:
            raise ModelUnfitError(
                f"Token projection {self.name} takes states of {hidden} numbers; the embedder gives "
                f"{states.shape[1]}. Remove its file from prism/models/projections."
            )
        return states @ self.matrix


def projection_name(fingerprint: str, hidden: int | None) -> str:
    """What `find_projection` will be named: known without loading the model.

    Args:
        fingerprint: of the model's content (`folders.fingerprint`).
        hidden: length of its states, None when nobody knows.
    """
    packaged = _packaged(fingerprint)
    if packaged is not None:
        return packaged.name
    if hidden is not None and hidden <= DIMENSION:
        return f"identity-{hidden}"
    digest = _digest("\n".join(_reference()).encode())
    return f"pca-{DIMENSION}-{digest}"


def find_projection(
    fingerprint: str, hidden: int | None, states_of: Callable[[Sequence[str]], States]
) -> TokenProjection:
    """The packaged matrix of this model, or one made from its states.

    Args:
        states_of: the states of all tokens of some texts, shape (tokens, hidden). Asked only for the latter.

    Raises:
        ModelUnfitError: the packaged file is no matrix.
    """
    packaged = _packaged(fingerprint)
    if packaged is not None:
        return packaged
    name = projection_name(fingerprint, hidden)
    if hidden is not None and hidden <= DIMENSION:
        return TokenProjection(name, np.eye(hidden, dtype=np.float32))
    return TokenProjection(name, principal_components(states_of(_reference())))


def principal_components(states: States, dimension: int = DIMENSION) -> NDArray[np.float32]:
    """The `dimension` directions that hold most of the unit-length states, float32 (hidden, d).

    Each points to where its largest component is positive, so that two runs agree. States that have no more
    numbers than that are kept as they are.
    """
    hidden = states.shape[1]
    if hidden <= dimension:
        return np.eye(hidden, dtype=np.float32)
    rows = unit_rows(states).astype(np.float64)
    # Right singular vectors of the rows, as eigenvectors of a matrix that is small for any number of rows.
    _, directions = np.linalg.eigh(rows.T @ rows)
    largest = directions[:, ::-1][:, :dimension]
    peaks = largest[np.abs(largest).argmax(axis=0), np.arange(dimension)]
    return np.ascontiguousarray(largest * np.sign(peaks), dtype=np.float32)


def unit_rows(rows: NDArray[np.float32]) -> Vectors:
    """Each row divided by its length; a zero row stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def _packaged(fingerprint: str) -> TokenProjection | None:
    """The `.npy` file of this model, under whatever name: a renamed copy has the same states."""
    folder = files("prism.models") / "projections"
    for file in folder.iterdir():
        if file.name.endswith(f"@{fingerprint}.npy"):
            return _read(file.name, file.read_bytes())
    return None


def _read(name: str, data: bytes) -> TokenProjection:
    try:
        matrix = np.load(BytesIO(data), allow_pickle=False).astype(np.float32)
        is_matrix = matrix.ndim == 2 and bool(np.isfinite(matrix).all())
    except (ValueError, EOFError, OSError, AttributeError) as error:
        raise ModelUnfitError(f"prism/models/projections/{name} cannot be read ({error}).") from error
    if not is_matrix:
        raise ModelUnfitError(f"prism/models/projections/{name} holds no matrix of finite numbers.")
    return TokenProjection(f"packaged-{matrix.shape[1]}-{_digest(data)}", matrix)


def _reference() -> list[str]:
    file = files("prism.models") / "projections" / "reference.txt"
    return file.read_text(encoding="utf-8").splitlines()


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=4).hexdigest()
