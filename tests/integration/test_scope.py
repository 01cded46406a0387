"""A scope (workspace, documents) lets nothing through from outside, whatever is asked and by every leg."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from prism import NotFoundError, Prism, Scope
from tests.integration.conftest import OpenPrism
from tests.shelf import id_of, legs_of, names, only, write

CLAUSE = "Either party may end the agreement with 60 days of written notice."
ALPHA = {
    **{f"a{n}.txt": f"Agreement {n} of the alpha group. {CLAUSE} Fee {n} applies." for n in range(8)},
    "long.txt": " ".join(f"Agreement part {n} speaks of notice and of fee {n}." for n in range(150)),
}
BETA = {f"b{n}.txt": f"Agreement {n} of the beta group. {CLAUSE} Fee {n} applies." for n in range(4)}
QUESTIONS = (
    "written notice of the agreement",
    "fee 3",
    "How does a party end the agreement?",
    "समझौता notice",
)


@pytest.fixture(scope="module")
def prism(make_prism: OpenPrism, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prism]:
    folder = tmp_path_factory.mktemp("scope")
    with make_prism(folder / "storage", {"storage.workspace": "alpha"}) as prism:
        prism.ingest(write(folder / "alpha", ALPHA))
        prism.ingest(write(folder / "beta", BETA), workspace="beta")
        prism.ingest(
            write(folder / "beta", {"a0.txt": "Agreement of beta under alpha's name."}), workspace="beta"
        )
        yield prism


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("k", [1, 5, 50])
@pytest.mark.parametrize("chosen", [("a1.txt",), ("a1.txt", "a6.txt"), ("long.txt",), ()])
def test_only_the_chosen_documents_answer_even_when_fewer_than_k_remain(prism: Prism, question, k, chosen):
    for leg, engine in legs_of(prism):
        for leaves in (True, False):
            found = engine.retrieve(question, k, only(prism, *chosen), leaves=leaves)
            assert set(names(found)) <= set(chosen), leg
            assert len(found.passages) <= k
            allowed = {id_of(prism, name) for name in chosen}
            assert {item.document_id for item in found.passages} <= allowed
    answer = prism.ask(question, scope=only(prism, *chosen))
    assert set(names(answer)) <= set(chosen)
    assert {passage.document for passage in answer.nearest} <= set(chosen)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_narrow_scope_is_filled_as_far_as_it_goes(prism: Prism, question):
    chosen = ("a2.txt", "a5.txt", "a7.txt")
    assert set(names(prism.retrieve(question, 50, only(prism, *chosen)))) == set(chosen)


@pytest.mark.parametrize("workspace", ["alpha", "beta", "nowhere"])
def test_a_workspace_sees_its_own_documents_only(prism: Prism, workspace):
    own = {"alpha": set(ALPHA), "beta": {*BETA, "a0.txt"}, "nowhere": set()}[workspace]
    ids = {info.document_id for info in prism.documents(workspace)}
    for leg, engine in legs_of(prism):
        found = engine.retrieve("agreement notice fee", 100, Scope(workspace))
        assert set(names(found)) <= own, leg
        assert {item.document_id for item in found.passages} <= ids
    assert set(names(prism.retrieve("agreement", 100, Scope(workspace), leaves=True))) == own


def test_naming_a_document_of_another_workspace_finds_nothing(prism: Prism):
    foreign = frozenset(info.document_id for info in prism.documents("beta"))
    for leg, engine in legs_of(prism):
        assert engine.retrieve("agreement notice", 20, Scope("alpha", foreign)).passages == (), leg
    answer = prism.ask("How does a party end the agreement?", scope=Scope("alpha", foreign))
    assert answer.abstained
    assert answer.nearest == ()


def test_an_unknown_document_finds_nothing(prism: Prism):
    scope = Scope("alpha", frozenset({"no-such-document"}))
    assert prism.retrieve("agreement", 20, scope).passages == ()


def test_a_document_of_another_workspace_is_not_listed_or_shown_by_name(prism: Prism):
    assert "b1.txt" not in [info.document for info in prism.documents()]
    with pytest.raises(NotFoundError):
        prism.document("b1.txt")


def test_the_same_clause_in_two_documents_gives_two_citations(prism: Prism):
    for pair in (("a1.txt", "a6.txt"), ("a0.txt", "a7.txt")):
        answer = prism.ask("How does a party end the agreement?", scope=only(prism, *pair))
        cited = [item for item in answer.citations if CLAUSE.removesuffix(".") in item.quote]
        assert {item.passage.document for item in cited} == set(pair)
        assert "60 days" in answer.text


def test_a_deleted_document_in_the_scope_is_not_found(open_prism: OpenPrism, tmp_path):
    prism = open_prism()
    prism.ingest(write(tmp_path, BETA))
    scope = only(prism, "b0.txt", "b1.txt")
    prism.delete(id_of(prism, "b0.txt"))
    for leg, engine in legs_of(prism):
        assert names(engine.retrieve("agreement notice", 20, scope)) == ["b1.txt"], leg
