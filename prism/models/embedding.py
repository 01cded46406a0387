"""The bi-encoder as a LlamaIndex embedding. Importing this module imports torch: `embedder.py` does so
on first use only.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import torch
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.embeddings.huggingface import HuggingFaceEmbedding

from prism.errors import ModelCallError, ModelUnfitError
from prism.models.batches import length_sorted_batches
from prism.models.protocols import OnBatch, Vectors
from prism.models.token_projection import States
from prism.models.token_rows import RowTokenizer, TokenRows
from prism.models.turns import Turns

_TEXTS_A_CALL = 512
"""How many texts LlamaIndex hands over at once: enough to sort. Batches themselves are cut by tokens."""


@dataclass(frozen=True, slots=True)
class StateBatch:
    """What one forward pass gave. `rows`: places of its n texts among those asked for. `vectors`: (n, d).
    `states`: last hidden states of all its tokens, text by text. `spans`: where they stand, per text."""

    rows: list[int]
    vectors: Vectors
    states: States
    spans: list[tuple[tuple[int, int], ...]]


class FolderEmbedding(HuggingFaceEmbedding):
    """`HuggingFaceEmbedding` over a local folder: batches of equal lengths, callers take turns at them.

    The plain class repeats a failing local computation three times with pauses; here it fails at once.
    """

    _turns: Any = PrivateAttr()
    _batch_tokens: int = PrivateAttr()
    _token_count: Any = PrivateAttr()
    _row_tokenizer: Any = PrivateAttr(default=None)

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

    def with_states(self, texts: Sequence[str], prompt_name: str) -> Iterator[StateBatch]:
        """What `vectors` gives, with the states behind it, batch by batch: no more than one is held.

        Raises:
            ModelCallError: the model failed or gave numbers that are not finite.
            ModelUnfitError: the model gives no token states.
        """
        each = [self.token_rows(text, prompt_name) for text in texts]
        for rows in length_sorted_batches([item.length for item in each], self._batch_tokens):
            items = self._run([texts[row] for row in rows], prompt_name, output_value=None)
            parts = [self._states_of(item, each[row]) for item, row in zip(items, rows, strict=True)]
            vectors = torch.stack([item["sentence_embedding"] for item in items])
            if self.normalize:
                vectors = torch.nn.functional.normalize(vectors, p=2, dim=1)
            yield StateBatch(
                rows=rows,
                vectors=self._finite(vectors.float().cpu().numpy()),
                states=self._finite(np.concatenate(parts)),
                spans=[each[row].spans for row in rows],
            )

    def token_rows(self, text: str, prompt_name: str) -> TokenRows:
        """Which tokens of a text have a state in `with_states`. Raises `ModelUnfitError`."""
        if self._row_tokenizer is None:
            # Two threads may make one each: they are the same.
            self._row_tokenizer = RowTokenizer(self._model.tokenizer, self.max_length)
        rows: TokenRows = self._row_tokenizer.rows(text, self._prompt(prompt_name))
        return rows

    def _states_of(self, item: dict[str, Any], rows: TokenRows) -> States:
        """The states of a text's rows, (rows, hidden), out of what the network gave for the padded text."""
        states = item.get("token_embeddings")
        read = np.flatnonzero(item["attention_mask"].cpu().numpy()) if states is not None else ()
        if states is None or len(read) != rows.length:
            raise ModelUnfitError(
                f"{self.model_name} gives no state for each token, so no token vectors can be made. "
                "Leave late_interaction out of rerank.kind, or set models.embedder.path to another model."
            )
        found: States = states.float().cpu().numpy()[np.asarray(read)[rows.positions]]
        return found

    def _prompt(self, prompt_name: str) -> str:
        return self._model.prompts.get(prompt_name) or ""

    def _lengths(self, texts: Sequence[str], prompt_name: str) -> list[int]:
        prompt = self._prompt(prompt_name)
        return [min(self._token_count(prompt + text), self.max_length) for text in texts]

    def _encode(self, texts: list[str], prompt_name: str) -> Vectors:
        encoded = self._run(texts, prompt_name, normalize_embeddings=self.normalize)
        return self._finite(np.asarray(encoded, dtype=np.float32))

    def _run(self, texts: list[str], prompt_name: str, **options: Any) -> Any:
        # The fast tokenizer changes its own state while encoding: two threads at once make it fail.
        with self._turns:
            try:
                return self._model.encode(
                    texts, batch_size=len(texts), prompt_name=prompt_name, show_progress_bar=False, **options
                )
            except (RuntimeError, ValueError, IndexError) as error:
                raise ModelCallError(f"{self.model_name}: the embedder failed: {error}") from error

    def _finite(self, numbers: Vectors) -> Vectors:
        if not np.isfinite(numbers).all():
            raise ModelCallError(f"{self.model_name}: the embedder gave numbers that are not finite.")
        return numbers

    def _embed(self, inputs: list[str | BytesIO], prompt_name: str | None = None) -> list[list[float]]:
        texts = [text for text in inputs if isinstance(text, str)]
        if len(texts) != len(inputs):
            raise ModelCallError(f"{self.model_name} embeds text, not images.")
        return self.vectors(texts, prompt_name or "text").tolist()  # type: ignore[no-any-return]
