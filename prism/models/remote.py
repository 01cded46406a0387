"""Groq and OpenAI-compatible servers as LlamaIndex LLMs, with one retry policy and no key to be seen.

Over the plain classes: retries do not multiply (LlamaIndex repeats around the client's own repeats),
a stream that is cut off raises, errors are `ModelCallError` without a trace of the key, and
OPENAI_API_KEY is never read. Async calls run the same synchronous transport in a thread, so there is
one policy and no client bound to an event loop that has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar

import httpx
import openai
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
)
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.llms.groq import Groq
from llama_index.llms.openai_like import OpenAILike

from prism.errors import ModelCallError, ModelUnfitError, SettingsError
from prism.models.remote_errors import explain_failure
from prism.models.schema_output import SchemaOutputLLM
from prism.models.threads import last_in_thread, stream_in_thread
from prism.models.transport import KeyAuth, host_of, make_client
from prism.settings import RemoteModelSettings

GROQ_URL = "https://api.groq.com/openai/v1"

_KEY_ELSEWHERE = "held-by-the-transport"
"""Stands in the plain classes' key field. Not empty, or they would look for OPENAI_API_KEY."""

_FAILURES = (openai.OpenAIError, httpx.HTTPError, ValueError, TypeError, AttributeError, LookupError)
"""Refusals, broken connections, and what the plain classes raise on a response of another form."""

Response = TypeVar("Response", ChatResponse, CompletionResponse)
Value = TypeVar("Value")
Guarded = TypeVar("Guarded", bound="_Guarded")


class _Guarded(OpenAILike):
    """The guards, over the hooks every public method of the plain class ends in."""

    _auth: KeyAuth = PrivateAttr()
    _settings: RemoteModelSettings = PrivateAttr()

    def __init__(
        self, settings: RemoteModelSettings, *, model: str, base_url: str, key: str, **values: Any
    ) -> None:
        auth = KeyAuth(key)
        client = openai.OpenAI(
            api_key=_KEY_ELSEWHERE,
            admin_api_key="",
            webhook_secret="",
            base_url=base_url,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
            http_client=make_client(base_url, auth, timeout_s=settings.timeout_s),
        )
        fields: dict[str, Any] = {
            "model": model,
            "api_key": _KEY_ELSEWHERE,
            "api_base": base_url,
            "context_window": settings.context_tokens,
            "max_tokens": settings.max_output_tokens,
            "timeout": settings.timeout_s,
            "max_retries": 0,
            "is_chat_model": True,
            "openai_client": client,
        }
        super().__init__(**fields, **values)
        self._auth = auth
        self._settings = settings

    @property
    def server(self) -> str:
        """Name of the machine asked."""
        return host_of(self.api_base or "")

    def __repr__(self) -> str:
        return f"{type(self).__name__}(model={self.model!r}, server={self.server!r})"

    __str__ = __repr__

    def _chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        response: ChatResponse = self._once(lambda: super(_Guarded, self)._chat(messages, **kwargs))
        return response

    def _complete(self, prompt: str, **kwargs: Any) -> CompletionResponse:
        response: CompletionResponse = self._once(lambda: super(_Guarded, self)._complete(prompt, **kwargs))
        return response

    def _stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        return self._stream(lambda: super(_Guarded, self)._stream_chat(messages, **kwargs))

    def _stream_complete(self, prompt: str, **kwargs: Any) -> CompletionResponseGen:
        return self._stream(lambda: super(_Guarded, self)._stream_complete(prompt, **kwargs))

    async def _achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return await last_in_thread(lambda: iter([self._chat(messages, **kwargs)]))

    async def _acomplete(self, prompt: str, **kwargs: Any) -> CompletionResponse:
        return await last_in_thread(lambda: iter([self._complete(prompt, **kwargs)]))

    async def _astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseAsyncGen:
        return stream_in_thread(lambda: self._stream_chat(messages, **kwargs))

    async def _astream_complete(self, prompt: str, **kwargs: Any) -> CompletionResponseAsyncGen:
        return stream_in_thread(lambda: self._stream_complete(prompt, **kwargs))

    def _stream(self, make: Callable[[], Iterator[Response]]) -> Generator[Response, None, None]:
        responses = self._call(make)
        reason = None
        while (response := self._call(lambda: next(responses, None))) is not None:
            reason = _note_finish_reason(response) or reason
            yield response
        self._check_finished(reason)

    def _once(self, call: Callable[[], Response]) -> Response:
        response = self._call(call)
        self._check_finished(_note_finish_reason(response))
        return response

    def _check_finished(self, reason: str | None) -> None:
        if reason is None:
            raise ModelCallError(f"{self.server} broke off before the answer was finished. Try again.")
        if reason == "content_filter":
            raise ModelCallError(f"{self.server} withheld the answer (content filter). Use another model.")

    def _call(self, call: Callable[[], Value]) -> Value:
        try:
            return call()
        except _FAILURES as error:
            failure = ModelCallError(self._auth.redact(explain_failure(error, self.server, self._settings)))
        # Raised outside the except block: the client's own error, with its request, must not hang on it.
        raise failure


class GroqLLM(_Guarded, Groq):
    """Groq, with JSON by function calling, which all its chat models take."""


class CompatibleLLM(SchemaOutputLLM, _Guarded):
    """An OpenAI-compatible server (vLLM, llama.cpp, Ollama, LM Studio…), with JSON by schema."""


def load_groq(settings: RemoteModelSettings, key: str) -> GroqLLM:
    """Groq with the model `models.remote.groq_model`."""
    return _load(GroqLLM, settings, model=settings.groq_model, base_url=GROQ_URL, key=key)


def load_compatible(settings: RemoteModelSettings, key: str) -> CompatibleLLM:
    """The server at `models.remote.base_url` with its model `models.remote.model`; `key` may be empty.

    Raises:
        SettingsError: the address is no http(s) URL, or no model is named.
    """
    if not settings.model:
        raise SettingsError("models.remote.base_url is set but models.remote.model is not: name the model.")
    return _load(CompatibleLLM, settings, model=settings.model, base_url=settings.base_url, key=key)


def _load(
    kind: type[Guarded], settings: RemoteModelSettings, *, model: str, base_url: str, key: str
) -> Guarded:
    try:
        return kind(settings, model=model, base_url=base_url, key=key)
    except ValueError as error:
        raise ModelUnfitError(f"{model} cannot be used for chat ({error}). Choose another model.") from None


def _note_finish_reason(response: ChatResponse | CompletionResponse) -> str | None:
    choices = getattr(response.raw, "choices", None) or [None]
    reason = getattr(choices[0], "finish_reason", None)
    if reason is not None:
        response.additional_kwargs["finish_reason"] = reason
    return reason
