"""How requests leave for an OpenAI-compatible server: the only place that holds a key.

The key is added to each request on its way out and kept nowhere else: not in the language model object,
not in the client, so neither can show it. Headers are an allow-list, because the OpenAI client also
reads OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS, which belong to another server.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Generator

import httpx

from prism.errors import SettingsError

_HEADERS_SENT = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
)
_HIDDEN = "[key]"


class KeyAuth(httpx.Auth):
    """Puts the bearer key on a request and strips what is not on the allow-list."""

    __slots__ = ("__key",)

    def __init__(self, key: str) -> None:
        self.__key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Called by httpx for each request it sends."""
        for name in list(request.headers):
            if name.lower() not in _HEADERS_SENT:
                del request.headers[name]
        if self.__key:
            request.headers["Authorization"] = f"Bearer {self.__key}"
        yield request

    def redact(self, text: str) -> str:
        """The text with the key, should a server have echoed it, replaced by `[key]`."""
        return text.replace(self.__key, _HIDDEN) if self.__key else text

    def __repr__(self) -> str:
        return "KeyAuth([key])"

    def __reduce__(self) -> str:
        raise TypeError("A key is not to be pickled.")


def make_client(base_url: str, auth: KeyAuth, *, timeout_s: float) -> httpx.Client:
    """An HTTP client for one server.

    Redirects are refused: a server on this machine could otherwise pass the documents on to another one.
    Loopback ignores the proxies of the environment for the same reason.
    """
    return httpx.Client(
        auth=auth,
        timeout=httpx.Timeout(timeout_s),
        follow_redirects=False,
        trust_env=not is_loopback(base_url),
    )


def is_loopback(base_url: str) -> bool:
    """Whether a URL stays on this machine: localhost, 127.0.0.0/8, ::1.

    Raises:
        SettingsError: it is not an http(s) URL.
    """
    host = _parse(base_url).host
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_encrypted(base_url: str) -> bool:
    """Whether the connection is HTTPS. Raises as `is_loopback`."""
    return _parse(base_url).scheme == "https"


def host_of(base_url: str) -> str:
    """The server's name, fit to show: no credentials, no path. Raises as `is_loopback`."""
    return _parse(base_url).host


def _parse(base_url: str) -> httpx.URL:
    problem = "must be an http:// or https:// address such as http://localhost:8000/v1"
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError):
        raise SettingsError(f"models.remote.base_url {problem}.") from None
    if url.scheme not in {"http", "https"} or not url.host:
        raise SettingsError(f"models.remote.base_url {problem}.")
    if url.userinfo or url.query:
        raise SettingsError(
            "models.remote.base_url must hold no user, password or ?parameters, because addresses are "
            "logged: put the key in PRISM_REMOTE_API_KEY."
        )
    return url
