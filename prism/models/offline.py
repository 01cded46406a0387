"""Keep the heavy libraries off the network. Call `stay_offline()` before importing any of them.

Hugging Face libraries read their switches once, on import; Chroma and Gradio read theirs when they
start. A value that is already set is respected: it belongs to the application Prism runs in. Even then
nothing is fetched, because every model is loaded from a folder with `local_files_only`.

The one way out is `hub.fetch`: a model that the settings call by its name on a hub, fetched by a process of
its own (`online_environment`). Where somebody else switched the hub off, that is forbidden too (`may_fetch`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping
from typing import Final

OFFLINE_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "ANONYMIZED_TELEMETRY": "False",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "DO_NOT_TRACK": "1",
}
"""Environment variable and the value that keeps its library silent and offline."""

HUB_SWITCHES: Final = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
"""What keeps the hub's client off the network; either is enough."""

SET_BY_PRISM: Final = "PRISM_SET_OFFLINE"
"""Environment variable with the names of the switches that Prism set itself, for processes it starts too."""

_ON: Final = frozenset({"1", "ON", "YES", "TRUE"})


def stay_offline(environ: MutableMapping[str, str] | None = None) -> None:
    """Set the offline switches that are not set yet (in the process environment by default)."""
    target = os.environ if environ is None else environ
    ours = [name for name in OFFLINE_ENVIRONMENT if name not in target]
    target.update({name: OFFLINE_ENVIRONMENT[name] for name in ours})
    if ours:
        target[SET_BY_PRISM] = " ".join([*target.get(SET_BY_PRISM, "").split(), *ours])


def may_fetch(environ: Mapping[str, str]) -> bool:
    """Whether nobody but Prism itself keeps the hub's client off the network."""
    ours = environ.get(SET_BY_PRISM, "").split()
    return not any(environ.get(name, "").upper() in _ON and name not in ours for name in HUB_SWITCHES)


def online_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """`environ` for a process that may fetch from the hub: online, all else (telemetry, tokens) as quiet."""
    return {**OFFLINE_ENVIRONMENT, **environ, **dict.fromkeys(HUB_SWITCHES, "0")}
