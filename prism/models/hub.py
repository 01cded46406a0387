"""A model by its name on a model hub: found in the hub's cache on this machine, else fetched, by consent.

The name of a model in the settings is the consent to fetch that model, and nothing else: a process of its
own goes online for it (`hub_fetch.py`), while this one stays as offline as it is. The hub learns the model's
name, never a document or a question.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from prism.errors import ModelMissingError
from prism.models.folders import ModelFolder, inspect_folder
from prism.models.offline import HUB_SWITCHES, may_fetch, online_environment, stay_offline

FETCH_TIMEOUT_S: Final = 1800.0
"""2 GB at 10 Mbit/s take as long; what was fetched by then is kept for the next time."""

_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def is_hub_name(model: str) -> bool:
    """Whether `model` reads as `owner/name`. Where a folder here is called `owner` it is a path."""
    return _NAME.fullmatch(model) is not None and not Path(model).parent.exists()


def find_model(model: str, *, setting: str) -> ModelFolder:
    """The model folder that `model` names, fetched where it is a name on a hub and not here yet.

    Args:
        model: a folder, or a name such as `cross-encoder/ms-marco-MiniLM-L-6-v2`.
        setting: the setting that says so, for the message.

    Raises:
        ModelMissingError: there is no such folder, or the model could not be fetched.
        ModelUnfitError: a file of it is not what its name says.
    """
    if not is_hub_name(model):
        return inspect_folder(Path(model), setting=setting)
    try:
        return inspect_folder(cached_folder(model, setting=setting), setting=setting)
    except ModelMissingError as lacking:
        if not may_fetch(os.environ):
            raise ModelMissingError(
                f"{model} is neither a folder here nor whole in the model hub's cache on this machine, and "
                f"{' or '.join(HUB_SWITCHES)} in the environment forbids to fetch it. Unset them, or set "
                f"{setting} to a folder that holds the model."
            ) from lacking
    fetch(model, setting=setting)
    return inspect_folder(cached_folder(model, setting=setting), setting=setting)


def cached_folder(name: str, *, setting: str) -> Path:
    """Where the hub's cache on this machine keeps the model; it may be incomplete.

    Raises:
        ModelMissingError: nothing of it is there.
    """
    stay_offline()
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(name, "config.json")
    if not isinstance(config, str):
        raise ModelMissingError(f"{name} is not in the model hub's cache on this machine. Correct {setting}.")
    return Path(config).parent


def fetch(name: str, *, setting: str, timeout_s: float = FETCH_TIMEOUT_S) -> None:
    """Fetch one model into the hub's cache on this machine.

    Raises:
        ModelMissingError: the hub cannot be reached, has no such model, or took longer than `timeout_s`.
    """
    stay_offline()
    script = Path(__file__).with_name("hub_fetch.py")
    try:
        done = subprocess.run(  # noqa: S603 - our own program, and a name of letters, digits and . _ - /
            [sys.executable, "-P", str(script), name],
            env=online_environment(os.environ),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
        reason = next(iter(done.stderr.strip().splitlines()[-1:]), f"exit code {done.returncode}")
        is_fetched = done.returncode == 0
    except subprocess.TimeoutExpired:
        reason, is_fetched = f"not done within {timeout_s:g} s", False
    if not is_fetched:
        raise ModelMissingError(
            f"{name} is no folder here and could not be fetched from the model hub ({reason}). Check the "
            f"name and the network, or set {setting} to a folder that holds the model."
        )
