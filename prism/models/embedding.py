"""The bi-encoder as a LlamaIndex embedding. Importing this module imports torch: `embedder.py` does so
on first use only.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.embeddings.huggingface import HuggingFaceEmbedding

from prism.errors import ModelCallError
from prism.models.protocols import OnBatch, Vectors


class FolderEmbedding(HuggingFaceEmbedding):
    """`HuggingFaceEmbedding` over a local folder: batches sorted by length, one caller at a time.

    The plain class repeats a failing local computation three times with pauses; here it fails at once.
    Batches are sorted because a batch costs as much as its longest text times its size.
    """

    _lock: Any = PrivateAttr()

    def __init__(
        self, folder: str, *, max_tokens: int, batch_size: int, query_prompt: str, text_prompt: str
    ) -> None:
        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        super().__init__(
            model_name=folder,
            max_length=max_tokens,
            embed_batch_size=batch_size,
            query_instruction=query_prompt or None,
            text_instruction=text_prompt or None,
            normalize=True,
            trust_remote_code=False,
            local_files_only=True,
        )
        self._lock = threading.Lock()

    @classmethod
    def class_name(cls) -> str:
        return "FolderEmbedding"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension() or 0)

    def vectors(self, texts: Sequence[str], prompt_name: str, on_batch: OnBatch | None = None) -> Vectors:
        """Float32 (n, d), rows of length 1, in the order given.

        Raises:
            ModelCallError: the model failed or gave numbers that are not finite.
        """
        result = np.zeros((len(texts), self.dimension), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda position: (len(texts[position]), position), reverse=True)
        for start in range(0, len(order), self.embed_batch_size):
            rows = order[start : start + self.embed_batch_size]
            result[rows] = self._encode([texts[row] for row in rows], prompt_name)
            if on_batch is not None:
                on_batch(start + len(rows))
        if not np.isfinite(result).all():
            raise ModelCallError(f"{self.model_name}: the embedder gave numbers that are not finite.")
        return result

    def _encode(self, texts: list[str], prompt_name: str) -> Vectors:
        # The fast tokenizer changes its own state while encoding: two threads at once make it fail.
        with self._lock:
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
        return np.asarray(encoded, dtype=np.float32)

    def _embed(self, inputs: list[str | BytesIO], prompt_name: str | None = None) -> list[list[float]]:
        texts = [text for text in inputs if isinstance(text, str)]
        if len(texts) != len(inputs):
            raise ModelCallError(f"{self.model_name} embeds text, not images.")
        return self.vectors(texts, prompt_name or "text").tolist()  # type: ignore[no-any-return]
