"""Keep the heavy libraries off the network. Call `stay_offline()` before importing any of them.

Hugging Face libraries read their switches once, on import; Chroma and Gradio read theirs when they
start. A value that is already set is respected: it belongs to the application Prism runs in. Even then
nothing is fetched, because every model is loaded from a folder with `local_files_only`.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping

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


def stay_offline(environ: MutableMapping[str, str] | None = None) -> None:
    """Set the offline switches that are not set yet (in the process environment by default)."""
    target = os.environ if environ is None else environ
    for name, value in OFFLINE_ENVIRONMENT.items():
        target.setdefault(name, value)
