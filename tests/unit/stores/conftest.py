"""A catalogue in a temporary folder, documents of two leaves under one parent, and a whole folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prism.settings import Settings, load_settings
from prism.stores.catalogue import Catalogue
from prism.stores.database import Database
from prism.stores.nodes import StoredNode
from prism.stores.storage import Storage
from prism.types import Node, PageSpan, SourceText

Build = Callable[..., int]
Open = Callable[[], Storage]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "store" / "catalogue.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def catalogue(database: Database) -> Catalogue:
    return Catalogue(database)


@pytest.fixture
def begin(catalogue: Catalogue) -> Build:
    """`begin(document_id, text)` opens a build; the text lies on two pages, cut after its first word."""

    def run(document_id: str, text: str = "alpha beta", *, workspace: str = "default") -> int:
        cut = text.index(" ") + 1
        return catalogue.begin(
            document_id,
            workspace=workspace,
            source_key=f"{document_id}.txt",
            version=f"version of {text}",
            content_hash=text.encode().hex(),
            size_bytes=len(text),
            loaded=SourceText(
                text=text,
                title=document_id.title(),
                media_type="text/plain",
                pages=(PageSpan(1, "i", 0, cut), PageSpan(2, "ii", cut, len(text))),
                warnings=("guessed the encoding",),
            ),
        )

    return run


@pytest.fixture
def build(catalogue: Catalogue, begin: Build) -> Build:
    """`begin`, and nodes: leaves `<id>-<generation>-0` and `-1` under the parent `<id>-<generation>-p`."""

    def run(document_id: str, text: str = "alpha beta", *, workspace: str = "default") -> int:
        generation = begin(document_id, text, workspace=workspace)
        stem = f"{document_id}-{generation}"
        cut = text.index(" ") + 1

        def node(name: str, level: int, ordinal: int, start: int, end: int) -> Node:
            parent = None if level else f"{stem}-p"
            words = text[start:end]
            return Node(
                f"{stem}-{name}",
                document_id,
                generation,
                level,
                ordinal,
                parent,
                start,
                end,
                words,
                tokens=len(words.split()),
            )

        catalogue.nodes.add(
            [
                StoredNode(node("p", 1, 0, 0, len(text)), leaves=2),
                StoredNode(node("0", 0, 0, 0, cut), leaves=1),
                StoredNode(node("1", 0, 1, cut, len(text)), leaves=1),
            ],
            {f"{stem}-0": text[:cut].split(), f"{stem}-1": text[cut:].split()},
        )
        return generation

    return run


@pytest.fixture
def show(catalogue: Catalogue, build: Build) -> Build:
    """`build`, made visible."""

    def run(document_id: str, text: str = "alpha beta", *, workspace: str = "default") -> int:
        generation = build(document_id, text, workspace=workspace)
        catalogue.activate(document_id, generation)
        return generation

    return run


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(overlay={"storage.path": tmp_path / "store"}, environ={})


@pytest.fixture
def opened(settings: Settings) -> Iterator[Open]:
    """Opens the folder anew, closing it first when it is open."""
    at_hand: list[Storage] = []

    def run() -> Storage:
        while at_hand:
            at_hand.pop().close()
        at_hand.append(Storage(settings))
        return at_hand[0]

    yield run
    while at_hand:
        at_hand.pop().close()
