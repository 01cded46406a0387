"""Size: how long a text is, in the unit leaves and parents are measured by.

The embedder's own tokens, where it can read the text. An English model cuts a Hindi word into single letters,
though: measured so, a leaf would hold 28 Hindi words instead of 100, too few to be found by. Text that the
embedder cannot read, for its script or for words it does not know, is measured in pieces of up to five
letters, as multilingual tokenizers cut them on average; Han characters count one each. On XQuAD Hindi this
took keyword search over leaves from nDCG@10 .936 to .952 (docs/keywords.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import regex

from prism.ingest.chunkers.protocol import Tools
from prism.models.protocols import Embedder, Vectors
from prism.settings import ChunkSettings

SPECIAL_TOKENS: Final = 2
"""What a model puts around a text: [CLS] and [SEP]."""

_PIECE = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}]|[[\p{L}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}]]{1,5}"
    r"|\p{N}{1,3}|[^\s\p{L}\p{M}\p{N}]",
    regex.V1,
)


def size_tokens(text: str, embedder: Embedder) -> Sequence[str]:
    """The tokens a text is measured in; only their number matters."""
    return embedder.tokenize(text) if embedder.can_read(text) else _PIECE.findall(text)


def chunk_tools(
    embedder: Embedder, settings: ChunkSettings, check: Callable[[], None] = lambda: None
) -> Tools:
    """What chunkers measure and compare with.

    Args:
        check: called before sentences are embedded, to stop a job that was cancelled.
    """

    def embed(texts: Sequence[str]) -> Vectors:
        check()
        return embedder.embed(texts)

    return Tools(
        count_tokens=lambda text: len(size_tokens(text, embedder)),
        window_tokens=embedder.max_tokens - SPECIAL_TOKENS - settings.context_tokens,
        embed=embed,
    )
