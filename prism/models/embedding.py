"""The bi-encoder as a LlamaIndex embedding. Importing this module imports torch: `embedder.py` does so
on first use only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.embeddings.huggingface import HuggingFaceEmbedding

from prism.errors import ModelCallError
from prism.models.batches import length_sorted_batches
from prism.models.protocols import OnBatch, Vectors
from prism.models.turns import Turns

_TEXTS_A_CALL = 512
"""How many texts LlamaIndex hands over at once: enough to sort. Batches themselves are cut by tokens."""


class FolderEmbedding(HuggingFaceEmbedding):
    """`HuggingFaceEmbedding` over a local folder: batches of equal lengths, callers take turns at them.

    The plain class repeats a failing local computation three times with pauses; here it fails at once.
    """

    _turns: Any = PrivateAttr()
    _batch_tokens: int = PrivateAttr()
    _token_count: Any = PrivateAttr()

    def __init__(
        self,
        folder: str,
        *,
        max_tokens: int,
        batch_tokens: int,
        token_count: Callable[[str], int],
        query_prompt: str,
        text_prompt: str,
    ) -> None:
        """
        Args:
            max_tokens: what is read of a text, special tokens included.
            batch_tokens: what is computed at once, padding included.
            token_count: tokens of a text of any length, special ones included.
        """
        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        super().__init__(
            model_name=folder,
            max_length=max_tokens,
            embed_batch_size=_TEXTS_A_CALL,
            query_instruction=query_prompt or None,
            text_instruction=text_prompt or None,
            normalize=True,
            trust_remote_code=False,
            local_files_only=True,
        )
        self._turns = Turns()
        self._batch_tokens = batch_tokens
        self._token_count = token_count

    @classmethod
    def class_name(cls) -> str:
        return "FolderEmbedding"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension() or 0)

    def vectors(self, texts: Sequence[str], prompt_name: str, on_batch: OnBatch | None = None) -> Vectors:
        """Float32 (n, d), rows of length 1, in the order given.

        Beside the result only lengths are held for all texts; other callers have a turn after each batch.

        Raises:
            ModelCallError: the model failed or gave numbers that are not finite.
        """
        result = np.zeros((len(texts), self.dimension), dtype=np.float32)
        done = 0
        for rows in length_sorted_batches(self._lengths(texts, prompt_name), self._batch_tokens):
            result[rows] = self._encode([texts[row] for row in rows], prompt_name)
            done += len(rows)
            if on_batch is not None:
                on_batch(done)
        return result

    def _lengths(self, texts: Sequence[str], prompt_name: str) -> list[int]:
        prompt = self._model.prompts.get(prompt_name) or ""
        return [min(self._token_count(prompt + text), self.max_length) for text in texts]

    def _encode(self, texts: list[str], prompt_name: str) -> Vectors:
        # The fast tokenizer changes its own state while encoding: two threads at once make it fail.
        with self._turns:
            try:
                encoded = self._model.encode(
                    texts,
                    batch_size=len(texts),
                    prompt_name=prompt_name,
                    normalize_embeddings=self.normalize,
                    show_progress_bar=False,
                )
            except (RuntimeError, ValueError, IndexError) as error:
                raise ModelCallError(f"{self.model_name}: the embedder failed: {error}") from error
        vectors: Vectors = np.asarray(encoded, dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise ModelCallError(f"{self.model_name}: the embedder gave numbers that are not finite.")
        return vectors

    def _embed(self, inputs: list[str | BytesIO], prompt_name: str | None = None) -> list[list[float]]:
        texts = [text for text in inputs if isinstance(text, str)]
        if len(texts) != len(inputs):
            raise ModelCallError(f"{self.model_name} embeds text, not images.")
        return self.vectors(texts, prompt_name or "text").tolist()  # type: ignore[no-any-return]
