from __future__ import annotations

from collections.abc import Sequence

import pytest

from prism.ingest.chunk import chunk
from prism.settings import ChunkSettings
from prism.types import Node
from tests.chunked import TOOLS, plain

SENTENCES = " ".join(f"Rule {number} sets limit {number * 7} for all." for number in range(40))
SETTINGS = ChunkSettings(leaf_tokens=16, parent_tokens=(32, 64))


def cut(text: str, *, generation: int = 1, settings: ChunkSettings = SETTINGS) -> tuple[Node, ...]:
    return chunk(
        plain(text),
        document_id="doc",
        version="v",
        generation=generation,
        settings=settings,
        tools=TOOLS,
    )


def level(nodes: Sequence[Node], number: int) -> list[Node]:
    return [node for node in nodes if node.level == number]


def test_chk_07_every_node_is_its_stretch_of_the_document() -> None:
    nodes = cut(SENTENCES)
    assert {node.level for node in nodes} == {0, 1, 2}
    for node in nodes:
        assert SENTENCES[node.start : node.end] == node.text


def test_chk_06_repeated_text_gets_the_place_of_each_repetition() -> None:
    text = "\n".join(["Same line here again."] * 60)
    leaves = level(cut(text), 0)
    starts = [leaf.start for leaf in leaves]
    assert starts == sorted(set(starts))
    assert leaves[-1].end == len(text)


def test_every_node_knows_its_tokens() -> None:
    assert all(node.tokens == len(node.text.split()) for node in cut(SENTENCES))


def test_leaves_and_parents_keep_to_their_sizes() -> None:
    nodes = cut(SENTENCES)
    for number, tokens in ((0, 16), (1, 32), (2, 64)):
        assert all(len(node.text.split()) <= tokens for node in level(nodes, number))


def test_each_level_counts_from_0_and_points_at_the_level_above() -> None:
    nodes = cut(SENTENCES)
    by_id = {node.node_id: node for node in nodes}
    for number in (0, 1, 2):
        assert [node.ordinal for node in level(nodes, number)] == list(range(len(level(nodes, number))))
    for node in nodes:
        parent = by_id.get(node.parent_id or "")
        assert (parent is None) == (node.level == 2)
        if parent is not None:
            assert parent.level == node.level + 1
            assert parent.start <= node.start < node.end <= parent.end


def test_the_same_build_gives_the_same_ids_and_another_generation_others() -> None:
    first, again, later = cut(SENTENCES), cut(SENTENCES), cut(SENTENCES, generation=2)
    assert [node.node_id for node in first] == [node.node_id for node in again]
    assert not {node.node_id for node in first} & {node.node_id for node in later}
    assert len({node.node_id for node in first}) == len(first)


def test_a_short_text_is_one_node_a_level() -> None:
    nodes = cut("One line.")
    assert [(node.level, node.text) for node in nodes] == [
        (2, "One line."),
        (1, "One line."),
        (0, "One line."),
    ]


@pytest.mark.parametrize("text", ["", "  \n\n \t"])
def test_chk_12_a_blank_text_has_no_node(text: str) -> None:
    assert cut(text) == ()


def test_there_may_be_leaves_alone() -> None:
    nodes = cut(SENTENCES, settings=ChunkSettings(leaf_tokens=16, parent_tokens=()))
    assert {node.level for node in nodes} == {0}
    assert {node.parent_id for node in nodes} == {None}
