"""Every tunable of Prism: strict, frozen models with unit, range and effect.

Precedence: command line (overlay) > environment (`PRISM__SECTION__KEY`) > `settings.yaml` > the
defaults below. An unknown key or an out-of-range value is a `SettingsError` that names it.
`settings.yaml` at the root of the project lists every key with its default; a test holds the two equal.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from prism.errors import SettingsError
from prism.layers import DEFAULT_FILE, Layer, from_environment, from_file, from_overlay, merge
from prism.wrong_setting import explain

Weight = Annotated[float, Field(ge=0.0, le=1.0)]
Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Seconds = Annotated[float, Field(gt=0.0, le=3600.0)]

RerankKind = Literal["late_interaction", "cross_encoder"]
"""By the token vectors kept at ingest, or by a model that reads question and passage together."""

ChunkStrategy = Literal["hierarchical", "recursive", "fixed", "semantic"]
"""One file each in `prism/ingest/chunkers/`."""

WORKSPACE_PATTERN = r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$"
"""A workspace names a folder: `..` and `a/b` would lead out of the storage folder."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _empty_section_is_default(cls, values: Any) -> Any:
        """`retrieval:` with every key commented out is None in YAML."""
        if not isinstance(values, Mapping):
            return values
        sections = {name for name, info in cls.model_fields.items() if isinstance(info.default, _Section)}
        return {key: value for key, value in values.items() if value is not None or key not in sections}

    @field_validator("*", mode="before")
    @classmethod
    def _no_accidental_values(cls, value: Any, info: ValidationInfo) -> Any:
        """`true` is no number, although Python counts it as 1; and empty text is None where that may be."""
        kinds = get_args(cls.model_fields[str(info.field_name)].annotation)
        if value == "" and type(None) in kinds:
            return None
        if isinstance(value, bool) and cls.model_fields[str(info.field_name)].annotation in (int, float):
            raise ValueError("must be a number")
        return value


class StorageSettings(_Section):
    """Where everything Prism keeps lives."""

    path: Path = Path("storage/data")
    workspace: str = Field(default="default", pattern=WORKSPACE_PATTERN)


class PrivacySettings(_Section):
    """What may leave this machine. `ask` asks a person at a terminal; elsewhere it means no."""

    remote_models: Literal["ask", "allow", "deny"] = "ask"


class EmbedderSettings(_Section):
    """The bi-encoder. `path` empty: the packaged all-MiniLM-L6-v2."""

    path: Path | None = None
    max_tokens: int = Field(default=256, ge=32, le=8192)
    batch_tokens: int = Field(default=1024, ge=32, le=131072)
    threads: int = Field(default=0, ge=0, le=256)
    scripts: tuple[str, ...] = ("Latin",)
    languages: tuple[str, ...] = ("en",)

    @field_validator("languages")
    @classmethod
    def _are_codes(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        """`English` would be a language that no question is ever in."""
        if not all(re.fullmatch("[a-z]{2}", code) for code in codes):
            raise ValueError("must be ISO 639-1 codes such as en, or [] for every language")
        return codes


class LocalModelSettings(_Section):
    """A GGUF file run in process. `path` empty: the packaged SmolLM2-135M."""

    path: Path | None = None
    context_tokens: int = Field(default=4096, ge=512, le=131072)
    max_output_tokens: int = Field(default=400, ge=16, le=8192)
    threads: int = Field(default=0, ge=0, le=256)
    timeout_s: Seconds = 120.0


class RemoteModelSettings(_Section):
    """Groq, or any OpenAI-compatible server (`base_url`). Keys come from the environment only."""

    groq_model: str = "llama-3.3-70b-versatile"
    base_url: str = ""
    model: str = ""
    context_tokens: int = Field(default=32768, ge=1024, le=2_000_000)
    max_output_tokens: int = Field(default=800, ge=16, le=32768)
    timeout_s: Seconds = 60.0
    retries: int = Field(default=2, ge=0, le=10)


class RerankerSettings(_Section):
    """The cross-encoder, where `rerank.kind` asks for one: a folder, or a name on a model hub."""

    model: str | None = None
    max_tokens: int = Field(default=512, ge=32, le=8192)
    batch_size: int = Field(default=8, ge=1, le=256)


class ModelSettings(_Section):
    """`answerer`: `auto` is remote when consented and configured, else `quote`; `quote` quotes the
    documents as written; `local` is the GGUF; `remote` insists on the remote model."""

    answerer: Literal["auto", "quote", "local", "remote"] = "auto"
    embedder: EmbedderSettings = EmbedderSettings()
    local: LocalModelSettings = LocalModelSettings()
    remote: RemoteModelSettings = RemoteModelSettings()
    reranker: RerankerSettings = RerankerSettings()


class ReadSettings(_Section):
    """What is read of a folder, limits on what a file may cost, and text recognition (OCR)."""

    max_file_mb: float = Field(default=50.0, gt=0, le=4096)
    max_pages: int = Field(default=5000, ge=1, le=1_000_000)
    max_chars: int = Field(default=100_000_000, ge=1000, le=2_000_000_000)
    max_unpacked_mb: float = Field(default=500.0, gt=0, le=16384)
    timeout_s: Seconds = 60.0
    memory_mb: float = Field(default=1500.0, ge=200, le=100_000)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    include_hidden: bool = False
    ocr: Literal["auto", "on", "off"] = "auto"
    ocr_languages: tuple[str, ...] = ("eng", "hin")
    ocr_timeout_s: Seconds = 60.0


class IngestSettings(_Section):
    """What an embedder's passing failures (rate limit, timeout) are met with, and how long jobs are known.
    `retry_wait_s` bounds the waits between two successes together."""

    retries: int = Field(default=5, ge=0, le=20)
    retry_wait_s: float = Field(default=120.0, ge=0.0, le=3600.0)
    keep_jobs: int = Field(default=100, ge=1, le=100_000)


class ChunkSettings(_Section):
    """How documents are cut (docs/chunking.md). Sizes are in the embedder's own tokens, but for `recursive`.

    An overlap of 64 of 256 repeats what a model that reads 256 tokens, context included, no longer sees of
    the window before.
    """

    strategy: ChunkStrategy = "hierarchical"
    leaf_tokens: int = Field(default=128, ge=16, le=2048)
    parent_tokens: tuple[int, ...] = (512, 1024)
    leaf_overlap_tokens: int = Field(default=0, ge=0, le=512)
    recursive_chars: int = Field(default=500, ge=50, le=20000)
    recursive_overlap_chars: int = Field(default=50, ge=0, le=10000)
    fixed_tokens: int = Field(default=256, ge=16, le=2048)
    fixed_overlap_tokens: int = Field(default=64, ge=0, le=1024)
    semantic_percentile: float = Field(default=95.0, ge=50.0, le=100.0)
    semantic_min_tokens: int = Field(default=48, ge=1, le=1024)
    semantic_max_tokens: int = Field(default=192, ge=16, le=2048)
    semantic_buffer: int = Field(default=0, ge=0, le=5)
    context_tokens: int = Field(default=48, ge=0, le=256)

    @model_validator(mode="after")
    def _sizes_rise(self) -> ChunkSettings:
        sizes = (self.leaf_tokens, *self.parent_tokens)
        if any(small >= large for small, large in pairwise(sizes)):
            raise ValueError("leaf_tokens and parent_tokens must rise, e.g. 128 and [512, 1024]")
        if self.leaf_overlap_tokens * 2 > self.leaf_tokens:
            raise ValueError("leaf_overlap_tokens must be at most half of leaf_tokens")
        if self.recursive_overlap_chars * 2 > self.recursive_chars:
            raise ValueError("recursive_overlap_chars must be at most half of recursive_chars")
        if self.fixed_overlap_tokens * 2 > self.fixed_tokens:
            raise ValueError("fixed_overlap_tokens must be at most half of fixed_tokens")
        if self.semantic_min_tokens * 2 > self.semantic_max_tokens:
            raise ValueError("semantic_min_tokens must be at most half of semantic_max_tokens")
        return self


class VectorSettings(_Section):
    """HNSW graph (Malkov & Yashunin 2018). `m` and `ef_construction` shape it when a collection is
    made; `ef_search` can change later. Defaults by measure (docs/performance.md)."""

    hnsw_m: int = Field(default=32, ge=4, le=128)
    ef_construction: int = Field(default=200, ge=16, le=2000)
    ef_search: int = Field(default=150, ge=10, le=5000)


class KeywordSettings(_Section):
    """BM25 (Robertson & Zaragoza 2009). A lower `b` suits long technical documents."""

    k1: float = Field(default=1.5, ge=0.0, le=10.0)
    b: Fraction = 0.75


class RetrievalSettings(_Section):
    """The legs and their fusion."""

    k: int = Field(default=5, ge=1, le=100)
    retrieve_k: int = Field(default=40, ge=10, le=1000)
    fusion: Literal["rrf", "min_max", "dist_based"] = "dist_based"
    rrf_k: float = Field(default=60.0, gt=0.0, le=10000.0)
    dense_weight: Weight = 0.5
    keyword_weight: Weight = 0.5
    max_per_document: int = Field(default=0, ge=0, le=100)
    close_share: Fraction = 0.1

    @model_validator(mode="after")
    def _some_leg_counts(self) -> RetrievalSettings:
        if self.dense_weight + self.keyword_weight == 0:
            raise ValueError("dense_weight and keyword_weight cannot both be 0")
        return self


class RerankSettings(_Section):
    """How the pool of leaves is ordered after fusion. `kind` is one word, or several that are stacked: each
    orders what the one before it put first."""

    kind: Literal["none"] | RerankKind | tuple[RerankKind, ...] = "late_interaction"
    weight: Fraction = 0.4
    cross_encoder_leaves: int = Field(default=20, ge=1, le=1000)

    @property
    def kinds(self) -> tuple[RerankKind, ...]:
        """The rerankers in the order they run; empty for `none`."""
        if isinstance(self.kind, tuple):
            return self.kind
        return () if self.kind == "none" else (self.kind,)

    @field_validator("kind", mode="plain")
    @classmethod
    def _one_word_or_a_stack(cls, value: Any) -> str | tuple[str, ...]:
        """A stack of one is written as its word, so that equal settings are equal."""
        words = tuple(value) if isinstance(value, list | tuple) else (value,)
        known = get_args(RerankKind)
        if words == ("none",):
            return "none"
        if not words or len(set(map(str, words))) < len(words) or any(word not in known for word in words):
            raise ValueError(
                "must be 'none', 'late_interaction', 'cross_encoder', or a list of the last two, each once"
            )
        return words if len(words) > 1 else str(words[0])


class MergeSettings(_Section):
    """When leaves give way to their parent. `threshold`: the share of a parent's leaves that must be
    in the pool (strictly more). `grow`: let a lone leaf grow to its parent within the budget."""

    enabled: bool = True
    threshold: Fraction = 0.5
    grow: bool = True
    context_tokens: int = Field(default=1800, ge=128, le=1_000_000)


class GateSettings(_Section):
    """When to answer at all: abstain below `threshold` of the calibrated score in [0, 1]. Empty: the
    calibration's own threshold, and the packaged calibration."""

    enabled: bool = True
    threshold: Fraction | None = None
    calibration: Path | None = None


class AnswerSettings(_Section):
    """The quoting answerer's size."""

    max_quotes: int = Field(default=3, ge=1, le=10)
    quote_ratio: Fraction = 0.8


class ConversationSettings(_Section):
    """How much of a conversation later turns may use."""

    window_turns: int = Field(default=10, ge=0, le=100)


class Settings(_Section):
    """All of Prism's settings. Build with `load_settings`."""

    storage: StorageSettings = StorageSettings()
    privacy: PrivacySettings = PrivacySettings()
    models: ModelSettings = ModelSettings()
    read: ReadSettings = ReadSettings()
    ingest: IngestSettings = IngestSettings()
    chunk: ChunkSettings = ChunkSettings()
    vectors: VectorSettings = VectorSettings()
    keywords: KeywordSettings = KeywordSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    rerank: RerankSettings = RerankSettings()
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
    layers = {
        str(path or DEFAULT_FILE): from_file(path),
        "environment": from_environment(os.environ if environ is None else environ),
        "command line": from_overlay(overlay or {}, "command line"),
    }
    merged: Layer = {}
    for layer in layers.values():
        merged = merge(merged, layer)
    return _validate(merged, layers)


def overlay_settings(settings: Settings, overlay: Mapping[str, Any]) -> Settings:
    """`settings` with some values replaced; keys nested or dotted. Raises `SettingsError`."""
    changes = from_overlay(overlay, "overlay")
    return _validate(merge(settings.model_dump(), changes), {"overlay": changes})


def is_workspace(name: str) -> bool:
    """Whether `name` can name a workspace."""
    return "\n" not in name and re.match(WORKSPACE_PATTERN, name) is not None


def check_workspace(name: str) -> str:
    """`name`, if it can name a workspace. Raises `SettingsError`."""
    if not is_workspace(name):
        raise SettingsError(
            f"{name!r} cannot name a workspace. Take 1 to 64 letters, digits, . _ - and no . first."
        )
    return name


def _validate(values: Mapping[str, Any], layers: Mapping[str, Layer]) -> Settings:
    """Validate merged `values`; `layers`, weakest first, say where a wrong value came from."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = "; ".join(explain(item["loc"], item, layers) for item in error.errors())
        raise SettingsError(f"{problems}. {DEFAULT_FILE} lists every key and its range.") from None
