"""Two settings to ask under: the defaults as they are, and some that are written out and stay.

A changed default changes the traces of the `default` questions, as it should, and none of the `fixed` ones.
No settings file and no environment variable plays a part.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eval.golden.types import Variant
from prism import Settings

FIXED: Final[Mapping[str, Mapping[str, Any]]] = {
    # Unequal, so that swapped weights show.
    "retrieval": {
        "k": 5,
        "retrieve_k": 40,
        "fusion": "rrf",
        "rrf_k": 60.0,
        "dense_weight": 0.6,
        "keyword_weight": 0.4,
        "max_per_document": 0,
        "close_share": 0.1,
    },
    "merge": {"enabled": True, "threshold": 0.5, "grow": True, "context_tokens": 1800},
    "rerank": {"kind": "none", "weight": 0.4, "cross_encoder_leaves": 20},
    "gate": {
        "enabled": True,
        "threshold": 0.25,
        # Holds under all models, and is not made anew with the packaged one.
        "calibration": Path(__file__).with_name("calibration.json"),
    },
    "answer": {"max_quotes": 3, "quote_ratio": 0.8},
    "conversation": {"window_turns": 10},
    "keywords": {"k1": 1.5, "b": 0.75},
    "vectors": {"hnsw_m": 32, "ef_construction": 200, "ef_search": 150},
    "chunk": {
        "strategy": "hierarchical",
        "leaf_tokens": 128,
        "parent_tokens": (512, 1024),
        "leaf_overlap_tokens": 0,
        "recursive_chars": 500,
        "recursive_overlap_chars": 50,
        "fixed_tokens": 256,
        "fixed_overlap_tokens": 64,
        "semantic_percentile": 95.0,
        "semantic_min_tokens": 48,
        "semantic_max_tokens": 192,
        "semantic_buffer": 0,
        "context_tokens": 48,
    },
}
"""Every key of the sections that shape what is found and answered."""


def variant_settings(variant: Variant, storage: Path) -> Settings:
    """Ready settings over a storage folder, with nothing sent anywhere: documents are quoted."""
    common = {
        "storage": {"path": storage},
        "privacy": {"remote_models": "deny"},
        # Sums are then taken in one order; and on a busy machine threads wait for each other, thrice as long.
        "models": {"embedder": {"threads": 1}},
    }
    return Settings.model_validate({**common, **(FIXED if variant == "fixed" else {})})
