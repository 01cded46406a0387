"""The chunking cases (CHK-…) and every strategy, through the public API with the real embedder and stores."""

from __future__ import annotations

from pathlib import Path

import chromadb
import pytest
import regex
from chromadb.config import Settings as ChromaSettings
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

from prism import Prism
from prism.llamaindex.vector_store import CosineChromaVectorStore
from prism.settings import ChunkStrategy
from prism.types import LEAF_LEVEL, Node
from tests.integration.conftest import OpenPrism
from tests.shelf import KEYWORD_ALONE, id_of, write

STRATEGIES: tuple[ChunkStrategy, ...] = ("hierarchical", "recursive", "fixed", "semantic")
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)

DEEP = (
    "मानव संसाधन/नीतियाँ और प्रक्रियाएँ/अवकाश तथा अनुपस्थिति/वित्"
    "तीय वर्ष दो हज़ार छब्बीस/कर्मचारी पुस्तिका का अंतिम संस्करण."
    "txt"
)
SENTENCE = "Clause {} of the handbook says that travel claims are paid within {} working days. "
HANDBOOK = "".join(SENTENCE.format(number, number + 7) for number in range(60))


def nodes_of(prism: Prism, name: str) -> list[Node]:
    """All nodes of a document as they are stored."""
    catalogue = prism._storage.catalogue
    identity = id_of(prism, name)
    live = catalogue.live(identity)
    assert live is not None
    active = {identity: live.generation}
    return [item.node for item in catalogue.nodes.get(catalogue.nodes.node_ids(active), active).values()]


def leaves_of(prism: Prism, name: str) -> list[Node]:
    leaves = [node for node in nodes_of(prism, name) if node.level == LEAF_LEVEL]
    return sorted(leaves, key=lambda node: node.ordinal)


def text_of(prism: Prism, name: str) -> str:
    return "".join(page.text for page in [prism.page(id_of(prism, name), 1)])


# ── every strategy, end to end ──────────────────────────────────────────────────────────────────


@every_strategy
def test_a_question_is_answered_and_cited_under_every_strategy(open_prism: OpenPrism, tmp_path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    zebra = "The zebra allowance of the wildlife office is 4,321 rupees a month."
    prism.ingest(write(tmp_path / "files", {"book.txt": f"{HANDBOOK}\n\n{zebra}\n\n{HANDBOOK}"}))
    stored = text_of(prism, "book.txt")
    nodes = nodes_of(prism, "book.txt")
    assert ({node.level for node in nodes} == {LEAF_LEVEL}) == (strategy != "hierarchical")
    assert all(stored[node.start : node.end] == node.text for node in nodes)
    assert prism.status().consistent

    answer = prism.ask("What is the zebra allowance of the wildlife office?")
    assert not answer.abstained
    assert "4,321" in answer.text
    (citation, *_) = answer.citations
    assert stored[citation.quote_start : citation.quote_end] == citation.quote
    assert "4,321" in citation.quote


@every_strategy
def test_ret_16_a_passage_is_hit_once_at_leaf_level_under_every_strategy(open_prism, tmp_path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    prism.ingest(write(tmp_path / "files", {f"{number}.txt": HANDBOOK for number in range(3)}))
    for engine in (prism, prism.with_settings(**KEYWORD_ALONE)):
        found = engine.retrieve("travel claims", 30, leaves=True).passages
        assert len({passage.node_id for passage in found}) == len(found) > 3
        assert all(passage.leaf_ids == (passage.node_id,) for passage in found)


def test_another_strategy_cuts_the_document_anew_at_the_next_ingest(open_prism: OpenPrism, tmp_path: Path):
    sources = write(tmp_path / "files", {"book.txt": HANDBOOK})
    prism = open_prism()
    prism.ingest(sources)
    prism.close()
    prism = open_prism({"chunk.strategy": "recursive"})
    (file,) = prism.ingest(sources).files
    assert file.status == "updated"
    assert all(len(leaf.text) <= 500 for leaf in leaves_of(prism, "book.txt"))
    (file,) = prism.ingest(sources).files
    assert file.status == "unchanged"


# ── the cases ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sizes", [{"chunk.leaf_tokens": 128, "chunk.parent_tokens": [256, 512]}, {}])
def test_chk_01_and_02_a_deep_folder_with_a_long_name_changes_no_chunk(open_prism, tmp_path, sizes):
    prism = open_prism(sizes)
    report = prism.ingest(write(tmp_path / "files", {DEEP: HANDBOOK, "a.txt": HANDBOOK}))
    assert [file.status for file in report.files] == ["added", "added"]
    deep, short = leaves_of(prism, DEEP), leaves_of(prism, "a.txt")
    assert [leaf.text for leaf in deep] == [leaf.text for leaf in short]
    most = prism.settings.chunk.context_tokens
    assert all(prism._models.embedder.token_count(leaf.context) <= most for leaf in deep)


@every_strategy
def test_chk_04_units_that_cannot_be_cut_are_indexed(open_prism: OpenPrism, tmp_path: Path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    text = "고객" * 3000 + "👨‍👩‍👧‍👦" * 500
    (file,) = prism.ingest(write(tmp_path / "files", {"units.txt": text})).files
    assert file.status == "added"
    leaves = leaves_of(prism, "units.txt")
    assert len(leaves) > 10
    assert regex.findall(r"\X", "".join(leaf.text for leaf in leaves))[:20] == regex.findall(r"\X", text)[:20]


@every_strategy
def test_chk_06_a_repeated_line_is_cited_where_each_stands(open_prism: OpenPrism, tmp_path: Path, strategy):
    prism = open_prism({"chunk.strategy": strategy, "chunk.leaf_overlap_tokens": 10})
    lines = ["The daily allowance is paid.", "Claims are due on Friday.", "Keep every receipt for a year."]
    text = "\n".join(lines[number % 3] for number in range(300))
    prism.ingest(write(tmp_path / "files", {"lines.txt": text}))
    leaves = leaves_of(prism, "lines.txt")
    starts = [leaf.start for leaf in leaves]
    assert starts == sorted(set(starts))
    assert leaves[-1].end == len(text)
    assert all(text[leaf.start : leaf.end] == leaf.text for leaf in leaves)


@every_strategy
def test_chk_07_offsets_are_those_of_the_document_at_every_level(open_prism, tmp_path: Path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    text = "".join(f"Sentence {number} of six hundred says so. " for number in range(600)).strip()
    prism.ingest(write(tmp_path / "files", {"long.txt": text}))
    nodes = nodes_of(prism, "long.txt")
    assert len(nodes) > 20
    assert all(text[node.start : node.end] == node.text for node in nodes)


@pytest.mark.parametrize("gap", ["", " "])
@pytest.mark.parametrize("strategy", ["hierarchical", "recursive", "semantic"])
def test_chk_08_hindi_is_cut_after_the_danda(open_prism: OpenPrism, tmp_path: Path, strategy, gap: str):
    prism = open_prism({"chunk.strategy": strategy})
    sentence = "कर्मचारियों को प्रति वर्ष {} दिन का अवकाश मिलता है और उसका नोटिस पहले देना होता है।"
    text = gap.join(sentence.format(number) for number in range(1, 120))
    prism.ingest(write(tmp_path / "files", {"hindi.txt": text}))
    leaves = leaves_of(prism, "hindi.txt")
    assert len(leaves) > 5
    assert all(leaf.text.endswith("।") for leaf in leaves)


@pytest.mark.parametrize("strategy", ["hierarchical", "recursive", "semantic"])
def test_chk_09_chinese_is_cut_at_its_full_stop(open_prism: OpenPrism, tmp_path: Path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    text = "".join(f"本公司第{number}条规定员工每年享有十五天带薪年假。" for number in range(450))
    assert len(text) > 10_500
    prism.ingest(write(tmp_path / "files", {"chinese.txt": text}))
    leaves = leaves_of(prism, "chinese.txt")
    assert all(leaf.text.endswith("。") for leaf in leaves)
    cap = 500 if strategy == "recursive" else 192 if strategy == "semantic" else 128
    assert max(len(leaf.text) for leaf in leaves) <= cap


@every_strategy
def test_chk_09_thai_is_cut_at_its_spaces_and_never_in_a_cluster(open_prism, tmp_path: Path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    phrase = "พนักงานทุกคนมีสิทธิลาพักร้อนปีละสิบห้าวันและเก็บวันลาไว้ได้"
    spaced, solid = " ".join([phrase] * 90), phrase * 90
    prism.ingest(write(tmp_path / "files", {"spaced.txt": spaced, "solid.txt": solid}))
    for name in ("spaced.txt", "solid.txt"):
        leaves = leaves_of(prism, name)
        assert len(leaves) > 5
        assert max(len(leaf.text) for leaf in leaves) <= 256 * 5
        assert not any(regex.search(r"[เแโใไ]$|^[\p{M}ะาำๅ]", leaf.text) for leaf in leaves)
    if strategy in ("hierarchical", "semantic"):
        assert all(leaf.text.endswith("ได้") for leaf in leaves_of(prism, "spaced.txt"))


@every_strategy
def test_chk_10_every_piece_of_a_long_table_has_its_header(open_prism: OpenPrism, tmp_path: Path, strategy):
    prism = open_prism({"chunk.strategy": strategy})
    rows = [f"| Fee {number} | {number * 10 + 1} rupees | branch {number % 7} |" for number in range(1, 81)]
    table = "\n".join(["| charge | amount | office |", "|---|---|---|", *rows])
    prism.ingest(write(tmp_path / "files", {"fees.md": f"# Fees\n\n{table}\n\nAll fees are final.\n"}))
    leaves = [leaf for leaf in leaves_of(prism, "fees.md") if "Fee " in leaf.text]
    assert len(leaves) > 1
    for leaf in leaves:
        assert leaf.header == "charge | amount | office"
        assert regex.match(r"Fees\s+charge|charge \||Fee \d+ \|", leaf.text)
    found = next(
        passage
        for passage in prism.retrieve("What amount is charged for Fee 70?").passages
        if "Fee 70 | 701 rupees | branch 0" in passage.text.split("\n")
    )
    assert found.header == "charge | amount | office"


def test_chk_12_a_blank_chunk_is_dropped_before_embedding(open_prism: OpenPrism, tmp_path: Path):
    prism = open_prism()
    text = "# One\n\n \u200b \n\n# Two\n\nThe limit is ten thousand rupees a day.\n"
    (file,) = prism.ingest(write(tmp_path / "files", {"blank.md": text})).files
    assert (file.status, file.chunks) == ("added", 1)
    assert leaves_of(prism, "blank.md")[0].text.startswith("One")


def test_chk_13_twelve_chunks_of_one_document_are_twelve_after_a_second_run(open_prism, tmp_path: Path):
    prism = open_prism({"chunk.strategy": "recursive"})
    text = "\n\n".join("".join(SENTENCE.format(n, m) for m in range(5)).strip() for n in range(12))
    sources = write(tmp_path / "files", {"twelve.txt": text})
    prism.ingest(sources)
    assert len(leaves_of(prism, "twelve.txt")) == 12
    prism.ingest(sources)
    assert prism.status().active_leaves == prism.status().vectors == 12


def test_chk_13_ready_made_chunks_of_one_document_all_stay_in_the_store(tmp_path: Path):
    client = chromadb.PersistentClient(
        path=str(tmp_path), settings=ChromaSettings(anonymized_telemetry=False)
    )
    collection = client.create_collection(
        "nodes", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    store = CosineChromaVectorStore(collection, batch_size=client.get_max_batch_size())
    chunks = [
        TextNode(
            id_=f"chunk-{number}",
            text=f"chunk {number}",
            embedding=[1.0, number],
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id="one document")},
        )
        for number in range(12)
    ]
    for _ in range(2):
        store.add(chunks)
        assert collection.count() == 12
    client.close()
