"""The cross-encoder as a LlamaIndex node postprocessor. Importing this module imports torch:
`reranker.py` does so on first use only.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.postprocessor.sbert_rerank import SentenceTransformerRerank

from prism.errors import ModelCallError
from prism.models.rerank_windows import PairTokens, cut_windows


class CrossEncoderRerank(SentenceTransformerRerank):
    """`SentenceTransformerRerank` with raw logits, windows over long texts, length-sorted small batches and
    no changed input.

    Scores are the network's logits: a sigmoid would round strong matches to the same 1.0, and which
    activation a folder asks for would decide what a threshold means. On two cores batches of 8 sorted by
    length take less than half the time of batches of 32 in any order.
    """

    max_tokens: int = Field(description="Tokens read of question and text together.")
    batch_size: int = Field(description="Pairs scored at once.")
    _tokens: PairTokens = PrivateAttr()
    _lock: Any = PrivateAttr()

    def __init__(
        self, folder: str, *, tokens: PairTokens, max_tokens: int, batch_size: int, top_n: int
    ) -> None:
        # The parent's constructor knows no batch_size, so the pydantic base is filled here instead.
        fields: dict[str, Any] = {
            "model": folder,
            "top_n": top_n,
            "max_tokens": max_tokens,
            "batch_size": batch_size,
        }
        BaseNodePostprocessor.__init__(self, **fields)
        from sentence_transformers import CrossEncoder

        self._tokens = tokens
        self._model = CrossEncoder(
            folder,
            max_length=max_tokens,
            activation_fn=torch.nn.Identity(),
            local_files_only=True,
            trust_remote_code=False,
        )
        self._device = str(self._model.device)
        self._lock = threading.Lock()

    @classmethod
    def class_name(cls) -> str:
        return "CrossEncoderRerank"

    def scores(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """One logit per text, in the order given: its best window's.

        Raises:
            ModelCallError: the model failed or gave numbers that are not finite.
        """
        windows = cut_windows(question, texts, self._tokens, limit_tokens=self.max_tokens)
        logits = np.zeros(len(windows.texts), dtype=np.float64)
        order = windows.longest_first()
        # One call per batch, since a call with all of them sorts by characters, which pads leaves of 40 to
        # 170 tokens by 23 % instead of 14 %. And whoever waits has a turn after each batch.
        for start in range(0, len(order), self.batch_size):
            rows = order[start : start + self.batch_size]
            logits[rows] = self._predict([(windows.question, windows.texts[row]) for row in rows])
        if not np.isfinite(logits).all():
            raise ModelCallError(f"{self.model}: the reranker gave numbers that are not finite.")
        return windows.best(logits)

    def _predict(self, pairs: list[tuple[str, str]]) -> np.ndarray[Any, Any]:
        # The fast tokenizer changes its own state while encoding: two threads at once make it fail.
        with self._lock:
            try:
                logits = self._model.predict(pairs, batch_size=len(pairs), show_progress_bar=False)
            except (RuntimeError, ValueError, IndexError) as error:
                raise ModelCallError(f"{self.model}: the reranker failed: {error}") from error
        return np.asarray(logits, dtype=np.float64).reshape(len(pairs))

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise ValueError("CrossEncoderRerank needs the question: pass query_bundle.")
        texts = [node.node.get_content(metadata_mode=MetadataMode.EMBED) for node in nodes]
        scores = self.scores(query_bundle.query_str, texts)
        scored = [
            NodeWithScore(node=node.node, score=score) for node, score in zip(nodes, scores, strict=True)
        ]
        return sorted(scored, key=lambda node: -(node.score or 0.0))[: self.top_n]
