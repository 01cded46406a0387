"""Read: the states of the words of questions and leaves, out of the pass that embeds them.

They are kept by content, a megabyte for a pool, so that few are in memory at once and a run that was stopped
goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np

from eval.runs.cache import Kept, content_key
from eval.training.rarity import words_of
from prism.models.token_projection import States

if TYPE_CHECKING:
    from prism.models.embedding import StateBatch

Prompt = Literal["query", "text"]

LOOKED_UP: Final = 256
"""Texts that are looked for at once: what is kept of them, 20 MB, is read to find out."""


class Network(Protocol):
    """An embedder's pass, as `FolderEmbedding` has it."""

    def with_states(self, texts: Sequence[str], prompt_name: str) -> Iterator[StateBatch]:
        """Vectors and states of texts, batch by batch."""
        ...


class WordStates:
    """States of texts' words, punctuation left out, kept by embedder, prompt and text. Half precision: what
    is lost is a thousandth of a cosine."""

    def __init__(self, values: Kept, *, embedder: str, max_tokens: int) -> None:
        """`embedder`: its name. `max_tokens`: what it reads of a text."""
        self._values = values
        self._embedder = embedder
        self._max_tokens = max_tokens

    def read(self, texts: Sequence[str], prompt: Prompt, network: Network) -> None:
        """Pass those texts through the network whose states are not kept yet.

        Raises:
            ModelCallError: the model failed.
            ModelUnfitError: the model gives no token states.
        """
        missing = self._missing(list(dict.fromkeys(texts)), prompt)
        for batch in network.with_states(missing, prompt):
            ends = np.cumsum([len(spans) for spans in batch.spans])
            parts = np.split(batch.states, ends[:-1])
            fresh: dict[bytes, bytes] = {}
            for row, spans, states in zip(batch.rows, batch.spans, parts, strict=True):
                fresh[self._key(missing[row], prompt)] = _to_bytes(states[words_of(missing[row], spans)])
            self._values.put(fresh)

    def get(self, texts: Sequence[str], prompt: Prompt) -> list[States]:
        """The states of texts that were read, float32 (words, hidden) each, in the order given.

        Raises:
            KeyError: one was not read.
        """
        keys = [self._key(text, prompt) for text in texts]
        known = self._values.get(keys)
        return [_from_bytes(known[key]) for key in keys]

    def _missing(self, texts: Sequence[str], prompt: Prompt) -> list[str]:
        missing: list[str] = []
        for start in range(0, len(texts), LOOKED_UP):
            keys = {self._key(text, prompt): text for text in texts[start : start + LOOKED_UP]}
            known = self._values.get(list(keys))
            missing += [text for key, text in keys.items() if key not in known]
        return missing

    def _key(self, text: str, prompt: Prompt) -> bytes:
        return content_key("word states", self._embedder, str(self._max_tokens), prompt, text)


def _to_bytes(states: States) -> bytes:
    buffer = BytesIO()
    np.save(buffer, states.astype(np.float16))
    return buffer.getvalue()


def _from_bytes(data: bytes) -> States:
    states: States = np.load(BytesIO(data), allow_pickle=False).astype(np.float32)
    return states
