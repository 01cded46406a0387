"""Every tunable of Prism: strict, frozen models with unit, range and effect.

Precedence: command line (overlay) > environment (`PRISM__SECTION__KEY`) > `settings.yaml` > the
defaults below. An unknown key or an out-of-range value is a `SettingsError` that names it.
`settings.yaml` at the root of the project lists every key with its default; a test holds the two equal.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from prism.errors import SettingsError

ENV_PREFIX = "PRISM__"

Weight = Annotated[float, Field(ge=0.0, le=1.0)]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Seconds = Annotated[float, Field(gt=0.0, le=3600.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class StorageSettings(_Section):
    """Where everything Prism keeps lives."""

    path: Path = Path("storage/data")
    workspace: str = Field("default", min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._-]+$")


class PrivacySettings(_Section):
    """What may leave this machine. `ask` asks a person at a terminal; elsewhere it means no."""

    remote_models: Literal["ask", "allow", "deny"] = "ask"


class EmbedderSettings(_Section):
    """The bi-encoder. `path` empty: the packaged all-MiniLM-L6-v2."""

    path: Path | None = None
    max_tokens: int = Field(256, ge=32, le=8192)
    batch_size: int = Field(32, ge=1, le=1024)
    threads: int = Field(0, ge=0, le=256)
    scripts: tuple[str, ...] = ("Latin",)


class LocalModelSettings(_Section):
    """A GGUF file run in process. `path` empty: the packaged SmolLM2-135M."""

    path: Path | None = None
    context_tokens: int = Field(4096, ge=512, le=131072)
    max_output_tokens: int = Field(400, ge=16, le=8192)
    threads: int = Field(0, ge=0, le=256)
    timeout_s: Seconds = 120.0


class RemoteModelSettings(_Section):
    """Groq, or any OpenAI-compatible server (`base_url`). Keys come from the environment only."""

    groq_model: str = "llama-3.3-70b-versatile"
    base_url: str = ""
    model: str = ""
    context_tokens: int = Field(32768, ge=1024, le=2_000_000)
    max_output_tokens: int = Field(800, ge=16, le=32768)
    timeout_s: Seconds = 60.0
    retries: int = Field(2, ge=0, le=10)


class RerankerSettings(_Section):
    """`none`, or a cross-encoder by folder (`path`)."""

    kind: Literal["none", "cross-encoder"] = "none"
    path: Path | None = None
    max_tokens: int = Field(256, ge=32, le=8192)
    batch_size: int = Field(8, ge=1, le=256)


class ModelSettings(_Section):
    """`answerer`: `auto` is remote when consented and configured, else `quote`; `quote` quotes the
    documents as written; `local` is the GGUF; `remote` insists on the remote model."""

    answerer: Literal["auto", "quote", "local", "remote"] = "auto"
    embedder: EmbedderSettings = EmbedderSettings()
    local: LocalModelSettings = LocalModelSettings()
    remote: RemoteModelSettings = RemoteModelSettings()
    reranker: RerankerSettings = RerankerSettings()


class ReadSettings(_Section):
    """Limits on what is read."""

    max_file_mb: float = Field(50.0, gt=0, le=4096)
    max_pages: int = Field(5000, ge=1, le=1_000_000)
    include_hidden: bool = False


class ChunkSettings(_Section):
    """Sizes in the embedder's own tokens, smallest (leaves) to largest."""

    leaf_tokens: int = Field(128, ge=16, le=2048)
    parent_tokens: tuple[int, ...] = (512, 1024)
    leaf_overlap_tokens: int = Field(0, ge=0, le=512)
    context_tokens: int = Field(48, ge=0, le=256)

    @model_validator(mode="after")
    def _sizes_rise(self) -> ChunkSettings:
        sizes = (self.leaf_tokens, *self.parent_tokens)
        if any(small >= large for small, large in zip(sizes, sizes[1:], strict=False)):
            raise ValueError("leaf_tokens and parent_tokens must rise, e.g. 128 and [512, 1024]")
        if self.leaf_overlap_tokens * 2 > self.leaf_tokens:
            raise ValueError("leaf_overlap_tokens must be at most half of leaf_tokens")
        return self


class VectorSettings(_Section):
    """HNSW graph (Malkov & Yashunin 2018). `m` and `ef_construction` shape it when a collection is
    made; `ef_search` can change later."""

    hnsw_m: int = Field(32, ge=4, le=128)
    ef_construction: int = Field(200, ge=16, le=2000)
    ef_search: int = Field(150, ge=10, le=5000)


class KeywordSettings(_Section):
    """BM25 (Robertson & Zaragoza 2009). A lower `b` suits long technical documents."""

    k1: float = Field(1.5, ge=0.0, le=10.0)
    b: Fraction = 0.75


class RetrievalSettings(_Section):
    """The legs and their fusion."""

    k: int = Field(5, ge=1, le=100)
    retrieve_k: int = Field(40, ge=10, le=1000)
    fusion: Literal["rrf", "min_max"] = "rrf"
    rrf_k: float = Field(60.0, gt=0.0, le=10000.0)
    dense_weight: Weight = 0.7
    keyword_weight: Weight = 0.3
    max_per_document: int = Field(0, ge=0, le=100)

    @model_validator(mode="after")
    def _some_leg_counts(self) -> RetrievalSettings:
        if self.dense_weight + self.keyword_weight == 0:
            raise ValueError("dense_weight and keyword_weight cannot both be 0")
        return self


class MergeSettings(_Section):
    """When leaves give way to their parent. `threshold`: the share of a parent's leaves that must be
    in the pool (strictly more). `grow`: let a lone leaf grow to its parent within the budget."""

    enabled: bool = True
    threshold: Fraction = 0.5
    grow: bool = True
    context_tokens: int = Field(1800, ge=128, le=1_000_000)


class GateSettings(_Section):
    """When to answer at all. Abstain below `threshold` of the calibrated score in [0, 1]."""

    enabled: bool = True
    threshold: Fraction = 0.5


class AnswerSettings(_Section):
    """The quoting answerer's size."""

    max_quotes: int = Field(3, ge=1, le=10)
    quote_ratio: Fraction = 0.8


class ConversationSettings(_Section):
    """How much of a conversation later turns may use."""

    window_turns: int = Field(10, ge=0, le=100)


class Settings(_Section):
    """All of Prism's settings. Build with `load_settings`."""

    storage: StorageSettings = StorageSettings()
    privacy: PrivacySettings = PrivacySettings()
    models: ModelSettings = ModelSettings()
    read: ReadSettings = ReadSettings()
    chunk: ChunkSettings = ChunkSettings()
    vectors: VectorSettings = VectorSettings()
    keywords: KeywordSettings = KeywordSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    merge: MergeSettings = MergeSettings()
    gate: GateSettings = GateSettings()
    answer: AnswerSettings = AnswerSettings()
    conversation: ConversationSettings = ConversationSettings()


def load_settings(
    path: Path | str | None = None,
    *,
    overlay: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Read settings by precedence.

    Args:
        path: a YAML file; None means `settings.yaml` here if there is one, else the defaults.
        overlay: the strongest layer, nested or with dotted keys (`{"retrieval.k": 3}`).
        environ: where `PRISM__…` is looked up; None means the process environment.

    Raises:
        SettingsError: the file is missing or not YAML, a key is unknown, a value out of range.
    """
    layers = [
        _read_yaml(path),
        _from_environment(os.environ if environ is None else environ),
        _nested(overlay or {}, "command line"),
    ]
    merged: dict[str, Any] = {}
    for layer in layers:
        merged = _merge(merged, layer)
    return _validate(merged, str(path or "settings"))


def overlay_settings(settings: Settings, overlay: Mapping[str, Any]) -> Settings:
    """`settings` with some values replaced; keys nested or dotted. Raises `SettingsError`."""
    return _validate(_merge(settings.model_dump(), _nested(overlay, "overlay")), "overlay")


def _validate(values: Mapping[str, Any], origin: str) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = "; ".join(_explain(item["loc"], item) for item in error.errors())
        raise SettingsError(f"{origin}: {problems}. settings.yaml lists every key and its range.") from None


def _explain(location: tuple[int | str, ...], item: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in location) or "settings"
    if item["type"] == "extra_forbidden":
        return f"unknown setting {name!r}"
    return f"{name} = {item['input']!r}: {item['msg']}"


def _read_yaml(path: Path | str | None) -> dict[str, Any]:
    file = Path(path) if path is not None else Path("settings.yaml")
    if path is None and not file.is_file():
        return {}
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file}: cannot read the settings ({error.strerror}). Check --settings.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: not valid YAML: {error}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise SettingsError(f"{file}: must hold sections such as 'retrieval:', not a {type(content).__name__}")
    return content


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, raw in environ.items():
        if not name.startswith(ENV_PREFIX):
            continue
        keys = [part.lower() for part in name[len(ENV_PREFIX) :].split("__")]
        values = _merge(values, _nest(keys, yaml.safe_load(raw)))
    return values


def _nested(values: Mapping[str, Any], origin: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in values.items():
        if not isinstance(key, str) or not key:
            raise SettingsError(f"{origin}: setting names are text, not {key!r}")
        inner = _nested(value, origin) if isinstance(value, Mapping) else value
        result = _merge(result, _nest(key.split("."), inner))
    return result


def _nest(keys: Iterable[str], value: Any) -> dict[str, Any]:
    first, *rest = keys
    return {first: _nest(rest, value) if rest else value}


def _merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(under)
    for key, value in over.items():
        below = result.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        result[key] = _merge(below, value) if both else value  # type: ignore[arg-type]
    return result
