"""The settings that are tried: an axis is one decision, a variant one other choice of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, get_args

import yaml

from prism.errors import SettingsError, UsageError
from prism.settings import ChunkStrategy, Settings, overlay_settings


@dataclass(frozen=True, slots=True)
class Variant:
    """One choice: the axis it belongs to, what to call it, and the settings that make it."""

    axis: str
    label: str
    overlay: Mapping[str, Any]


def _each(axis: str, key: str, values: Sequence[object]) -> tuple[Variant, ...]:
    return tuple(Variant(axis, f"{key} = {_written(value)}", {key: value}) for value in values)


def _weights(*pairs: tuple[float, float]) -> tuple[Variant, ...]:
    return tuple(
        Variant(
            "weights",
            f"dense {dense:g}, keyword {keyword:g}",
            {"retrieval.dense_weight": dense, "retrieval.keyword_weight": keyword},
        )
        for dense, keyword in pairs
    )


def _chunkers() -> tuple[Variant, ...]:
    """Every strategy with the context that is in force, and without any."""
    strategies = get_args(ChunkStrategy)
    return (
        *_each("chunker", "chunk.strategy", strategies),
        *(
            Variant("chunker", f"{name}, no context", {"chunk.strategy": name, "chunk.context_tokens": 0})
            for name in strategies
        ),
    )


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


STACKED: Final = ("late_interaction", "cross_encoder")

AXES: Final[tuple[Variant, ...]] = (
    Variant("legs", "no keyword leg", {"retrieval.keyword_weight": 0.0, "retrieval.dense_weight": 1.0}),
    Variant("legs", "no dense leg", {"retrieval.dense_weight": 0.0, "retrieval.keyword_weight": 1.0}),
    *_each("fusion", "retrieval.fusion", ("rrf", "min_max", "dist_based")),
    *_weights((0.7, 0.3), (0.6, 0.4), (0.5, 0.5), (0.4, 0.6), (0.3, 0.7)),
    *_each("rrf_k", "retrieval.rrf_k", (10.0, 30.0, 60.0, 100.0)),
    *_each("pool", "retrieval.retrieve_k", (10, 20, 40, 80, 150)),
    *_each("merge", "merge.enabled", (True, False)),
    *_each("merge", "merge.grow", (True, False)),
    *_each("merge", "merge.threshold", (0.3, 0.5, 0.7)),
    *_each("rerank", "rerank.kind", ("none", "late_interaction", "cross_encoder", STACKED)),
    *_each("rerank_weight", "rerank.weight", (0.25, 0.5, 0.75, 1.0)),
    *_each("k1", "keywords.k1", (0.9, 1.2, 1.5, 2.0)),
    *_each("b", "keywords.b", (0.4, 0.6, 0.75, 0.9)),
    *_each("context", "chunk.context_tokens", (0, 24, 48, 96)),
    *_each("leaf", "chunk.leaf_tokens", (64, 96, 128, 192, 256)),
    *_each("overlap", "chunk.leaf_overlap_tokens", (0, 16, 32)),
    *_each("parents", "chunk.parent_tokens", ((), (256,), (512,), (512, 1024))),
    *_chunkers(),
)
"""Every choice tried by default; the one that is in force already is left out of a run. The last five cut the
documents anew, and the vectors of passages that are new are computed; all others ask the same index."""


def variants(
    base: Settings, axes: Sequence[str], varied: Sequence[str]
) -> Iterator[tuple[Variant, Settings]]:
    """The choices to try and the settings they make, without those of `AXES` that change nothing or
    contradict the base, as parents of 256 tokens do where leaves have as many.

    Args:
        axes: which of `AXES`; empty means all of them, or none where `varied` says what to try.
        varied: further choices as `KEY=[VALUE, …]`.

    Raises:
        UsageError: there is no such axis, or a choice cannot be read.
        SettingsError: a value of `varied` is out of range.
    """
    known = dict.fromkeys(variant.axis for variant in AXES)
    for axis in axes:
        if axis not in known:
            raise UsageError(f"--axis {axis}: there is none. Known: {', '.join(known)}.")
    chosen = [variant for variant in AXES if variant.axis in axes or not (axes or varied)]
    for variant in chosen:
        with suppress(SettingsError):
            settings = overlay_settings(base, variant.overlay)
            if settings != base and _can_run(settings) and _matters(variant, settings):
                yield variant, settings
    for variant in (item for text in varied for item in _own(text)):
        settings = overlay_settings(base, variant.overlay)
        if settings != base:
            yield variant, settings


def _can_run(settings: Settings) -> bool:
    """A cross-encoder needs a model; where the settings name none there is nothing to try."""
    return "cross_encoder" not in settings.rerank.kinds or settings.models.reranker.model is not None


def _matters(variant: Variant, settings: Settings) -> bool:
    """Whether the choice reaches anything: rrf_k plays a part in fusion by ranks alone, the weight of late
    interaction where there is such."""
    if variant.axis == "rerank_weight":
        return "late_interaction" in settings.rerank.kinds
    return variant.axis != "rrf_k" or settings.retrieval.fusion == "rrf"


def _own(text: str) -> tuple[Variant, ...]:
    key, equals, written = text.partition("=")
    try:
        values = yaml.safe_load(written) if key and equals else None
    except yaml.YAMLError:
        values = None
    if not isinstance(values, list) or not values:
        raise UsageError(f"--vary {text!r}: wanted KEY=[VALUE, VALUE], as in 'retrieval.rrf_k=[10, 30]'.")
    return _each(key, key, values)
