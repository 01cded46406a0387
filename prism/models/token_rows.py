"""Which tokens of a text have a row among its token vectors, and where in the text each of them stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from prism.errors import ModelUnfitError


@dataclass(frozen=True, slots=True)
class TokenRows:
    """The tokens of one text as the network reads it.

    `length`: how many it reads, its own prompt and special tokens included. `positions`: which of them are
    rows, shape (rows,). `spans`: characters [start, end) of each row.
    """

    length: int
    positions: NDArray[np.intp]
    spans: tuple[tuple[int, int], ...]


class RowTokenizer:
    """Reads a text as the network does: same truncation, same special tokens. Safe for many threads.

    It works on a copy of the loaded tokenizer, which changes its own truncation while it encodes.
    """

    def __init__(self, loaded: Any, max_tokens: int) -> None:
        """
        Args:
            loaded: the fast tokenizer of transformers that the network was loaded with.

        Raises:
            ModelUnfitError: it is a slow one, which does not tell where a token stands.
        """
        backend = getattr(loaded, "backend_tokenizer", None)
        if backend is None:
            raise ModelUnfitError(
                f"{getattr(loaded, 'name_or_path', 'the model')}: its tokenizer ({type(loaded).__name__}) "
                "does not tell where tokens stand, so no token vectors can be made. Leave late_interaction "
                "out of rerank.kind, or set models.embedder.path to a model with a tokenizer.json."
            )
        self._tokenizer = Tokenizer.from_str(backend.to_str())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens, direction=loaded.truncation_side)

    def rows(self, text: str, prompt: str = "") -> TokenRows:
        """The rows of a text that the network reads after its prompt (`passage: ` of E5)."""
        encoding = self._tokenizer.encode(prompt + text)
        before = len(prompt)
        positions: list[int] = []
        spans: list[tuple[int, int]] = []
        for position, (is_special, (start, end)) in enumerate(
            zip(encoding.special_tokens_mask, encoding.offsets, strict=True)
        ):
            if not is_special and (not before or end > before):
                positions.append(position)
                spans.append((max(0, start - before), end - before))
        return TokenRows(len(encoding.ids), np.array(positions, dtype=np.intp), tuple(spans))
