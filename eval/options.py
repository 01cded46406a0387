"""What to ask, under which settings: the options that several subcommands share."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, Final

import yaml

from eval.datasets.dataset import Dataset
from eval.datasets.open import open_dataset, part_of
from prism.errors import UsageError
from prism.layers import Layer, from_file, from_overlay, merge
from prism.settings import Settings, overlay_settings

MAX_NAME_BYTES: Final = 200
"""A file's name has at most 255, and the commit is part of it."""

CACHE: Final = Path(tempfile.gettempdir()) / "prism-eval"


def add_dataset_arguments(parser: argparse.ArgumentParser, *, default: Path | None = None) -> None:
    """Declare them. `default`: the set that is asked where none is named; without one it must be."""
    parser.add_argument(
        "--dataset",
        type=_path,
        required=default is None,
        default=default,
        help="a labelled set: a folder, or a CSV or JSON file of your own questions"
        + (f" (default: {default.name})" if default else ""),
    )
    parser.add_argument("--documents", type=_path, help="for a file of questions: the folder of documents")
    parser.add_argument("--limit", type=positive, metavar="N", help="ask at most N questions, spread evenly")
    parser.add_argument("--language", help="ask only questions in it (en, hi)")
    add_settings_arguments(parser)


def add_settings_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare under which settings to ask, and where to keep what can be computed again."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="your settings (default: those of the code, whatever is set)",
    )
    parser.add_argument(
        "--overlay", type=Path, action="append", default=[], metavar="FILE", help="settings to change (YAML)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="one setting: --set retrieval.k=8"
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=CACHE,
        help="folder for vectors, scores and indexes, which hold copies of the documents (default: the "
        "system's temporary folder)",
    )


def chosen(given: argparse.Namespace) -> tuple[Dataset, int]:
    """The questions that the options choose, and how many of the set they leave out. Raises `UsageError`."""
    whole = open_dataset(given.dataset, made_cache(given) / "corpora", given.documents)
    part = part_of(whole, language=given.language, limit=given.limit)
    return part, len(whole.questions) - len(part.questions)


def check_name(name: str) -> None:
    """Raises `UsageError` where `--name` cannot be part of a file's name."""
    if not name or Path(name).name != name or len(name.encode()) > MAX_NAME_BYTES:
        raise UsageError(f"--name {name!r} cannot be part of a file's name.")


def made_cache(given: argparse.Namespace) -> Path:
    """The folder of `--cache`, made where it is not there. Raises `UsageError`."""
    folder = Path(given.cache)
    # Copies of the documents lie in it.
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--cache {folder}: no folder can be made there ({error.strerror}).") from None
    return folder


def settings_of(given: argparse.Namespace) -> Settings:
    """The defaults, or the settings of a file that is named, with the overlays in their order, and the single
    settings over them. A settings file that merely lies in the folder and the environment play no part: who
    runs the same command elsewhere measures the same.

    Raises:
        SettingsError: a setting is unknown or out of range.
    """
    files = [*([given.settings] if given.settings else []), *given.overlay]
    layers: list[Layer] = [from_overlay(from_file(file), str(file)) for file in files]
    layers += [from_overlay(dict([_setting(text)]), "--set") for text in given.set]
    merged: Layer = {}
    for layer in layers:
        merged = merge(merged, layer)
    return overlay_settings(Settings(), merged)


def _path(text: str) -> Path:
    """A path in which `~` is the home folder, also where a shell or make has left it as it was."""
    return Path(text).expanduser()


def positive(text: str) -> int:
    """A number from 1 up, as an option."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def _setting(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise UsageError(f"--set {text!r}: wanted KEY=VALUE, as in retrieval.k=8.")
    try:
        return key, yaml.safe_load(value)
    except yaml.YAMLError:
        raise UsageError(
            f"--set {text!r}: the value cannot be read. A list is written as [512, 1024]."
        ) from None
