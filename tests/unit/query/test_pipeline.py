from __future__ import annotations

import json

import pytest

from prism.errors import ModelCallError, SearchError
from prism.types import Scope
from tests.fakes import LetterEmbedder, SharedWordsReranker

RULES = {
    "cap.txt": "The cap on wire transfers is ten thousand.",
    "leave.txt": "Annual leave is fifteen days.",
    "keys.txt": "Error 0x80070005 means access denied.",
}
LONG = " ".join(f"Rule {number} limits transfers of kind {number}." for number in range(1, 13))
ALONE = {"retrieval": {"dense_weight": 0.0}}


def test_the_passage_that_holds_the_terms_comes_first(shelf, texts) -> None:
    shelf.add(RULES)
    assert texts(shelf.search("cap on wire transfers"))[0] == RULES["cap.txt"]


def test_each_passage_carries_its_ranks_per_leg(shelf) -> None:
    shelf.add(RULES)
    first = shelf.search("0x80070005").passages[0]
    assert first.document == "keys.txt"
    assert first.legs["keyword"] == 1
    assert first.legs["dense"] is not None


def test_issue_2_the_trace_lets_every_fused_score_be_worked_out_by_hand(shelf) -> None:
    shelf.add({**RULES, "long.txt": LONG})
    shelf.search("limits on wire transfers of days", k=3, retrieval={"fusion": "rrf"})

    trace = json.loads(json.dumps(shelf.trace.body()))
    weights, rrf_k = trace["fusion"]["weights"], trace["fusion"]["rrf_k"]
    assert trace["fusion"]["kind"] == "rrf"
    best: dict[tuple[str, str], int] = {}
    for leg in trace["legs"]:
        for hit in leg["hits"]:
            key = (hit["node_id"], leg["leg"])
            best[key] = min(hit["rank"], best.get(key, hit["rank"]))
    assert len(trace["fused"]) > 3
    for row in trace["fused"]:
        legs = {leg: best.get((row["node_id"], leg)) for leg in weights}
        assert row["legs"] == legs
        by_hand = sum(weights[leg] / (rrf_k + rank) for leg, rank in legs.items() if rank)
        assert row["score"] == pytest.approx(by_hand)
    scores = [row["score"] for row in trace["fused"]]
    assert scores == sorted(scores, reverse=True)


def test_the_trace_holds_ids_and_no_text_of_documents(shelf) -> None:
    shelf.add(RULES)
    shelf.search("leave")
    assert "fifteen" not in json.dumps(shelf.trace.body())


def test_ret_16_leaves_are_found_and_never_their_parents_beside_them(shelf) -> None:
    shelf.add({"long.txt": LONG})
    found = shelf.search("transfers of kind 3", leaves_only=True)
    assert all(passage.leaf_ids == (passage.node_id,) for passage in found.passages)
    assert len({passage.node_id for passage in found.passages}) == len(found.passages) > 1


def test_many_leaves_of_one_parent_give_way_to_it(shelf) -> None:
    shelf.add({"long.txt": LONG})
    found = shelf.search("limits transfers of kind")
    assert len(found.passages[0].leaf_ids) > 1
    assert LONG[found.passages[0].start : found.passages[0].end] == found.passages[0].text
    unmerged = shelf.search("limits transfers of kind", merge={"enabled": False})
    assert all(len(passage.leaf_ids) == 1 for passage in unmerged.passages)


def test_other_forms_of_abbreviations_count_as_no_headings(shelf) -> None:
    shelf.add({"targets.txt": "Small Finance Banks (SFBs) lend. SFBs report by the tenth of a month to it."})
    found = shelf.search("what do SFBs report")
    assert found.headings == {"targets"}


def test_ret_24_a_missing_parent_leaves_the_leaf(shelf) -> None:
    shelf.add({"long.txt": LONG})
    with shelf.storage.catalogue._database.write() as connection:
        connection.execute("DELETE FROM nodes WHERE level > 0")
    found = shelf.search("transfers of kind 3")
    assert found.passages
    assert all(passage.leaf_ids == (passage.node_id,) for passage in found.passages)


def test_ret_05_a_scope_keeps_everything_else_out_of_every_leg(shelf) -> None:
    ids = shelf.add(RULES)
    scope = Scope("default", frozenset({ids["leave.txt"]}))
    found = shelf.search("cap on wire transfers", scope=scope)
    assert {passage.document for passage in found.passages} == {"leave.txt"}
    inside = set(shelf.storage.catalogue.nodes.node_ids({ids["leave.txt"]: 1}))
    for leg in shelf.trace.body()["legs"]:
        assert {hit["node_id"] for hit in leg["hits"]} <= inside


@pytest.mark.parametrize(
    "scope", [Scope("default", frozenset()), Scope("empty"), Scope("default", frozenset({"x"}))]
)
def test_ret_02_a_scope_of_nothing_finds_nothing_and_says_why(shelf, scope: Scope) -> None:
    shelf.add(RULES)
    found = shelf.search("cap", scope=scope)
    assert found.passages == ()
    assert found.is_empty_scope
    assert found.verdict.abstain


def test_workspaces_do_not_see_each_other(shelf) -> None:
    shelf.add(RULES)
    shelf.add({"secret.txt": "The cap is secret."}, workspace="other")
    assert {passage.document for passage in shelf.search("cap secret").passages} <= set(RULES)


def test_ret_03_a_question_without_known_terms_finds_nothing_by_keyword(shelf) -> None:
    shelf.add(RULES)
    for question in ("zxqv", "what is the of and", "", "?!"):
        found = shelf.search(question, **ALONE)
        assert found.passages == (), question
        assert found.verdict.abstain


def test_a_question_of_no_letters_is_not_answered_by_the_nearest_vectors(shelf) -> None:
    shelf.add(RULES)
    assert shelf.search(" … ").passages == ()


def test_ret_06_a_leg_of_no_weight_contributes_nothing(shelf) -> None:
    shelf.add(RULES)
    shelf.search("cap", **ALONE)
    assert {leg["leg"] for leg in shelf.trace.body()["legs"]} == {"keyword"}
    found = shelf.search("cap", retrieval={"keyword_weight": 0.0})
    assert {leg["leg"] for leg in shelf.trace.body()["legs"]} == {"dense"}
    assert all(passage.legs["keyword"] is None for passage in found.passages)


def test_a_question_the_embedder_cannot_read_is_left_to_the_keywords(shelf) -> None:
    shelf.add({"hi.txt": "वार्षिक अवकाश की सीमा पंद्रह दिन है।", **RULES})
    found = shelf.search("अवकाश की सीमा", retrieval={"keyword_weight": 0.0})
    assert found.passages[0].document == "hi.txt"
    assert shelf.trace.body()["fusion"]["weights"] == {"keyword": 1.0}
    assert found.verdict.features["cosine"] is None


class Broken:
    def search(self, *args, **kwargs):
        raise ConnectionError("no index")


def test_ret_26_a_broken_leg_reduces_the_search_with_a_notice(shelf) -> None:
    shelf.add(RULES)
    found = shelf.search("cap on wire transfers", vectors=Broken())
    assert found.passages[0].document == "cap.txt"
    assert [notice.code for notice in shelf.trace.notices] == ["reduced_search"]


def test_gen_13_a_broken_search_that_finds_nothing_is_an_error(shelf) -> None:
    shelf.add(RULES)
    with pytest.raises(SearchError):
        shelf.search("zxqv", vectors=Broken())


def test_the_reranker_reads_the_whole_pool_and_decides_the_order(shelf, texts) -> None:
    shelf.add(RULES)
    found = shelf.search("annual cap on wire is days leave", reranker=SharedWordsReranker(), k=1)
    # Shared words: leave.txt annual, leave, is; cap.txt cap, on, wire, is.
    assert texts(found) == [RULES["cap.txt"]]
    assert found.passages[0].score == 4.0
    assert len(shelf.trace.body()["reranked"]) == 3


def test_a_reranker_that_fails_leaves_the_fused_order_with_a_notice(shelf) -> None:
    class Failing:
        name = "failing"

        def score(self, question, texts):
            raise ModelCallError("out of memory")

    shelf.add(RULES)
    plain = shelf.search("cap on wire transfers").passages
    found = shelf.search("cap on wire transfers", reranker=Failing())
    assert [item.node_id for item in found.passages] == [item.node_id for item in plain]
    assert [notice.code for notice in shelf.trace.notices] == ["rerank_skipped"]


def test_ret_01_more_than_there_is_may_be_asked_for(shelf) -> None:
    shelf.add({"cap.txt": RULES["cap.txt"]})
    assert len(shelf.search("cap", k=50).passages) == 1


def test_as_many_as_asked_for_are_found_beyond_the_usual_depth(shelf) -> None:
    shelf.add({f"{number}.txt": f"The cap of branch {number} is set." for number in range(14)})
    found = shelf.search("cap of branch", k=13, leaves_only=True, retrieval={"retrieve_k": 10})
    assert len(found.passages) == 13


def test_ret_17_the_same_clause_in_two_documents_is_found_twice(shelf) -> None:
    shelf.add({"a.txt": RULES["cap.txt"], "b.txt": RULES["cap.txt"]})
    assert {passage.document for passage in shelf.search("cap on wire").passages} == {"a.txt", "b.txt"}


def test_one_document_cannot_flood_the_list(shelf) -> None:
    shelf.add({"long.txt": LONG, "short.txt": "Another rule is about transfers abroad."})
    question = {"question": "rule limits transfers of kind", "k": 3}

    def documents(**retrieval) -> list[str]:
        found = shelf.search(**question, leaves_only=True, retrieval=retrieval)
        return [passage.document for passage in found.passages]

    assert documents() == ["long.txt"] * 3
    assert documents(max_per_document=2, close_share=1.0) == ["long.txt", "long.txt", "short.txt"]
    assert documents(max_per_document=2, close_share=0.0) == ["long.txt"] * 3


def test_the_same_clause_in_many_documents_leaves_room_for_other_texts(shelf) -> None:
    clause = RULES["cap.txt"]
    ids = shelf.add({**{f"{name}.txt": clause for name in "abcdef"}, "other.txt": "A cap on cash transfers."})
    found = shelf.search("cap on wire transfers", k=2)
    first, *copies, other = found.passages
    assert other.document == "other.txt"
    assert [copy.copy_of for copy in copies] == [1, 1, 1]
    assert {copy.document_id for copy in first.copies} | {first.document_id} == {
        document_id for name, document_id in ids.items() if name != "other.txt"
    }
    assert [passage.rank for passage in found.passages] == [1, 2, 3, 4, 5]
    assert len(shelf.trace.body()["dropped"]) == 2


def test_a_clause_that_a_document_repeats_is_found_once_with_both_places(shelf) -> None:
    clause = "The cap on wire transfers is ten thousand."
    text = clause + "\n\n" + "Leave is granted on request by the head of the office. " * 6 + clause
    shelf.add({"a.txt": text})
    (passage,) = shelf.search("cap on wire transfers", k=1, leaves_only=True).passages
    (copy,) = passage.copies
    assert {passage.start, copy.start} == {0, text.rindex("The cap")}
    assert text[copy.start : copy.end] == passage.text


def test_cht_05_a_follow_up_is_searched_in_both_forms(shelf) -> None:
    shelf.add(RULES)
    shelf.search("how long is it?", previous=("What is annual leave?",))
    body = shelf.trace.body()
    assert body["searches"] == ["What is annual leave? how long is it?", "how long is it?"]
    assert {leg["query"] for leg in body["legs"]} == set(body["searches"])


def test_a_document_purged_after_the_snapshot_is_passed_over(shelf) -> None:
    ids = shelf.add(RULES)

    class Purging(LetterEmbedder):
        def embed_query(self, text):
            shelf.storage.active("default").purge(ids["cap.txt"])
            return super().embed_query(text)

    found = shelf.search("cap on wire transfers", embedder=Purging())
    assert "cap.txt" not in {passage.document for passage in found.passages}


def test_the_same_search_gives_the_same_order(shelf) -> None:
    shelf.add({**RULES, "long.txt": LONG})
    runs = [[item.node_id for item in shelf.search("rule on transfers").passages] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


def test_one_word_that_the_documents_hold_is_evidence_and_one_they_lack_is_not(shelf) -> None:
    shelf.add(RULES)
    held, unknown = shelf.search("leave").verdict, shelf.search("weather").verdict
    longer = shelf.search("leave weather").verdict
    assert held.features["coverage"] == 1.0
    assert held.score > longer.score > unknown.score


def test_a_guessed_follow_up_of_unknown_words_is_no_evidence(shelf) -> None:
    shelf.add(RULES)
    before = ("What is the cap on wire transfers?",)
    known, unknown = (
        shelf.search(words, previous=before).verdict for words in ("annual leave?", "capital of Mongolia?")
    )
    assert unknown.features["coverage"] == 0.0
    assert known.features["coverage"] > 0.0
