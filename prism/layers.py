"""The layers settings come from: a YAML file, the environment, the command line.

A layer is a nested mapping of what that place says and nothing more; `prism.settings` merges and
validates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from prism.errors import SettingsError

ENV_PREFIX = "PRISM__"
DEFAULT_FILE = "settings.yaml"

Layer = dict[str, Any]


def from_file(path: Path | str | None) -> Layer:
    """Read a YAML file; None means `settings.yaml` in the working folder, if there is one.

    Raises:
        SettingsError: the file is missing, not YAML, or not a mapping with names as keys.
    """
    file = Path(path) if path is not None else Path(DEFAULT_FILE)
    if path is None and not file.is_file():
        return {}
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(
            f"{file}: cannot read the settings ({error.strerror}). Check --settings."
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not valid YAML: {error}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise SettingsError(
            f"{file}: must hold sections such as 'retrieval:', not a {type(content).__name__}"
        )
    return _with_names(content, str(file))


def from_environment(environ: Mapping[str, str]) -> Layer:
    """Collect `PRISM__SECTION__KEY` variables. Raises `SettingsError` for a broken list."""
    values: Layer = {}
    for name in sorted(environ):
        if name.startswith(ENV_PREFIX):
            keys = [part.lower() for part in name[len(ENV_PREFIX) :].split("__")]
            values = merge(values, _nest(keys, _from_variable(name, environ[name])))
    return values


def from_overlay(values: Mapping[str, Any], origin: str) -> Layer:
    """Nest dotted keys: `{"retrieval.k": 3}` is `{"retrieval": {"k": 3}}`."""
    result: Layer = {}
    for key, value in values.items():
        if not isinstance(key, str) or not key:
            raise SettingsError(f"{origin}: setting names are text, not {key!r}")
        inner = from_overlay(value, origin) if isinstance(value, Mapping) else value
        result = merge(result, _nest(key.split("."), inner))
    return result


def merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> Layer:
    """`under` with every value that `over` sets replaced, section by section."""
    result = dict(under)
    for key, value in over.items():
        below = result.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            result[key] = merge(below, value)
        else:
            result[key] = value
    return result


def origin_of(location: tuple[int | str, ...], layers: Mapping[str, Layer]) -> str:
    """The name of the strongest layer that set the value at `location`; `layers` is weakest first."""
    found = "settings"
    for origin, layer in layers.items():
        if _holds(layer, location):
            found = origin
    return found


def _holds(layer: Layer, location: tuple[int | str, ...]) -> bool:
    """Whether `layer` sets the value at `location`, or the list or scalar around it."""
    value: Any = layer
    for part in location:
        if not isinstance(value, Mapping):
            return True
        if part not in value:
            return False
        value = value[part]
    return True


def _from_variable(name: str, raw: str) -> Any:
    """Lists and mappings are YAML; all else stays text, so that a workspace may be called `2024`."""
    if not raw.lstrip().startswith(("[", "{")):
        return raw
    try:
        return yaml.safe_load(raw)
    except yaml.YAMLError:
        raise SettingsError(f"{name}={raw}: not a list. Write it as in [512, 1024].") from None


def _with_names(values: Mapping[Any, Any], origin: str) -> Layer:
    """The same mapping, refused unless every key is text (in YAML `on:` and `1:` are not)."""
    for key in values:
        if not isinstance(key, str):
            raise SettingsError(f"{origin}: setting names are text, not {key!r}. Check its spelling.")
    return {
        key: _with_names(value, origin) if isinstance(value, Mapping) else value
        for key, value in values.items()
    }


def _nest(keys: Iterable[str], value: Any) -> Layer:
    first, *rest = keys
    return {first: _nest(rest, value) if rest else value}
