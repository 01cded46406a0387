"""A model's own tokens, counted without loading the model.

Reads `tokenizer.json` with the Rust tokenizer alone (no torch), with its truncation and padding off, so
counts are true at any length and nothing warns.
"""

from __future__ import annotations

import threading
from pathlib import Path

from tokenizers import Encoding, Tokenizer

from prism.errors import ModelUnfitError

_UNIGRAM_UNKNOWN = "<unk>"


class FolderTokenizer:
    """Tokens of a model folder. SourceText on first use; safe for many threads."""

    def __init__(self, file: Path, *, setting: str) -> None:
        self._file = file
        self._setting = setting
        self._lock = threading.Lock()
        self._loaded: Tokenizer | None = None

    def count(self, text: str) -> int:
        """Number of tokens, special ones not counted."""
        return len(self._encode(text))

    def tokens(self, text: str) -> list[str]:
        """The tokens as the vocabulary writes them (`##ing`)."""
        return list(self._encode(text).tokens)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) of each token."""
        return [(int(start), int(end)) for start, end in self._encode(text).offsets]

    def unknown_share(self, text: str) -> float:
        """The share, 0 to 1, of the tokens that only say that the vocabulary lacks something (`[UNK]`); 0 of
        no tokens."""
        ids = self._encode(text).ids
        # A model of the Unigram kind does not tell the name, which is always this one.
        name = getattr(self._tokenizer.model, "unk_token", _UNIGRAM_UNKNOWN)
        unknown = self._tokenizer.token_to_id(name) if name else None
        return ids.count(unknown) / len(ids) if ids and unknown is not None else 0.0

    @property
    def special_tokens(self) -> int:
        """How many tokens the model adds around one text (2 for BERT)."""
        return int(self._tokenizer.num_special_tokens_to_add(is_pair=False))

    @property
    def special_tokens_of_pair(self) -> int:
        """How many tokens the model adds around two texts read together (3 for BERT, 4 for RoBERTa)."""
        return int(self._tokenizer.num_special_tokens_to_add(is_pair=True))

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(text, add_special_tokens=False)

    @property
    def _tokenizer(self) -> Tokenizer:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Tokenizer:
        try:
            tokenizer = Tokenizer.from_file(str(self._file))
        except Exception as error:  # noqa: BLE001 - the Rust side raises plain Exception
            raise ModelUnfitError(
                f"{self._file} is no tokenizer ({error}). Copy the model again, or correct {self._setting}."
            ) from None
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer
