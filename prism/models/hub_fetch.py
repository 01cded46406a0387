"""A program of its own that fetches one model from a hub: `python hub_fetch.py NAME`.

It alone is online (see `offline.py`), and is run as a file so that nothing else of Prism is in it. Weights
are fetched as safetensors only: other formats can carry code.
"""

from __future__ import annotations

import sys

PATTERNS = ("*.json", "*.txt", "*.model", "*.safetensors")
UNWANTED = ("onnx/*", "openvino/*")
"""The same weights again, for other runtimes."""


def main(name: str) -> int:
    """Fetch the model into the hub's cache on this machine; 1 where that failed, the reason on stderr."""
    from huggingface_hub import snapshot_download

    try:
        snapshot_download(name, allow_patterns=list(PATTERNS), ignore_patterns=list(UNWANTED), token=False)
    except Exception as error:  # noqa: BLE001 - whatever it was, the process that started this one tells it
        print(f"{type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
