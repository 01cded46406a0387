"""Every strategy on every real file that can be read: `$PRISM_DATA/realfiles`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import regex

from prism.errors import SourceError
from prism.ingest.chunk import CHUNKERS
from prism.ingest.chunkers.protocol import Tools
from prism.ingest.clean import clean
from prism.ingest.load import load, read
from prism.settings import ChunkSettings, ReadSettings
from prism.text.pack import Chunk
from prism.types import Source, SourceText
from tests.chunked import check_spans, is_one_grapheme, words
from tests.fakes import LetterEmbedder

DATA = os.environ.get("PRISM_DATA", "")
FOLDER = Path(DATA) / "realfiles"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (DATA and FOLDER.is_dir()), reason="PRISM_DATA names no folder with realfiles"),
]

WINDOW_TOKENS = 206
READ = ReadSettings(ocr="off")


@cache
def documents() -> tuple[SourceText, ...]:
    return tuple(_documents())


def _documents() -> Iterator[SourceText]:
    for file in sorted(FOLDER.rglob("*")):
        if file.is_file() and file.name not in ("manifest.jsonl", "README.txt"):
            source = Source(file, file.name)
            try:
                yield clean(load(source, read(source, READ), READ))
            except SourceError:
                continue


@pytest.mark.parametrize("strategy", sorted(CHUNKERS))
def test_offsets_are_true_caps_are_kept_and_nothing_is_left_out(strategy):
    settings = ChunkSettings(strategy=strategy)
    tools = Tools(words, WINDOW_TOKENS, LetterEmbedder().embed)
    cap = {
        "hierarchical": settings.leaf_tokens,
        "fixed": settings.fixed_tokens,
        "semantic": settings.semantic_max_tokens,
    }
    read_well = [source for source in documents() if source.text.strip()]
    assert len(read_well) > 50
    for source in read_well:
        levels = CHUNKERS[strategy](source, settings, tools)
        check_spans(source.text, levels)
        for leaf in levels[-1]:
            fits = leaf.end - leaf.start <= 500 if strategy == "recursive" else leaf.tokens <= cap[strategy]
            is_row = leaf.tokens <= WINDOW_TOKENS and _touches_a_row(source, leaf)
            assert fits or is_row or is_one_grapheme(source.text, leaf), source.title


def _touches_a_row(source: SourceText, leaf: Chunk) -> bool:
    rows = [*source.tables, *(page for page in source.pages if regex.search(r"\brow \d+$", page.label))]
    return any(row.start < leaf.end and leaf.start < row.end for row in rows)
