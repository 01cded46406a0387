"""A cross-encoder, by folder or by its name on a model hub.

Making one checks the folder in milliseconds; torch is imported on the first score (or by `warm_up`),
and then a self-test tells a working reranker from a dead or an untrained one. Cross-encoders for
passage ranking: Nogueira & Cho 2019.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from prism.errors import ModelCallError, ModelMissingError, ModelUnfitError
from prism.models.folders import ModelFolder, fingerprint, first_line
from prism.models.hub import find_model
from prism.models.offline import stay_offline
from prism.models.rerank_selftest import PASSAGES, QUESTIONS, Verdict, judge
from prism.models.tokenizer import FolderTokenizer
from prism.settings import RerankerSettings
from prism.types import Notice

if TYPE_CHECKING:
    from prism.models.rerank_postprocessor import CrossEncoderRerank

SETTING = "models.reranker.model"

_DOUBTS = (
    (
        Verdict.DOUBTFUL,
        "reranker_doubtful",
        "failed its self-test: it scored unrelated passages above the right ones",
        "a trained cross-encoder",
    ),
    (
        Verdict.SATURATED,
        "reranker_saturated",
        "gives good passages the same score, so that the best of them is not told",
        "a cross-encoder whose scores are its raw logits",
    ),
)
"""Verdict, code of the notice, what is wrong, what would be right."""

EXAMPLE = "cross-encoder/ms-marco-MiniLM-L-6-v2"


class FolderReranker:
    """`protocols.Reranker` over a model folder. Scores are raw logits: any real number, higher is more
    relevant, comparable for one question only unless calibrated. Safe for many threads."""

    def __init__(self, label: str, folder: ModelFolder, settings: RerankerSettings) -> None:
        """`label` is what people call the model; in the hub's cache its folder is called by a hash."""
        self._label = label
        self._folder = folder
        self._settings = settings
        self._lock = threading.Lock()
        self._loaded: CrossEncoderRerank | None = None
        self._notices: tuple[Notice, ...] = ()

    @cached_property
    def name(self) -> str:
        """The model's name and content hash."""
        return f"{self._label}@{fingerprint(self._folder.path)}"

    @property
    def max_tokens(self) -> int:
        """Tokens read of question and passage together: the setting, at most what the model can take."""
        return min(self._settings.max_tokens, self._folder.positions or self._settings.max_tokens)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What the self-test found wrong; known once the model is loaded."""
        return self._notices

    def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """One logit per text, in the order given.

        A text that does not fit beside the question is read in windows that overlap by half, and has the
        logit of its best window. Of a question over half of `max_tokens` that half is read.

        Raises:
            ModelUnfitError: the folder cannot be loaded, or the self-test found it dead.
            ModelCallError: the model failed.
        """
        return self._model().scores(question, texts) if texts else ()

    def warm_up(self) -> None:
        """Load and self-test now. Raises as `score`."""
        self._model()

    def as_postprocessor(self, top_n: int) -> CrossEncoderRerank:
        """The same model as a LlamaIndex `SentenceTransformerRerank`. Loads it."""
        return self._model().model_copy(update={"top_n": top_n})

    def _model(self) -> CrossEncoderRerank:
        with self._lock:
            if self._loaded is None:
                model = self._load()
                self._notices = self._test(model)
                self._loaded = model
            return self._loaded

    def _load(self) -> CrossEncoderRerank:
        stay_offline()
        from prism.models.rerank_postprocessor import CrossEncoderRerank

        try:
            return CrossEncoderRerank(
                str(self._folder.path),
                tokens=FolderTokenizer(self._folder.transformer / "tokenizer.json", setting=SETTING),
                max_tokens=self.max_tokens,
                batch_size=self._settings.batch_size,
                top_n=len(PASSAGES),
            )
        except (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, ImportError) as error:
            raise ModelUnfitError(
                f"{self._folder.path} cannot be loaded as a cross-encoder ({first_line(error)}). "
                f"Correct {SETTING}."
            ) from error

    def _test(self, model: CrossEncoderRerank) -> tuple[Notice, ...]:
        path = self._folder.path
        try:
            verdict = judge([model.scores(question, PASSAGES) for question in QUESTIONS])
        except ModelCallError as error:
            raise ModelUnfitError(
                f"{path} failed its self-test ({error}) Set {SETTING} to a working cross-encoder, or "
                "rerank.kind to none."
            ) from error
        if verdict is Verdict.DEAD:
            raise ModelUnfitError(
                f"{path} gives every passage the same score, so it cannot rank: "
                f"set {SETTING} to a working cross-encoder, or rerank.kind to none."
            )
        return tuple(
            Notice(code, f"The reranker {path} {fault}. Set {SETTING} to {remedy}, or rerank.kind to none.")
            for found, code, fault, remedy in _DOUBTS
            if found is verdict
        )


def load_reranker(settings: RerankerSettings) -> FolderReranker:
    """The cross-encoder of the settings, checked but not loaded yet. One that is called by its name on a hub
    and is not on this machine is fetched first.

    Raises:
        ModelMissingError: no model is set, the folder or a file of it is missing, or it could not be fetched.
        ModelUnfitError: the folder holds a model of another kind, a bi-encoder for instance.
    """
    model = settings.model
    if model is None:
        raise ModelMissingError(
            f"rerank.kind asks for a cross-encoder, but {SETTING} is empty: set it to a folder, or to a name "
            f"on a model hub such as {EXAMPLE}."
        )
    folder = find_model(model, setting=SETTING)
    if folder.kind != "cross-encoder":
        is_embedder = folder.kind == "bi-encoder"
        hint = " A bi-encoder belongs in models.embedder.path." if is_embedder else ""
        raise ModelUnfitError(
            f"{model} holds a {folder.architecture}, which is no sequence classifier and would score at "
            f"random: set {SETTING} to a cross-encoder such as {EXAMPLE}.{hint}"
        )
    if folder.labels != 1:
        raise ModelUnfitError(
            f"{model} classifies into {folder.labels} labels; a reranker has one score: "
            f"set {SETTING} to a cross-encoder with one label such as {EXAMPLE}."
        )
    return FolderReranker(Path(model).resolve().name, folder, settings)
