"""Wait out what passes: an embedder over its rate limit, or one that did not answer in time.

The packaged embedder runs here and fails for good or not at all; an embedder given to `Prism.open` may be a
service. Its errors are known by HTTP status, by the names that HTTP clients give theirs, or, where a
`ModelError` says no more, by its words.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TypeVar

from prism.errors import ModelCallError, ModelError
from prism.models.protocols import (
    Embedder,
    OnBatch,
    QueryTokens,
    TokenEmbedder,
    TokenVectors,
    Vectors,
    token_embedder,
)
from prism.settings import IngestSettings

logger = logging.getLogger(__name__)

Made = TypeVar("Made")

FIRST_WAIT_S = 0.5
"""Doubled at each further failure (exponential back-off), or longer when the service asks for it."""

_LOOK_UP_S = 0.2
"""How often a wait looks whether the job was cancelled."""

_PASSING_STATUSES = frozenset({408, 425, 429, *range(500, 600)})
_PASSING_NAMES = frozenset(
    {"TimeoutError", "Timeout", "ConnectionError", "APIConnectionError", "TransportError", "RateLimitError"}
)
_PASSING_WORDS = re.compile(r"\b429\b|rate.?limit|too many requests", re.IGNORECASE)


class PatientEmbedder:
    """An embedder whose `embed` is called again, after a wait, when its failure may pass.

    Tries and waits are counted since the last success: once they are used up, the next files fail at their
    first failure instead of waiting as long again.
    """

    def __init__(
        self,
        embedder: Embedder,
        settings: IngestSettings,
        *,
        check: Callable[[], None],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`check` raises when the job was cancelled: asked before and after every call and while waiting.
        `sleep` takes seconds."""
        self._embedder = embedder
        self._settings = settings
        self._check = check
        self._sleep = sleep
        self._failures = 0
        self._waited_s = 0.0

    @property
    def name(self) -> str:
        """Identity of the vectors."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens read of a text."""
        return self._embedder.max_tokens

    def embed(self, texts: Sequence[str], on_batch: OnBatch | None = None) -> Vectors:
        """Vectors of passages, as the embedder gives them.

        Raises:
            ModelCallError: it went on failing for `ingest.retries` or `ingest.retry_wait_s`.
        """
        return self._patiently(partial(self._embedder.embed, texts), on_batch)

    def embed_query(self, text: str) -> Vectors:
        """Vector of a question; never repeated, since somebody waits for it."""
        return self._embedder.embed_query(text)

    def token_count(self, text: str) -> int:
        """Number of tokens."""
        return self._embedder.token_count(text)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Character span [start, end) of each token."""
        return self._embedder.token_offsets(text)

    def tokenize(self, text: str) -> list[str]:
        """Tokens as strings."""
        return self._embedder.tokenize(text)

    def can_read(self, text: str) -> bool:
        """Whether the model reads the script of a text."""
        return self._embedder.can_read(text)

    def _patiently(self, call: Callable[[OnBatch], Made], on_batch: OnBatch | None) -> Made:
        told = _Told(on_batch)
        while True:
            self._check()
            try:
                made = call(told.on_batch)
            except Exception as error:
                if error is told.error or not may_pass(error):
                    raise
                self._wait_out(error)
            else:
                self._failures, self._waited_s = 0, 0.0
                self._check()
                return made

    def _wait_out(self, error: Exception) -> None:
        self._failures += 1
        wait_s = max(FIRST_WAIT_S * 2 ** (self._failures - 1), asked_wait_s(error))
        if self._failures > self._settings.retries or (self._waited_s + wait_s > self._settings.retry_wait_s):
            raise ModelCallError(
                f"{self.name}: the embedder failed {self._failures} times in {self._waited_s:g} s of "
                f"waiting, and the next wait would be {wait_s:g} s ({error}). Ingest the file again later, "
                "or raise ingest.retries and ingest.retry_wait_s."
            ) from error
        logger.warning("%s: trying again in %g s: %s", self.name, wait_s, error)
        self._waited_s += wait_s
        while wait_s > 0:
            self._check()
            self._sleep(min(wait_s, _LOOK_UP_S))
            wait_s -= _LOOK_UP_S


class PatientTokenEmbedder(PatientEmbedder):
    """A `PatientEmbedder` that gives token vectors as well."""

    def __init__(
        self,
        embedder: TokenEmbedder,
        settings: IngestSettings,
        *,
        check: Callable[[], None],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """As `PatientEmbedder`."""
        super().__init__(embedder, settings, check=check, sleep=sleep)
        self._tokens = embedder

    @property
    def token_recipe(self) -> str:
        """Identity of the token vectors."""
        return self._tokens.token_recipe

    def embed_with_tokens(
        self, texts: Sequence[str], on_batch: OnBatch | None = None
    ) -> tuple[Vectors, tuple[TokenVectors, ...]]:
        """Vectors and token vectors of passages. Waits and raises as `embed`."""
        return self._patiently(partial(self._tokens.embed_with_tokens, texts), on_batch)

    def query_tokens(self, text: str) -> QueryTokens:
        """Token vectors of a question; never repeated, as `embed_query`."""
        return self._tokens.query_tokens(text)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Character span in a passage of each row of its token vectors."""
        return self._tokens.token_spans(text)


def patient(
    embedder: Embedder,
    settings: IngestSettings,
    *,
    check: Callable[[], None],
    sleep: Callable[[float], None] = time.sleep,
) -> PatientEmbedder:
    """This embedder, called again where a failure may pass, with token vectors where it gives them."""
    with_tokens = token_embedder(embedder)
    if with_tokens is None:
        return PatientEmbedder(embedder, settings, check=check, sleep=sleep)
    return PatientTokenEmbedder(with_tokens, settings, check=check, sleep=sleep)


class _Told:
    """Passes progress on, and knows what whoever hears of it raised: no failure of the embedder."""

    def __init__(self, on_batch: OnBatch | None) -> None:
        self._on_batch = on_batch
        self.error: Exception | None = None

    def on_batch(self, done: int) -> None:
        try:
            if self._on_batch is not None:
                self._on_batch(done)
        except Exception as error:
            self.error = error
            raise


def may_pass(error: BaseException) -> bool:
    """Whether a failure, or what caused it, is one that a later call may not meet.

    An HTTP status decides where there is one; else the error's class; else the words of a `ModelError`. Those
    of other errors prove nothing: a number 429 may stand in any of them.
    """
    for cause in _causes(error):
        status = _status(cause)
        if status is not None:
            return status in _PASSING_STATUSES
        if any(kind.__name__ in _PASSING_NAMES for kind in type(cause).__mro__):
            return True
    return isinstance(error, ModelError) and _PASSING_WORDS.search(str(error)) is not None


def asked_wait_s(error: BaseException) -> float:
    """Seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds or a date); 0 without one."""
    for cause in _causes(error):
        headers = getattr(getattr(cause, "response", None), "headers", None)
        if isinstance(headers, Mapping):
            for name, value in headers.items():
                if str(name).lower() == "retry-after":
                    return _seconds(str(value))
    return 0.0


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _status(error: BaseException) -> int | None:
    """The HTTP status an error carries, as httpx, requests, openai and their like have it."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            status = getattr(holder, name, None)
            if isinstance(status, int) and 400 <= status < 600:
                return status
    return None


def _seconds(value: str) -> float:
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 0.0
