import pickle

import httpx
import pytest

from prism.errors import SettingsError
from prism.models.transport import KeyAuth, host_of, is_encrypted, is_loopback, make_client

KEY = "secret-key-123"


def send(auth: KeyAuth, **headers: str) -> httpx.Headers:
    request = httpx.Request("POST", "http://localhost/v1", headers=headers)
    return next(auth.auth_flow(request)).headers


def test_the_key_is_put_on_the_request():
    assert send(KeyAuth(KEY))["Authorization"] == f"Bearer {KEY}"


def test_only_allowed_headers_leave():
    headers = send(KeyAuth(KEY), **{"OpenAI-Organization": "o", "X-Api-Key": "k", "Accept": "a"})
    assert "openai-organization" not in headers
    assert "x-api-key" not in headers
    assert headers["accept"] == "a"


def test_without_a_key_another_servers_authorization_is_still_stripped():
    assert "authorization" not in send(KeyAuth(""), Authorization="Bearer sk-other")


def test_the_key_shows_in_no_form():
    auth = KeyAuth(KEY)
    assert KEY not in repr(auth) + str(auth)
    with pytest.raises(TypeError):
        pickle.dumps(auth)


def test_an_echoed_key_is_redacted():
    assert KeyAuth(KEY).redact(f"bad key {KEY}!") == "bad key [key]!"
    assert KeyAuth("").redact("as it is") == "as it is"


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000/v1",
        "http://LOCALHOST/v1",
        "http://127.0.0.1/v1",
        "http://127.9.9.9:1/v1",
        "https://[::1]:8000/v1",
        "http://models.localhost/v1",
    ],
)
def test_this_machine_is_loopback(url):
    assert is_loopback(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1",
        "http://localhost.example.com/v1",
        "http://127.0.0.1.example.com/v1",
        "http://192.168.1.5/v1",
        "http://0.0.0.0/v1",
        "http://[2001:db8::1]/v1",
        "http://10.0.0.1#@localhost/",
    ],
)
def test_any_other_machine_is_not(url):
    assert not is_loopback(url)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "api.example.com/v1",
        "ftp://localhost",
        "http://",
        "http://[::1",
        "  ",
    ],
)
def test_what_is_no_address_is_a_settings_error(url):
    with pytest.raises(SettingsError, match=r"models\.remote\.base_url"):
        is_loopback(url)


@pytest.mark.parametrize("url", ["https://me:pw-123@example.com/v1", "https://example.com/v1?key=pw-123"])
def test_an_address_holds_no_secret_and_the_message_does_not_repeat_it(url):
    with pytest.raises(SettingsError, match="PRISM_REMOTE_API_KEY") as raised:
        host_of(url)
    assert "pw-123" not in str(raised.value)


def test_encryption_is_told_by_the_scheme():
    assert is_encrypted("https://example.com")
    assert not is_encrypted("http://example.com")


def test_redirects_are_not_followed_and_loopback_ignores_proxies():
    here = make_client("http://localhost/v1", KeyAuth(KEY), timeout_s=7)
    elsewhere = make_client("https://example.com/v1", KeyAuth(KEY), timeout_s=7)
    assert not here.follow_redirects
    assert not elsewhere.follow_redirects
    assert not here.trust_env
    assert elsewhere.trust_env
    assert here.timeout.read == 7
