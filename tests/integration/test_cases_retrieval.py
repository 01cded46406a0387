"""The retrieval cases (RET-…), each through the public API with the real embedder and stores."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from prism import Prism, Scope, SearchError, StoreMismatchError
from prism.stores.keyword_view import KeywordView
from prism.stores.workspace_vectors import WorkspaceVectors
from prism.types import LEAF_LEVEL
from tests.fakes import LetterEmbedder
from tests.integration.conftest import OpenPrism, Shelf
from tests.shelf import DENSE_ALONE, FIVE_SENTENCES, KEYWORD_ALONE, first, id_of, names, only, texts, write

# ── small and empty stores ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("k", [1, 20, 50, 100])
@pytest.mark.parametrize("overlay", [{}, KEYWORD_ALONE, DENSE_ALONE], ids=["both", "keyword", "dense"])
@pytest.mark.parametrize("leaves", [False, True])
def test_ret_01_asking_for_more_hits_than_there_are_gives_what_there_is(single: Prism, k, overlay, leaves):
    found = single.with_settings(**overlay).retrieve("annual leave days", k, leaves=leaves)
    assert names(found) == ["leave.txt"]


@pytest.mark.parametrize("question", ["What is the daily limit?", "सीमा क्या है?", "年假", "0x80070005"])
def test_ret_02_a_fresh_install_says_that_there_are_no_documents(open_prism: OpenPrism, question):
    prism = open_prism()
    for engine in (prism, prism.with_settings(**KEYWORD_ALONE), prism.with_settings(**DENSE_ALONE)):
        found = engine.retrieve(question)
        answer = engine.ask(question)
        assert found.passages == ()
        assert any("No documents yet" in notice.message for notice in found.notices)
        assert answer.abstained
        assert answer.citations == ()
        assert any("No documents yet" in notice.message for notice in answer.notices)


def test_ret_02_deleting_the_last_document_is_like_a_fresh_install(shelf: Shelf):
    prism = shelf({"leave.txt": "Employees get 24 days of annual leave."})
    prism.purge(id_of(prism, "leave.txt"))
    answer = prism.ask("How much annual leave?")
    assert answer.abstained
    assert any("No documents yet" in notice.message for notice in answer.notices)


def test_ret_20_an_empty_store_gives_no_hits_and_a_tiny_one_its_one_hit(open_prism: OpenPrism, tmp_path):
    prism = open_prism()
    assert prism.retrieve("limit", 50).passages == ()
    prism.ingest(write(tmp_path, {"one.txt": "The limit is 5."}))
    assert len(prism.retrieve("limit", 50).passages) == 1


# ── no matching term ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "question", ["what is the of and", "zxqv", "is it to be or not", "?!…", "qwrtz plfft", "क्या है और के", "🙂"]
)
def test_ret_03_a_question_without_a_matching_term_finds_nothing_by_keyword(five: Prism, question):
    assert five.with_settings(**KEYWORD_ALONE).retrieve(question).passages == ()


@pytest.mark.parametrize("question", ["zxqv", "what is the of and", "is it to be or not", "qwrtz plfft"])
def test_ret_03_by_default_such_a_question_is_ordered_among_what_the_search_by_meaning_found(
    five: Prism, question
):
    trace = five.trace(five.retrieve(question).trace_id)
    found = {leg["leg"]: [hit["node_id"] for hit in leg["hits"]] for leg in trace["legs"]}
    assert found["keyword"] == []
    assert sorted(row["node_id"] for row in trace["reranked"]) == sorted(found["dense"])
    assert all(row["legs"]["keyword"] is None for row in trace["reranked"])


@pytest.mark.parametrize("question", ["क्या है और के", "🙂", "年假"])
def test_ret_03_by_default_a_question_that_no_search_can_read_finds_nothing(five: Prism, question):
    assert five.retrieve(question).passages == ()


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_ret_03_an_empty_question_finds_nothing(five: Prism, question):
    assert five.retrieve(question).passages == ()
    answer = five.ask(question)
    assert answer.abstained
    assert answer.citations == ()


@pytest.mark.parametrize("question", ["zxqv", "what is the of and", "vbnm qwrtz"])
def test_ret_04_hits_without_a_matching_term_earn_no_credit_in_fusion(five: Prism, question):
    found = five.retrieve(question, 4, leaves=True)
    dense = five.with_settings(**DENSE_ALONE).retrieve(question, 4, leaves=True)
    assert [item.node_id for item in found.passages] == [item.node_id for item in dense.passages]
    assert all(item.legs["keyword"] is None for item in found.passages)
    keyword = [leg for leg in five.trace(found.trace_id)["legs"] if leg["leg"] == "keyword"]
    assert [leg["hits"] for leg in keyword] == [[]]


def test_ret_04_by_default_reranking_brings_in_no_leaf_that_no_search_found(shelf: Shelf):
    prism = shelf({f"{n}.txt": f"The limit of branch {n} is {n} hundred rupees." for n in range(14)})
    engine = prism.with_settings(retrieval={"retrieve_k": 10})
    found = engine.retrieve("zxqv", 10, leaves=True)
    trace = engine.trace(found.trace_id)
    (dense,) = [leg["hits"] for leg in trace["legs"] if leg["leg"] == "dense"]
    assert len(dense) == 10
    assert {item.node_id for item in found.passages} == {hit["node_id"] for hit in dense}
    assert {row["node_id"] for row in trace["reranked"]} == {hit["node_id"] for hit in dense}


# ── scope and weights ───────────────────────────────────────────────────────────────────────────

STAFF: Mapping[str, str] = {
    "hr/leave.txt": "Leave policy: 24 days of annual leave.",
    "hr/notice.txt": "Leave policy: notice before leave is three days.",
    "it/laptops.txt": "Laptop policy: ask before leave for a spare laptop.",
    "it/access.txt": "Access is suspended during long leave.",
    "legal/board.txt": "The board approves leave policy changes.",
}


@pytest.mark.parametrize("overlay", [{}, KEYWORD_ALONE, DENSE_ALONE], ids=["both", "keyword", "dense"])
@pytest.mark.parametrize("chosen", [("hr/leave.txt", "hr/notice.txt"), ("it/access.txt",), ()])
@pytest.mark.parametrize("k", [1, 4, 20])
def test_ret_05_a_filter_lets_nothing_from_outside_through(staff: Prism, overlay, chosen, k):
    engine = staff.with_settings(**overlay)
    found = engine.retrieve("leave policy", k, only(staff, *chosen))
    assert len(found.passages) == min(k, len(chosen))
    assert set(names(found)) <= set(chosen)


def test_ret_06_a_leg_of_weight_zero_contributes_nothing(five: Prism):
    question = "0x80070005 Leiden Blackwell"
    by_keyword = five.with_settings(retrieval={"dense_weight": 0, "keyword_weight": 1}).retrieve(question)
    assert all(item.legs["dense"] is None for item in by_keyword.passages)
    assert sorted(names(by_keyword)) == ["errors.txt", "gpu.txt", "graphs.txt"]
    by_meaning = five.with_settings(retrieval={"dense_weight": 1, "keyword_weight": 0}).retrieve(question)
    assert all(item.legs["keyword"] is None for item in by_meaning.passages)
    assert len(by_meaning.passages) == 5


@pytest.mark.parametrize("weight", [0.1, 0.3, 0.9])
def test_ret_06_weights_count_in_reciprocal_rank_mode(five: Prism, weight):
    weights = {"dense_weight": weight, "keyword_weight": 1 - weight}
    engine = five.with_settings(retrieval={"fusion": "rrf", **weights})
    found = engine.retrieve("error code of a registry update", leaves=True)
    fused = engine.trace(found.trace_id)["fused"]
    assert {row["node_id"] for row in fused} == {item.node_id for item in found.passages}
    for row in fused:
        legs = {"dense": weight, "keyword": 1 - weight}
        by_hand = sum(legs[leg] / (60 + rank) for leg, rank in row["legs"].items() if rank)
        assert row["score"] == pytest.approx(by_hand)


def test_ret_06_by_default_a_leg_of_weight_zero_brings_nothing_to_be_reranked(five: Prism):
    question = "0x80070005 Leiden Blackwell"
    for zero, other, pool in (("dense", "keyword", 3), ("keyword", "dense", 5)):
        engine = five.with_settings(retrieval={f"{zero}_weight": 0, f"{other}_weight": 1})
        rows = engine.trace(engine.retrieve(question).trace_id)["reranked"]
        assert len(rows) == pool
        assert all(row["legs"][zero] is None for row in rows)
        assert all(row["legs"][other] is not None for row in rows)


# ── exact terms ─────────────────────────────────────────────────────────────────────────────────


def first_by_each(families: Prism, family: str, question: str) -> tuple[str, str]:
    """What comes first by the keyword leg alone, and by both legs."""
    scope = Scope(family)
    alone = families.with_settings(**KEYWORD_ALONE).retrieve(question, scope=scope)
    assert first(alone).score > 0
    return first(alone).document, first(families.retrieve(question, scope=scope)).document


def family_of(families: Mapping[str, Sequence[str]], member: str) -> tuple[str, str]:
    """The family's name and the name of the member's file."""
    return next((name, f"{each.index(member)}.txt") for name, each in families.items() if member in each)


CODES = {
    "LQT": ["LQT-6312", "LQT-2051", "LQT-8840"],
    "part": ["AB/12/7781", "AB/12/7782", "AB/13/7781"],
    "error": ["0x80070005", "0x80070057", "0x8007000E"],
    "model": ["K_TRN_BX_07", "K_TRN_BX_08", "K_TRN_CX_07"],
    "form": ["15G", "15H", "16A"],
    "version": ["v2.10.3", "v2.10.4", "v2.1.3"],
    "circular": ["RBI/2024-25/17", "RBI/2024-25/71", "RBI/2023-24/17"],
}


@pytest.mark.parametrize("code", [code for family in CODES.values() for code in family])
def test_ret_07_an_exact_code_ranks_before_its_siblings(families: Prism, code):
    family, expected = family_of(CODES, code)
    assert first_by_each(families, family, code) == (expected, expected)
    assert first_by_each(families, family, f"Where is {code} kept?") == (expected, expected)


def test_ret_07_an_exact_code_ranks_before_many_siblings(shelf: Shelf):
    codes = [f"LQT-{6312 + 37 * n}" for n in range(60)]
    prism = shelf({f"{n}.txt": f"Part {each} is kept in room {n}." for n, each in enumerate(codes)})
    for n in range(0, 60, 7):
        for question in (codes[n], f"Where is part {codes[n]} kept?"):
            assert first(prism.retrieve(question)).document == f"{n}.txt"


@pytest.mark.parametrize(
    ("fragment", "code"),
    [("6312", "LQT-6312"), ("2051", "LQT-2051"), ("7782", "AB/12/7782"), ("8840", "LQT-8840")],
)
def test_ret_07_a_fragment_of_a_code_finds_it_too(families: Prism, fragment, code):
    family, expected = family_of(CODES, code)
    alone = families.with_settings(**KEYWORD_ALONE)
    assert names(alone.retrieve(fragment, scope=Scope(family))) == [expected]
    assert first(families.retrieve(fragment, scope=Scope(family))).document == expected


SECTIONS = {
    "letter": ("Section", ["7(a)", "7(b)", "17(b)", "70(b)"]),
    "roman": ("Clause", ["4(i)", "4(ii)", "4(iii)", "14(ii)"]),
    "dotted": ("Section", ["8.2", "8.2.1", "18.2", "8.21"]),
    "plain": ("Section", ["823", "1823", "82", "8230"]),
    "deep": ("Rule", ["12(3)(b)", "12(3)(a)", "2(3)(b)", "112(3)(b)"]),
    "mixed": ("Section", ["80C", "80D", "80CC", "180C"]),
}


@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind, (_, numbers) in SECTIONS.items() for number in numbers]
)
def test_ret_10_a_section_number_is_not_taken_for_another(families: Prism, kind, number):
    word, numbers = SECTIONS[kind]
    expected = f"{numbers.index(number)}.txt"
    assert first_by_each(families, kind, f"{word} {number}") == (expected, expected)
    assert first_by_each(families, kind, f"What does {word.lower()} {number} say?") == (expected, expected)


def test_ret_10_a_section_number_alone_matches_no_other(families: Prism):
    alone = families.with_settings(**KEYWORD_ALONE)
    assert names(alone.retrieve("823", scope=Scope("plain"))) == ["0.txt"]
    assert names(alone.retrieve("1823", scope=Scope("plain"))) == ["1.txt"]


AMOUNTS = {
    "rupees": ["₹1,25,000", "₹2,25,000", "₹25,000"],
    "million": ["$3.5M", "$3.5K", "$35M"],
    "euro": ["€1.200,50", "€1.250,50", "€200,50"],
    "percent": ["7.5%", "75%", "0.75%"],
    "words": ["Rs. 2 lakh", "Rs. 12 lakh", "Rs. 20 lakh"],
}


@pytest.mark.parametrize("amount", [amount for family in AMOUNTS.values() for amount in family])
def test_ret_11_an_exact_amount_ranks_first(families: Prism, amount):
    family, expected = family_of(AMOUNTS, amount)
    assert first_by_each(families, family, amount) == (expected, expected)
    assert first_by_each(families, family, f"Which plan allows {amount}?") == (expected, expected)


SYMBOLS = {
    "cpp.txt": "The service is written in C++ by the core group.",
    "csharp.txt": "The client is written in C# by the desk group.",
    "c.txt": "The driver is written in C by the kernel group.",
    "rd.txt": "The R&D budget is approved in March by the board.",
    "it.txt": "The IT policy covers laptops of staff.",
    "net.txt": "The portal runs on .NET servers in the cellar.",
    "hr.txt": "It is the travel policy that covers hotels.",
    "pl.txt": "The P&L statement goes to the auditors.",
    "us.txt": "The US office pays in dollars; tell us early.",
}


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("C++", "cpp.txt"),
        ("C#", "csharp.txt"),
        ("R&D", "rd.txt"),
        ("R&D budget", "rd.txt"),
        ("IT policy", "it.txt"),
        ("IT", "it.txt"),
        (".NET", "net.txt"),
        ("P&L", "pl.txt"),
        ("US office", "us.txt"),
        ("who writes C++ here", "cpp.txt"),
        ("what is the IT policy?", "it.txt"),
    ],
)
def test_ret_11_symbols_and_acronyms_find_theirs(symbols: Prism, question, document):
    assert first(symbols.with_settings(**KEYWORD_ALONE).retrieve(question)).document == document
    assert first(symbols.retrieve(question)).document == document


# ── scripts ─────────────────────────────────────────────────────────────────────────────────────

INDIC = {
    "hi.txt": ("हिन्दी में ऋण सीमा दो लाख", ["सीमा", "हिन्दी", "ऋण", "लाख"]),
    "ta.txt": ("தமிழ் கடன் வரம்பு இரண்டு லட்சம்", ["கடன்", "வரம்பு"]),
    "bn.txt": ("ঋণের সীমা দুই লক্ষ টাকা", ["সীমা", "টাকা"]),
    "te.txt": ("రుణ పరిమితి రెండు లక్షలు", ["పరిమితి"]),
    "mr.txt": ("कर्जाची मर्यादा तीन लाख रुपये", ["मर्यादा"]),
    "gu.txt": ("લોન મર્યાદા બે લાખ", ["મર્યાદા"]),
    "ur.txt": ("قرض کی حد دو لاکھ روپے", ["قرض"]),
    "hi2.txt": ("ज़रूरी दस्तावेज़ क़र्ज़ के लिए पढ़ें", ["दस्तावेज़", "क़र्ज़", "ज़रूरी"]),
}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("document", "word"), [(name, word) for name, (_, words) in INDIC.items() for word in words]
)
def test_ret_12_indic_words_are_found_whole_in_either_unicode_form(indic: Prism, document, word, form):
    found = indic.with_settings(**KEYWORD_ALONE).retrieve(unicodedata.normalize(form, word))
    assert first(found).document == document
    assert first(found).score > 0


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_ret_12_a_text_stored_decomposed_is_found_composed(shelf: Shelf, form):
    text = unicodedata.normalize(form, "हिन्दी में ऋण सीमा दो लाख, ज़रूरी। Café Zürich")
    prism = shelf({"a.txt": text, "b.txt": "कुछ और ही बात"}).with_settings(**KEYWORD_ALONE)
    for word in ("सीमा", "ज़रूरी", "Café", "Zürich"):
        for typed in ("NFC", "NFD"):
            assert names(prism.retrieve(unicodedata.normalize(typed, word))) == ["a.txt"]


CHINESE = {
    "1.txt": "员工每年享有十天年假。",
    "2.txt": "加班工资按小时计算。",
    "3.txt": "出差需要提前申请。",
    "4.txt": "每日转账限额为五万元。",
}
UNSEGMENTED = {
    "ja1.txt": "従業員は年次有給休暇を取得できます。",
    "ja2.txt": "パスワードは九十日ごとに変更してください。",
    "th1.txt": "พนักงานมีวันลาพักร้อนสิบวันต่อปี",
    "th2.txt": "วงเงินโอนต่อวันคือห้าหมื่นบาท",
    "ko1.txt": "직원은 연차 휴가를 사용할 수 있습니다.",
    "ko2.txt": "비밀번호는 매달 변경해야 합니다.",
}


@pytest.mark.parametrize(
    ("question", "document"),
    [("年假", "1.txt"), ("加班", "2.txt"), ("出差", "3.txt"), ("限额", "4.txt"), ("年假有几天？", "1.txt")],
)
def test_ret_13_chinese_is_found_by_keyword(chinese: Prism, question, document):
    found = chinese.with_settings(**KEYWORD_ALONE).retrieve(question)
    assert first(found).document == document
    assert first(found).score > 0


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("有給休暇", "ja1.txt"),
        ("パスワード", "ja2.txt"),
        ("วันลาพักร้อน", "th1.txt"),
        ("วงเงิน", "th2.txt"),
        ("휴가", "ko1.txt"),
        ("비밀번호", "ko2.txt"),
    ],
)
def test_ret_13_japanese_thai_and_korean_are_found_by_keyword(unsegmented: Prism, question, document):
    found = unsegmented.with_settings(**KEYWORD_ALONE).retrieve(question)
    assert first(found).document == document
    assert first(found).score > 0


# ── what is visible ─────────────────────────────────────────────────────────────────────────────


def test_ret_14_an_upload_is_found_at_once_and_gone_at_once(shelf: Shelf, tmp_path: Path):
    prism = shelf(FIVE_SENTENCES)
    alone = prism.with_settings(**KEYWORD_ALONE)
    assert alone.retrieve("Quokka").passages == ()
    prism.ingest(write(tmp_path / "more", {"zoo.txt": "The Quokka lives on Rottnest Island."}))
    assert names(alone.retrieve("Quokka")) == ["zoo.txt"]
    assert first(prism.retrieve("Quokka")).document == "zoo.txt"
    prism.delete(id_of(prism, "zoo.txt"))
    assert alone.retrieve("Quokka").passages == ()
    assert "zoo.txt" not in names(prism.retrieve("Quokka", 20))


def test_ret_14_uploads_and_deletes_under_concurrent_questions_are_all_or_nothing(shelf, tmp_path):
    prism = shelf(FIVE_SENTENCES)
    failures: list[Exception] = []
    done = threading.Event()

    def keep_asking() -> None:
        while not done.is_set():
            try:
                found = names(prism.retrieve("Quokka error 0x80070005", 20))
                assert "errors.txt" in found
                assert set(found) <= {*FIVE_SENTENCES, "zoo.txt"}
            except Exception as error:  # noqa: BLE001  whatever went wrong is shown by the test
                failures.append(error)
                return

    askers = [threading.Thread(target=keep_asking) for _ in range(3)]
    for asker in askers:
        asker.start()
    for turn in range(4):
        prism.ingest(write(tmp_path / "more", {"zoo.txt": f"The Quokka number {turn} lives on Rottnest."}))
        prism.delete(id_of(prism, "zoo.txt"))
        prism.undo(id_of(prism, "zoo.txt"))
    done.set()
    for asker in askers:
        asker.join()
    assert failures == []
    assert f"number {turn}" in texts(prism.retrieve("Quokka"))


def test_ret_16_a_passage_is_hit_once_at_leaf_level_and_in_its_collection(shelf: Shelf, tmp_path: Path):
    sentence = "Clause {} of the handbook says that travel claims are paid within {} working days. "
    files = {f"{n}.txt": "".join(sentence.format(m, m + n) for m in range(12)) for n in range(3)}
    prism = shelf(files)
    prism.ingest(write(tmp_path / "other", {"other.txt": "Travel claims elsewhere."}), workspace="other")
    levels = prism._storage.catalogue.nodes
    for engine in (prism, prism.with_settings(**KEYWORD_ALONE)):
        found = engine.retrieve("travel claims", 30, leaves=True)
        ids = [item.node_id for item in found.passages]
        assert len(ids) == len(set(ids)) > 3
        spans = [(item.document, item.start, item.end) for item in found.passages]
        assert len(spans) == len(set(spans))
        nodes = levels.get(ids, {item.document_id: item.generation for item in found.passages})
        assert {stored.node.level for stored in nodes.values()} == {LEAF_LEVEL}
        assert set(names(found)) == set(files)


def test_ret_16_merged_passages_do_not_repeat_their_text(shelf: Shelf):
    sentence = "Clause {} of the handbook says that travel claims are paid within {} working days. "
    prism = shelf({"long.txt": "".join(sentence.format(m, m) for m in range(120)), "b.txt": "Other travel."})
    found = prism.retrieve("travel claims", 10).passages
    for one in found:
        for other in found:
            if one is not other and one.document == other.document:
                assert one.end <= other.start or other.end <= one.start


@pytest.mark.parametrize(
    "clause",
    [
        "Either party may terminate with 60 days of written notice.",
        "The deposit is refunded within 30 days of handing back the keys.",
        "कोई भी पक्ष 60 दिन के नोटिस पर अनुबंध समाप्त कर सकता है।",
    ],
)
def test_ret_17_the_same_clause_in_two_files_is_cited_from_both(shelf: Shelf, clause):
    prism = shelf({"a.txt": clause, "b.txt": clause, "c.txt": "Parking is free on Sundays."})
    found = prism.retrieve(clause)
    assert sorted(names(found)[:2]) == ["a.txt", "b.txt"]
    answer = prism.ask(clause)
    assert sorted(names(answer)) == ["a.txt", "b.txt"]
    for citation in answer.citations:
        assert citation.quote in clause
        assert citation.passage.document_id == id_of(prism, citation.passage.document)


# ── the index and its models ────────────────────────────────────────────────────────────────────


class OtherLetters(LetterEmbedder):
    """As many dimensions as `LetterEmbedder`, but another model."""

    name = "other-letters@1"


class MoreLetters(LetterEmbedder):
    name = "more-letters@1"
    dimension = 52

    def embed_query(self, text):
        import numpy as np

        return np.concatenate([super().embed_query(text), np.zeros(26, dtype=np.float32)])


@pytest.mark.parametrize("other", [OtherLetters, MoreLetters])
def test_ret_19_another_embedder_is_refused_and_a_rebuild_offered(open_prism: OpenPrism, tmp_path, other):
    with open_prism(embedder=LetterEmbedder()) as prism:
        prism.ingest(write(tmp_path, {"a.txt": "The limit is 5."}))
    with open_prism(embedder=other()) as prism:
        for call in (
            lambda: prism.retrieve("limit"),
            lambda: prism.ask("limit"),
            lambda: prism.conversation().ask("limit"),
            lambda: prism.ingest(write(tmp_path, {"b.txt": "More."})),
        ):
            with pytest.raises(StoreMismatchError, match="doctor --rebuild"):
                call()
        assert not prism.status().consistent
        prism.doctor(rebuild_index=True)
        assert names(prism.retrieve("limit")) == ["a.txt"]
        assert prism.status().consistent
    with open_prism(embedder=LetterEmbedder()) as prism, pytest.raises(StoreMismatchError):
        prism.retrieve("limit")


LONG = "".join(
    f"Paragraph {n}. The settlement window of cycle {n} closes at {n % 24} hours and the fee is {n} rupees. "
    for n in range(80)
)


def test_ret_24_parents_answer_after_a_restart(open_prism: OpenPrism, tmp_path: Path):
    with open_prism() as prism:
        prism.ingest(write(tmp_path, {"long.txt": LONG, "b.txt": "The fee of the gym is low."}))
        before = prism.retrieve("settlement window fee")
        answer = prism.ask("When does the settlement window of cycle 17 close?")
    assert any(len(item.leaf_ids) > 1 for item in before.passages)
    with open_prism() as prism:
        assert prism.retrieve("settlement window fee").passages == before.passages
        again = prism.ask("When does the settlement window of cycle 17 close?")
        assert (again.text, again.citations) == (answer.text, answer.citations)


def test_ret_24_a_missing_parent_leaves_the_leaves(shelf: Shelf):
    prism = shelf({"long.txt": LONG})
    with prism._storage._database.write() as connection:
        connection.execute("DELETE FROM nodes WHERE level > ?", (LEAF_LEVEL,))
    found = prism.retrieve("settlement window of cycle 17")
    assert found.passages
    assert all(item.leaf_ids == (item.node_id,) for item in found.passages)
    assert prism.ask("When does the settlement window of cycle 17 close?").citations


# ── a failing leg ───────────────────────────────────────────────────────────────────────────────


def break_leg(monkeypatch: pytest.MonkeyPatch, leg: str, error: Exception) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(
        *{"keyword": (KeywordView, "search"), "dense": (WorkspaceVectors, "search")}[leg], fail
    )


@pytest.mark.parametrize("broken", ["keyword", "dense"])
@pytest.mark.parametrize("error", [RuntimeError("index gone"), ValueError("bad k"), OSError(5, "I/O error")])
def test_ret_26_a_failing_leg_reduces_the_search_and_says_so(five, monkeypatch, broken, error, caplog):
    break_leg(monkeypatch, broken, error)
    question = "What does error 0x80070005 mean on a registry update?"
    found = five.retrieve(question)
    assert first(found).document == "errors.txt"
    assert [notice.code for notice in found.notices] == ["reduced_search"]
    assert broken in found.notices[0].message
    assert f"the {broken} search failed" in caplog.text
    answer = five.ask(question)
    assert "0x80070005" in answer.text
    assert "reduced_search" in [notice.code for notice in answer.notices]


def test_ret_26_a_leg_that_finds_nothing_leaves_the_other(five: Prism):
    found = five.retrieve("zxqv")
    assert len(found.passages) == 5
    assert all(item.legs["keyword"] is None for item in found.passages)


def test_ret_26_when_both_legs_fail_it_is_an_error(five: Prism, monkeypatch):
    break_leg(monkeypatch, "keyword", RuntimeError("gone"))
    break_leg(monkeypatch, "dense", RuntimeError("gone too"))
    with pytest.raises(SearchError, match="search failed"):
        five.retrieve("error")


# ── shared shelves ──────────────────────────────────────────────────────────────────────────────


def shared(files: Mapping[str, str]):
    @pytest.fixture(scope="module")
    def engine(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory):
        folder = tmp_path_factory.mktemp("shared")
        with make_prism(folder / "storage") as prism:
            prism.ingest(write(folder / "files", files))
            yield prism

    return engine


five = shared(FIVE_SENTENCES)
single = shared({"leave.txt": "Employees get 24 days of annual leave."})
chinese = shared(CHINESE)
staff = shared(STAFF)
symbols = shared(SYMBOLS)
indic = shared({name: text for name, (text, _) in INDIC.items()})
unsegmented = shared(UNSEGMENTED)


@pytest.fixture(scope="module")
def families(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    """Look-alikes, a workspace to each family."""
    sentences = {
        **{
            name: [f"Item {code} is kept in a store room." for code in codes] for name, codes in CODES.items()
        },
        **{
            name: [f"{word} {number} sets out a duty of the bank." for number in numbers]
            for name, (word, numbers) in SECTIONS.items()
        },
        **{
            name: [f"The limit of this plan is {amount} for each person." for amount in amounts]
            for name, amounts in AMOUNTS.items()
        },
    }
    folder = tmp_path_factory.mktemp("families")
    with make_prism(folder / "storage") as prism:
        for name, family in sentences.items():
            files = {f"{n}.txt": sentence for n, sentence in enumerate(family)}
            prism.ingest(write(folder / name, files), workspace=name)
        yield prism
