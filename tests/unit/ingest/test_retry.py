from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import openai
import pytest

from prism.errors import ModelCallError
from prism.ingest.progress import Cancelled
from prism.ingest.retry import PatientEmbedder, asked_wait_s, may_pass
from prism.ingest.retry import patient as made_patient
from prism.models.protocols import token_embedder
from prism.settings import IngestSettings
from tests.fakes import LetterEmbedder, LetterTokenEmbedder

REQUEST = httpx.Request("POST", "http://embedder")


def answered(status: int, **headers: str) -> httpx.HTTPStatusError:
    response = httpx.Response(status, headers=headers, request=REQUEST)
    return httpx.HTTPStatusError(f"status {status}", request=REQUEST, response=response)


class Flaky(LetterEmbedder):
    """Fails with these, one call after another, then works."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def embed(self, texts, on_batch=None):
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return super().embed(texts, on_batch)


@pytest.fixture
def slept() -> list[float]:
    return []


def patient(embedder, slept: list[float], check=lambda: None, **settings) -> PatientEmbedder:
    return made_patient(embedder, IngestSettings(**settings), check=check, sleep=slept.append)


class FlakyTokens(LetterTokenEmbedder):
    """As `Flaky`, for token vectors."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def embed_with_tokens(self, texts, on_batch=None):
        if self.errors:
            raise self.errors.pop(0)
        return super().embed_with_tokens(texts, on_batch)

    def query_tokens(self, text):
        if self.errors:
            raise self.errors.pop(0)
        return super().query_tokens(text)


def test_token_vectors_are_waited_for_as_vectors_are(slept: list[float]) -> None:
    embedder = patient(FlakyTokens(answered(429)), slept)
    told: list[int] = []
    vectors, tokens = embedder.embed_with_tokens(["ab c", "d"], told.append)
    assert (vectors.shape, [rows.shape for rows in tokens], told) == ((2, 26), [(2, 26), (1, 26)], [2])
    assert sum(slept) == pytest.approx(0.5)


def test_a_questions_token_vectors_are_not_waited_for(slept: list[float]) -> None:
    embedder = patient(FlakyTokens(answered(429)), slept)
    with pytest.raises(httpx.HTTPStatusError):
        embedder.query_tokens("ab")
    assert slept == []
    assert embedder.query_tokens("ab").spans == ((0, 2),)
    assert embedder.token_spans("a b") == [(0, 1), (2, 3)]


def test_an_embedder_gives_token_vectors_through_patience_when_it_does_alone(slept: list[float]) -> None:
    plain, able = patient(LetterEmbedder(), slept), patient(LetterTokenEmbedder(), slept)
    assert token_embedder(plain) is None
    assert token_embedder(able) is able
    assert able.token_recipe == LetterTokenEmbedder.token_recipe


def test_ing_46_a_rate_limit_is_waited_out_with_growing_pauses(slept: list[float]) -> None:
    flaky = Flaky(*[answered(429)] * 3)
    assert patient(flaky, slept).embed(["ab"]).shape == (1, 26)
    assert flaky.calls == 4
    assert sum(slept) == pytest.approx(0.5 + 1 + 2)
    assert max(slept) <= 0.2 + 1e-9  # a cancelled job is noticed during a wait


def test_ing_46_the_server_may_ask_for_a_longer_pause(slept: list[float]) -> None:
    patient(Flaky(answered(429, **{"Retry-After": "7"})), slept).embed(["ab"])
    assert sum(slept) == pytest.approx(7)


def test_ing_46_after_the_tries_allowed_it_fails_and_names_the_settings(slept: list[float]) -> None:
    flaky = Flaky(*[answered(429)] * 9)
    with pytest.raises(ModelCallError, match=r"failed 3 times in 1.5 s.*status 429.*ingest.retries"):
        patient(flaky, slept, retries=2).embed(["ab"])
    assert flaky.calls == 3


def test_ing_46_a_pause_longer_than_allowed_is_not_begun(slept: list[float]) -> None:
    flaky = Flaky(answered(429, **{"Retry-After": "3600"}))
    with pytest.raises(ModelCallError, match="3600 s"):
        patient(flaky, slept, retry_wait_s=60).embed(["ab"])
    assert (flaky.calls, slept) == (1, [])


def test_once_used_up_the_next_failure_is_final_until_something_succeeds(slept: list[float]) -> None:
    flaky = Flaky(*[answered(429)] * 4)
    embedder = patient(flaky, slept, retries=1)
    for calls in (2, 3):
        with pytest.raises(ModelCallError):
            embedder.embed(["ab"])
        assert flaky.calls == calls
    flaky.errors.clear()
    embedder.embed(["ab"])
    flaky.errors.append(answered(429))
    embedder.embed(["ab"])
    assert flaky.calls == 6


def test_no_retries_means_none(slept: list[float]) -> None:
    with pytest.raises(ModelCallError):
        patient(Flaky(answered(429)), slept, retries=0).embed(["ab"])
    assert slept == []


def test_a_failure_that_will_not_pass_is_raised_as_it_is(slept: list[float]) -> None:
    with pytest.raises(RuntimeError, match="a fault of ours"):
        patient(Flaky(RuntimeError("a fault of ours")), slept).embed(["ab"])
    assert slept == []


def test_a_cancelled_job_waits_no_longer(slept: list[float]) -> None:
    def check() -> None:
        if len(slept) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        patient(Flaky(answered(429, **{"Retry-After": "60"})), slept, check).embed(["ab"])
    assert sum(slept) == pytest.approx(0.4)


def test_everything_else_is_the_embedder_s_own() -> None:
    plain = LetterEmbedder()
    embedder = patient(plain, [])
    assert (embedder.name, embedder.dimension, embedder.max_tokens) == ("letters@1", 26, 256)
    assert embedder.token_count("two words") == 2
    assert embedder.token_offsets("two words") == [(0, 3), (4, 9)]
    assert embedder.tokenize("two words") == ["two", "words"]
    assert embedder.can_read("two")
    assert (embedder.embed_query("ab") == plain.embed_query("ab")).all()


def caused(cause: Exception) -> Exception:
    error = ModelCallError("the embedder failed")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        answered(429),
        answered(503),
        answered(529),
        openai.RateLimitError("slow", response=httpx.Response(429, request=REQUEST), body=None),
        openai.APITimeoutError(REQUEST),
        openai.APIConnectionError(request=REQUEST),
        httpx.ReadTimeout("silent"),
        httpx.ConnectError("refused"),
        TimeoutError(),
        ConnectionResetError(),
        ModelCallError("429: too many requests"),
        ModelCallError("groq is over its rate limit"),
        caused(answered(429)),
        caused(httpx.ReadTimeout("silent")),
    ],
)
def test_ing_46_what_may_pass(error: Exception) -> None:
    assert may_pass(error)


@pytest.mark.parametrize(
    "error",
    [
        answered(401),
        answered(400),
        caused(answered(401)),
        ModelCallError("the embedder gave numbers that are not finite"),
        RuntimeError("out of memory"),
        RuntimeError("row 429 has another length"),
        OSError(28, "No space left on device"),
        ValueError("14290 tokens"),
    ],
)
def test_what_will_not_pass(error: Exception) -> None:
    assert not may_pass(error)


def test_retry_after_is_read_as_seconds_or_as_a_date_wherever_it_is() -> None:
    assert asked_wait_s(answered(429)) == 0
    assert asked_wait_s(caused(answered(429, **{"retry-after": "2.5"}))) == 2.5
    soon = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    assert 3500 < asked_wait_s(answered(429, **{"Retry-After": soon})) <= 3600
    past = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    assert asked_wait_s(answered(429, **{"Retry-After": past})) == 0
    assert asked_wait_s(answered(429, **{"Retry-After": "soon"})) == 0
    assert asked_wait_s(answered(429, **{"Retry-After": "-3"})) == 0


def test_a_failure_of_whoever_hears_of_progress_is_not_taken_for_the_embedders(slept: list[float]) -> None:
    def hear(done: int) -> None:
        raise BrokenPipeError("nobody reads any more")

    flaky = Flaky()
    with pytest.raises(BrokenPipeError):
        patient(flaky, slept).embed(["ab"], hear)
    assert (flaky.calls, slept) == (1, [])
