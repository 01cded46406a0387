import asyncio
import logging
import pickle
import threading
import time
import traceback

import pytest
from llama_index.core.llms import ChatMessage
from llama_index.core.prompts import PromptTemplate
from pydantic import BaseModel

from prism.errors import ModelCallError
from prism.models.remote import GroqLLM, load_compatible, load_groq
from prism.settings import RemoteModelSettings
from tests.chat_server import Reply, completion, serving

KEY = "gsk_never-to-be-seen-1234567890"
OPENAI_KEY = "sk-of-another-server-0987654321"
HELLO = [ChatMessage(role="user", content="hello {context_str}")]


@pytest.fixture(autouse=True)
def another_servers_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI_KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-secret")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Api-Key: custom-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    monkeypatch.delenv("GROQ_API_KEY", raising=False)


def settings(url: str, **values) -> RemoteModelSettings:
    return RemoteModelSettings.model_validate(
        {"base_url": url, "model": "m", "retries": 0, "timeout_s": 5, **values}
    )


def groq_at(url: str, key: str = KEY, **values) -> GroqLLM:
    """The Groq class pointed at the test's own server."""
    return GroqLLM(settings(url, **values), model="m", base_url=url, key=key)


def test_chat_and_complete():
    with serving(lambda number, request: Reply(body=completion("Paris."))) as server:
        llm = load_compatible(settings(server.url), KEY)
        assert llm.chat(HELLO).message.content == "Paris."
        assert llm.complete("hello").text == "Paris."
    assert server.requests[0].body["messages"][0]["content"] == "hello {context_str}"
    assert server.requests[0].body["max_tokens"] == 800
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_gen_08_a_stream_has_every_piece():
    with serving(lambda number, request: Reply(chunks=["Yes", ", ", "42."])) as server:
        llm = load_compatible(settings(server.url), KEY)
        assert "".join(chunk.delta or "" for chunk in llm.stream_chat(HELLO)) == "Yes, 42."
        assert "".join(chunk.delta or "" for chunk in llm.stream_complete("hello")) == "Yes, 42."


def test_async_twins():
    async def run(llm):
        chat = (await llm.achat(HELLO)).message.content
        complete = (await llm.acomplete("hello")).text
        stream = [chunk.delta async for chunk in await llm.astream_chat(HELLO)]
        streamed = [chunk.delta async for chunk in await llm.astream_complete("hello")]
        return chat, complete, "".join(stream), "".join(streamed)

    def answer(number, request):
        return Reply(chunks=["a", "b"]) if request.body.get("stream") else Reply(body=completion("ab"))

    with serving(answer) as server:
        llm = load_compatible(settings(server.url), KEY)
        # Twice: a client bound to the first event loop would fail on the second.
        assert asyncio.run(run(llm)) == ("ab",) * 4
        assert asyncio.run(run(llm)) == ("ab",) * 4


@pytest.mark.parametrize(
    "make", [load_compatible, lambda chosen, key: groq_at(chosen.base_url, key, retries=2)]
)
@pytest.mark.parametrize(
    "call",
    [
        lambda llm: llm.chat(HELLO),
        lambda llm: list(llm.stream_chat(HELLO)),
        lambda llm: asyncio.run(llm.achat(HELLO)),
    ],
    ids=["chat", "stream", "async"],
)
def test_retries_do_not_multiply(make, call):
    def refuse(number, request):
        return Reply(status=429, body={"error": {"message": "slow down"}}, headers={"Retry-After": "0.01"})

    with serving(refuse) as server:
        llm = make(settings(server.url, retries=2), KEY)
        with pytest.raises(ModelCallError, match="429"):
            call(llm)
    assert len(server.requests) == 3


def test_retry_after_is_honoured():
    def once(number, request):
        if number == 0:
            return Reply(status=429, body={"error": {"message": "wait"}}, headers={"Retry-After": "1"})
        return Reply(body=completion("ok"))

    with serving(once) as server:
        llm = load_compatible(settings(server.url, retries=1), KEY)
        begun = time.monotonic()
        assert llm.chat(HELLO).message.content == "ok"
        assert 1.0 <= time.monotonic() - begun < 3.0


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("chunks", [["The limit is"], []])
def test_a_stream_cut_off_is_an_error(is_async, chunks):
    async def collect(llm):
        return [chunk async for chunk in await llm.astream_chat(HELLO)]

    with serving(lambda number, request: Reply(chunks=chunks, cut=True)) as server:
        llm = load_compatible(settings(server.url), KEY)
        with pytest.raises(ModelCallError, match="broke off"):
            asyncio.run(collect(llm)) if is_async else list(llm.stream_chat(HELLO))


def test_an_answer_at_its_longest_is_marked_not_refused():
    with serving(lambda number, request: Reply(chunks=["half an"], finish_reason="length")) as server:
        last = list(load_compatible(settings(server.url), KEY).stream_chat(HELLO))[-1]
    assert last.additional_kwargs["finish_reason"] == "length"


def test_a_withheld_answer_is_an_error():
    with serving(lambda number, request: Reply(body=completion("", "content_filter"))) as server:
        llm = load_compatible(settings(server.url), KEY)
        with pytest.raises(ModelCallError, match="withheld"):
            llm.chat(HELLO)


@pytest.mark.parametrize("make", [load_compatible, lambda chosen, key: groq_at(chosen.base_url, key)])
def test_nothing_of_another_servers_environment_is_sent(make):
    with serving(lambda number, request: Reply(body=completion("ok"))) as server:
        make(settings(server.url), KEY).chat(HELLO)
        make(settings(server.url), "").chat(HELLO)
    sent = repr([request.headers for request in server.requests])
    for secret in (OPENAI_KEY, "org-secret", "proj-secret", "sk-admin-secret", "custom-secret"):
        assert secret not in sent
    assert "Authorization" not in server.requests[1].headers


def test_a_redirect_is_not_followed():
    with serving(lambda number, request: Reply(body=completion("ok"))) as other:
        moved = Reply(status=307, body={}, headers={"Location": f"{other.url}/chat/completions"})
        with serving(lambda number, request: moved) as server:
            llm = load_compatible(settings(server.url), KEY)
            with pytest.raises(ModelCallError, match="redirects"):
                llm.chat(HELLO)
    assert other.requests == []


def test_the_proxy_of_the_environment_does_not_get_what_stays_on_this_machine(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(lambda number, request: Reply(body=completion("ok"))) as server:
        assert load_compatible(settings(server.url), KEY).chat(HELLO).message.content == "ok"


FAILURES = {
    "key echoed": Reply(status=401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}}),
    "server error": Reply(status=500, body={"error": {"message": f"at {KEY}"}}),
    "too long": Reply(status=400, body={"error": {"message": "maximum context length is 10 tokens"}}),
    "unknown model": Reply(status=404, body={"error": {"message": "no such model"}}),
    "web page": Reply(body="<html>login</html>"),
    "other json": Reply(body={"hello": KEY}),
    "no choices": Reply(body={"choices": []}),
}


@pytest.mark.parametrize("reply", FAILURES.values(), ids=FAILURES.keys())
def test_keys_are_nowhere_to_be_seen_when_a_call_fails(reply, caplog):
    caplog.set_level(logging.DEBUG)
    with serving(lambda number, request: reply) as server:
        llm = groq_at(server.url)
        with pytest.raises(ModelCallError) as raised:
            llm.chat(HELLO)
    error = raised.value
    assert error.__traceback__ is not None
    inside = error.__traceback__.tb_next  # the first frame is this test, which knows the key
    seen = [
        caplog.text,
        repr(error),
        "".join(traceback.format_exception(error)),
        "".join(traceback.TracebackException(ModelCallError, error, inside, capture_locals=True).format()),
        repr(error.__cause__),
        repr(error.__context__),
    ]
    assert not [text for text in seen if KEY in text]
    assert "127.0.0.1" in str(error)


def test_keys_are_nowhere_to_be_seen_in_the_model():
    llm = groq_at("http://127.0.0.1:9/v1")
    shown = [
        repr(llm),
        str(llm),
        repr(llm.to_dict()),
        llm.to_json(),
        repr(llm.__dict__),
        llm.model_dump_json(),
    ]
    shown += [
        repr(llm.metadata),
        repr(llm.model_copy()),
        repr(vars(llm._client)),
        repr(llm._client.auth_headers),
    ]
    shown.append(repr(pickle.dumps(llm)))
    assert not [text for text in shown if KEY in text or OPENAI_KEY in text]


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(ModelCallError, match=r"connection to 127\.0\.0\.1 failed"):
        load_compatible(settings("http://127.0.0.1:9/v1"), KEY).chat(HELLO)


def test_gen_09_a_silent_server_is_given_up_after_the_timeout():
    release = threading.Event()

    def silent(number, request):
        release.wait(5)
        return Reply(body=completion("late"))

    with serving(silent) as server:
        with pytest.raises(ModelCallError, match=r"silent for 0\.3 s.*models\.remote\.timeout_s"):
            load_compatible(settings(server.url, timeout_s=0.3), KEY).chat(HELLO)
        release.set()


class Person(BaseModel):
    name: str


def test_json_by_schema():
    with serving(lambda number, request: Reply(body=completion('{"name": "Ana"}'))) as server:
        llm = load_compatible(settings(server.url), KEY)
        assert llm.structured_predict(Person, PromptTemplate("Name {who}"), who="Ana") == Person(name="Ana")
    assert server.requests[0].body["response_format"]["json_schema"]["schema"]["required"] == ["name"]


def test_json_of_another_form_is_an_error():
    with serving(lambda number, request: Reply(body=completion("Sure! Ana"))) as server:
        llm = load_compatible(settings(server.url), KEY).as_structured_llm(Person)
        with pytest.raises(ModelCallError, match="no Person"):
            llm.chat(HELLO)


def test_groq_goes_to_groq_with_explicit_limits():
    llm = load_groq(RemoteModelSettings(context_tokens=9000, max_output_tokens=77, timeout_s=9), KEY)
    assert llm.server == "api.groq.com"
    assert (llm.metadata.context_window, llm.metadata.num_output) == (9000, 77)
    assert (llm.timeout, llm.max_retries) == (9, 0)
    assert llm.metadata.is_function_calling_model
