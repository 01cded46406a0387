"""What went wrong at a remote model, in a person's words, with the setting that helps."""

from __future__ import annotations

import httpx
import openai

from prism.settings import RemoteModelSettings

_TOO_LONG_MARKS = ("context_length", "context length", "maximum context", "too large", "context size")


def explain_failure(error: Exception, server: str, settings: RemoteModelSettings) -> str:
    """One message for an error of the OpenAI client, of HTTP, or of an odd response."""
    tries = settings.retries + 1
    if isinstance(error, openai.APITimeoutError | httpx.TimeoutException):
        return (
            f"{server} was silent for {settings.timeout_s:g} s ({tries} tries at most). "
            "Try again, or raise models.remote.timeout_s."
        )
    if isinstance(error, openai.APIStatusError):
        return _explain_status(error, server, tries)
    if isinstance(error, openai.APIConnectionError | httpx.HTTPError):
        cause = error.__cause__ or error
        return f"The connection to {server} failed ({cause}). Check the network and models.remote.base_url."
    if isinstance(error, openai.APIError):
        return f"{server} reported an error: {error.message}"
    return (
        f"{server} sent a response that is no chat completion ({type(error).__name__}: {error}). "
        "Check models.remote.base_url."
    )


def _explain_status(error: openai.APIStatusError, server: str, tries: int) -> str:
    said = error.message
    status = error.status_code
    if status in {401, 403}:
        return (
            f"{server} refused the key ({status}): {said}. Check GROQ_API_KEY for Groq, "
            "PRISM_REMOTE_API_KEY for models.remote.base_url."
        )
    if status == 404:
        return (
            f"{server} does not know the address or the model (404): {said}. "
            "Check models.remote.model (Groq: models.remote.groq_model) and models.remote.base_url."
        )
    if status == 413 or any(mark in said.lower() for mark in _TOO_LONG_MARKS):
        return (
            f"The message does not fit the context of the model at {server} ({status}): {said}. "
            "Send less, or choose a model with a larger context."
        )
    if status == 429:
        return f"{server} is over its rate limit (429, {tries} tries at most): {said}. Try again later."
    if 300 <= status < 400:
        return f"{server} redirects ({status}), which is not followed. Correct models.remote.base_url."
    return f"{server} answered with status {status}: {said}. Try again, or use another model."
