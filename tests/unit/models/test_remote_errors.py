import httpx
import openai
import pytest

from prism.models.remote_errors import explain_failure
from prism.settings import RemoteModelSettings

SETTINGS = RemoteModelSettings(retries=2, timeout_s=7)
REQUEST = httpx.Request("POST", "https://api.example.com/v1/chat/completions")


def status_error(status: int, message: str = "said so") -> openai.APIStatusError:
    return openai.APIStatusError(message, response=httpx.Response(status, request=REQUEST), body=None)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (status_error(401), ["refused the key", "GROQ_API_KEY", "PRISM_REMOTE_API_KEY", "said so"]),
        (status_error(404), ["models.remote.model", "models.remote.groq_model"]),
        (status_error(400, "maximum context length is 10"), ["does not fit the context"]),
        (status_error(413), ["does not fit the context"]),
        (status_error(429), ["rate limit", "3 tries"]),
        (status_error(307), ["redirects", "models.remote.base_url"]),
        (status_error(500), ["status 500"]),
        (openai.APITimeoutError(request=REQUEST), ["silent for 7 s", "models.remote.timeout_s"]),
        (httpx.ReadTimeout("x", request=REQUEST), ["silent for 7 s"]),
        (openai.APIConnectionError(message="no route", request=REQUEST), ["connection", "no route"]),
        (httpx.RemoteProtocolError("peer closed", request=REQUEST), ["connection", "peer closed"]),
        (openai.APIError("overloaded", request=REQUEST, body=None), ["overloaded"]),
        (AttributeError("'str' has no choices"), ["no chat completion", "models.remote.base_url"]),
    ],
)
def test_each_failure_names_the_server_and_the_next_step(error, words):
    message = explain_failure(error, "api.example.com", SETTINGS)
    assert "api.example.com" in message
    assert not [word for word in words if word not in message]
