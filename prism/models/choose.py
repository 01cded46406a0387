"""Which model answers, and whether anything may leave this machine for it.

Consent (`privacy.remote_models`): `allow` and `deny` are standing answers; `ask` asks a person once,
when there is one to ask. A server on loopback is this machine: it is not remote and needs no consent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from prism.errors import NotAllowedError, SettingsError
from prism.models.offline import stay_offline
from prism.models.transport import host_of, is_encrypted, is_loopback
from prism.settings import RemoteModelSettings, Settings
from prism.types import Notice

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

GROQ_KEY, REMOTE_KEY = "GROQ_API_KEY", "PRISM_REMOTE_API_KEY"
_GROQ_HOST = "api.groq.com"

Ask = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answerer. `llm` is None when the documents are quoted. `kind` is `local` for any model on this
    machine and `remote` only for one elsewhere. `notices` tell why it is not what one might expect."""

    kind: Literal["quote", "local", "remote"]
    llm: LLM | None
    name: str
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class _Server:
    host: str
    key: str
    kind: Literal["groq", "compatible"]
    loopback: bool


QUOTING = Chosen(kind="quote", llm=None, name="quote")


def choose_answerer(settings: Settings, *, environ: Mapping[str, str], ask: Ask | None) -> Chosen:
    """Choose the answerer by `models.answerer`.

    Args:
        settings: all settings.
        environ: where the keys are: GROQ_API_KEY, PRISM_REMOTE_API_KEY. No other key is read.
        ask: puts a yes/no question to a person; None when there is nobody to ask.

    Raises:
        NotAllowedError: `remote` is insisted on but not consented to.
        SettingsError: `remote` is insisted on but no key or address is there, or an address is wrong.
        ModelMissingError, ModelUnfitError: `local` is set and its file is missing or of another kind.
    """
    wanted = settings.models.answerer
    if wanted == "quote":
        return QUOTING
    if wanted == "local":
        return _local(settings)
    if wanted == "remote":
        return _insist_on_remote(settings, environ, ask)
    return _automatic(settings, environ, ask)


def _automatic(settings: Settings, environ: Mapping[str, str], ask: Ask | None) -> Chosen:
    servers = _servers(settings.models.remote, environ)
    elsewhere = next((server for server in servers if not server.loopback), None)
    here = next((server for server in servers if server.loopback), None)
    if elsewhere is not None:
        refusal = _refusal(settings, elsewhere, ask)
        if refusal is None:
            return _connect(settings, elsewhere)
        stand_in = _connect(settings, here) if here is not None else QUOTING
        notice = Notice("remote_model_not_used", f"{refusal} {_stands_in(stand_in)}")
        return Chosen(stand_in.kind, stand_in.llm, stand_in.name, (*stand_in.notices, notice))
    return _connect(settings, here) if here is not None else QUOTING


def _insist_on_remote(settings: Settings, environ: Mapping[str, str], ask: Ask | None) -> Chosen:
    servers = _servers(settings.models.remote, environ)
    if not servers:
        raise SettingsError(_missing_configuration(settings.models.remote))
    server = servers[0]
    if not server.loopback and (refusal := _refusal(settings, server, ask)) is not None:
        raise NotAllowedError(f"models.answerer is remote, but: {refusal}")
    return _connect(settings, server)


def _servers(remote: RemoteModelSettings, environ: Mapping[str, str]) -> list[_Server]:
    """Configured servers, first choice first."""
    servers = []
    if key := environ.get(GROQ_KEY, "").strip():
        servers.append(_Server(_GROQ_HOST, key, "groq", loopback=False))
    if remote.base_url:
        loopback = is_loopback(remote.base_url)
        key = environ.get(REMOTE_KEY, "").strip()
        if key or loopback:
            servers.append(_Server(host_of(remote.base_url), key, "compatible", loopback=loopback))
    return servers


def _refusal(settings: Settings, server: _Server, ask: Ask | None) -> str | None:
    """Why the server may not be used; None when it may."""
    consent = settings.privacy.remote_models
    if consent == "allow":
        return None
    how = f"Set privacy.remote_models to allow to use {server.host}."
    if consent == "deny":
        return f"privacy.remote_models is deny. {how}"
    if ask is None:
        return f"privacy.remote_models is ask, and there is nobody to ask. {how}"
    question = (
        f"Use the remote model at {server.host}? Your questions and the passages found for them will be "
        "sent there."
    )
    return None if ask(question) else f"You chose not to send anything to {server.host}. {how}"


def _connect(settings: Settings, server: _Server) -> Chosen:
    stay_offline()
    from prism.models.remote import load_compatible, load_groq

    remote = settings.models.remote
    llm = load_groq(remote, server.key) if server.kind == "groq" else load_compatible(remote, server.key)
    notices = []
    if server.kind == "compatible" and not server.loopback and not is_encrypted(remote.base_url):
        notices.append(
            Notice(
                "remote_model_unencrypted",
                f"The connection to {server.host} is not encrypted: anyone on the way can read what is sent. "
                "Use an https:// address in models.remote.base_url.",
            )
        )
    kind: Literal["local", "remote"] = "local" if server.loopback else "remote"
    return Chosen(kind=kind, llm=llm, name=f"{server.host}/{llm.model}", notices=tuple(notices))


def _local(settings: Settings) -> Chosen:
    stay_offline()
    from prism.models.gguf import load_gguf

    llm = load_gguf(settings.models.local)
    return Chosen(kind="local", llm=llm, name=llm.model)


def _stands_in(chosen: Chosen) -> str:
    return "Answers quote the documents instead." if chosen.llm is None else f"{chosen.name} answers instead."


def _missing_configuration(remote: RemoteModelSettings) -> str:
    if remote.base_url:
        return (
            f"models.answerer is remote, but the environment variable {REMOTE_KEY} for "
            f"{host_of(remote.base_url)} is not set (a server without keys takes any word)."
        )
    return (
        f"models.answerer is remote, but no remote model is configured: set the environment variable "
        f"{GROQ_KEY}, or models.remote.base_url and models.remote.model with {REMOTE_KEY}."
    )
