"""What must hold of any document under every strategy."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from prism.ingest.chunk import CHUNKERS
from prism.ingest.chunkers.protocol import Tools
from prism.settings import ChunkSettings, ChunkStrategy
from prism.types import BlockSpan, PageSpan, SectionSpan, SourceText, TableSpan
from tests.chunked import TOOLS, check_spans, is_one_grapheme, plain, sheet, words
from tests.fakes import LetterEmbedder

SETTINGS = ChunkSettings(
    leaf_tokens=16,
    parent_tokens=(32, 64),
    recursive_chars=60,
    recursive_overlap_chars=12,
    fixed_tokens=16,
    fixed_overlap_tokens=4,
    semantic_min_tokens=4,
    semantic_max_tokens=16,
)
every_strategy = pytest.mark.parametrize("strategy", sorted(CHUNKERS))

ALPHABET = st.one_of(
    st.sampled_from("ab. \n\t।。高客👨\u200d👩\u0301\u093e\u200b!?7,|;:#-اب؟۔ไเกำ🇮🇳"),
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"),
)
LINES = st.sampled_from(
    [
        "Leave and notice",
        "fee: 12; cap: 40",
        "a | b | c",
        "- item one",
        "x = 1",
        "Staff get ten days. Pay is due.",
    ]
)
TEXTS = st.one_of(
    st.text(ALPHABET, max_size=300),
    st.lists(st.one_of(LINES, st.text(ALPHABET, max_size=40)), max_size=14).map("\n".join),
)


@st.composite
def documents(draw: st.DrawFn) -> SourceText:
    text = draw(TEXTS)
    place = st.integers(0, len(text))
    spans = st.lists(st.tuples(place, place).map(sorted), max_size=4).map(sorted)
    starts = draw(st.lists(place, max_size=5).map(sorted))
    lines = [text[start:].strip().split("\n")[0] for start in starts]
    sections = [
        SectionSpan(start, (draw(st.sampled_from([line, "Elsewhere"])),))
        for start, line in zip(starts, lines, strict=True)
    ]
    cuts = [0, *draw(st.lists(place, max_size=4).map(sorted)), len(text)]
    label = draw(st.sampled_from(["{}", "row {}", "Fees row {}"]))
    return SourceText(
        text,
        "title",
        "text/plain",
        tuple(PageSpan(1, label.format(at), start, end) for at, (start, end) in enumerate(pairwise(cuts), 1)),
        sections=tuple(sections),
        tables=tuple(TableSpan(start, end, "a | b") for start, end in draw(spans)),
        blocks=tuple(
            BlockSpan(start, end, draw(st.sampled_from(["code", "list"]))) for start, end in draw(spans)
        ),
    )


@every_strategy
@given(source=documents(), count=st.sampled_from([len, words]), overlap=st.integers(0, 4))
def test_offsets_are_true_in_order_within_their_caps_and_leave_nothing_out(
    strategy: ChunkStrategy, source: SourceText, count, overlap: int
) -> None:
    settings = SETTINGS.model_copy(
        update={
            "leaf_overlap_tokens": overlap,
            "fixed_overlap_tokens": overlap,
            "recursive_overlap_chars": overlap,
        }
    )
    tools = Tools(count, 20, LetterEmbedder().embed)
    levels = CHUNKERS[strategy](source, settings, tools)
    check_spans(source.text, levels)
    for leaf in levels[-1]:
        fits = leaf.end - leaf.start <= 60 if strategy == "recursive" else leaf.tokens <= 16
        is_row = leaf.tokens <= 20
        assert fits or is_row or is_one_grapheme(source.text, leaf)


@every_strategy
def test_the_same_document_is_cut_alike_every_time(strategy: ChunkStrategy) -> None:
    source = plain("The cap is ten. Pay by Friday. Zebras graze. Owls hoot at night.\n\n" * 9)
    first, again = (CHUNKERS[strategy](source, SETTINGS, TOOLS) for _ in range(2))
    assert first == again


@every_strategy
def test_chk_06_and_07_repeated_text_takes_each_its_own_place_in_the_document(
    strategy: ChunkStrategy,
) -> None:
    text = "".join(f"{('Same line here.', 'Pay by Friday.', 'See it.')[n % 3]}\n" for n in range(300))
    leaves = CHUNKERS[strategy](plain(text), SETTINGS, TOOLS)[-1]
    starts = [leaf.start for leaf in leaves]
    assert starts == sorted(set(starts))
    assert (leaves[0].start, leaves[-1].end) == (0, len(text) - 1)
    assert len(leaves) > 20


@every_strategy
def test_chk_04_what_cannot_be_cut_is_passed_whole_and_the_rest_is_cut(strategy: ChunkStrategy) -> None:
    family = "👨‍👩‍👧‍👦"
    text = "고객" * 200 + family * 60
    leaves = CHUNKERS[strategy](plain(text), SETTINGS, Tools(len, 20, LetterEmbedder().embed))[-1]
    pieces = regex.findall(r"\X", text)
    assert [mark for leaf in leaves for mark in regex.findall(r"\X", text[leaf.start : leaf.end])][
        :50
    ] == pieces[:50]
    assert max(leaf.end - leaf.start for leaf in leaves) <= 60


@every_strategy
def test_chk_12_blank_stretches_make_no_chunk(strategy: ChunkStrategy) -> None:
    assert CHUNKERS[strategy](plain(""), SETTINGS, TOOLS)[-1] == ()
    assert CHUNKERS[strategy](plain(" \n\t\u200b\ufeff\u00a0 \n"), SETTINGS, TOOLS)[-1] == ()
    text = "One\n\n \u200b \n\nTwo\n\n" + " \n" * 9 + "Some words follow here."
    source = plain(text, sections=(SectionSpan(0, ("One",)), SectionSpan(text.index("Two"), ("Two",))))
    pieces = [text[leaf.start : leaf.end] for leaf in CHUNKERS[strategy](source, SETTINGS, TOOLS)[-1]]
    assert all(piece.strip("\u200b \n") not in ("", "One", "Two") for piece in pieces)


@every_strategy
def test_chk_08_hindi_is_cut_after_its_stop(strategy: ChunkStrategy) -> None:
    sentence = "यह नियम सभी पर लागू है।"
    for joint in ("", " ", "\n"):
        text = joint.join([sentence] * 40)
        settings = SETTINGS.model_copy(
            update={"fixed_tokens": 6, "fixed_overlap_tokens": 0, "recursive_overlap_chars": 0}
        )
        leaves = CHUNKERS[strategy](plain(text), settings, TOOLS)[-1]
        assert len(leaves) >= 10
        assert all(text[leaf.start : leaf.end].endswith("।") for leaf in leaves)


@every_strategy
@pytest.mark.parametrize(
    "sentence",
    [
        "本公司员工每年享有十五天带薪年假。",
        "彼は「休暇は十五日です。」と言いました。",
        "พนักงานทุกคนมีสิทธิลาพักร้อนปีละสิบห้าวันเก้าเดือนไม่เกินเวลาทำงาน",
        "ဝန်ထမ်းတိုင်းခွင့်ရက်ရှိသည်။",
    ],
    ids=["Chinese", "Japanese", "Thai", "Burmese"],
)
def test_chk_09_scripts_without_spaces_keep_to_the_cap(strategy: ChunkStrategy, sentence: str) -> None:
    text = sentence * 300
    settings = SETTINGS.model_copy(update={"recursive_overlap_chars": 0, "fixed_overlap_tokens": 0})
    leaves = CHUNKERS[strategy](plain(text), settings, Tools(len, 20, LetterEmbedder().embed))[-1]
    pieces = [text[leaf.start : leaf.end] for leaf in leaves]
    assert max(map(len, pieces)) <= 60
    assert "".join(pieces) == text
    broken = regex.compile(r"[เแโใไ]$|^\p{M}|^[ะาำๅ]")
    assert not any(broken.search(piece) for piece in pieces)


@every_strategy
def test_a_row_of_a_sheet_is_never_cut(strategy: ChunkStrategy) -> None:
    rows = [
        f"item: Fee {number} of the bank; amount: {number}; due: every month by the tenth"
        for number in range(40)
    ]
    source = sheet(rows)
    leaves = CHUNKERS[strategy](source, SETTINGS, TOOLS)[-1]
    for leaf in leaves:
        assert set(source.text[leaf.start : leaf.end].split("\n")) <= set(rows)
    assert {row for leaf in leaves for row in source.text[leaf.start : leaf.end].split("\n")} == set(rows)


@every_strategy
def test_a_row_longer_than_the_embedder_reads_is_cut_between_cells(strategy: ChunkStrategy) -> None:
    cells = [f"column {number}: a value of some words; and more" for number in range(12)]
    source = sheet(["; ".join(cells)])
    leaves = CHUNKERS[strategy](source, SETTINGS, TOOLS)[-1]
    assert len(leaves) > 1
    assert all(source.text[leaf.start :].startswith("column ") for leaf in leaves)


@every_strategy
def test_a_chunk_never_ends_with_a_heading(strategy: ChunkStrategy) -> None:
    parts, sections, length = [], [], 0
    for number in range(60):
        heading = f"Heading number {number} of many"
        body = " ".join(f"Word{number} is here." for _ in range(number % 9 + 1))
        sections.append(SectionSpan(length, (heading,)))
        parts.append(f"{heading}\n\n{body}\n\n")
        length += len(parts[-1])
    source = plain("".join(parts), sections=tuple(sections))
    for level in CHUNKERS[strategy](source, SETTINGS, TOOLS):
        for chunk in level:
            assert not source.text[chunk.start : chunk.end].endswith("of many")


@every_strategy
@pytest.mark.parametrize("kind", ["code", "list"])
def test_a_block_is_whole_where_it_fits(strategy: ChunkStrategy, kind) -> None:
    block = (
        "- call one. Now.\n- call two.\n- call three." if kind == "list" else "a = 1. \n\nb = 2. Yes\nc = 3"
    )
    before = "Some words come first here. " * 3
    text = f"{before}\n\n{block}\n\n" + "Other words come after it. " * 9
    start = text.index(block)
    source = plain(text, blocks=(BlockSpan(start, start + len(block), kind),))
    leaves = CHUNKERS[strategy](source, SETTINGS, TOOLS)[-1]
    assert any(leaf.start <= start and start + len(block) <= leaf.end for leaf in leaves)
