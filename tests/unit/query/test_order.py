"""The rerankers of the settings, one after another, over a pool worked by hand.

By letters "cap" meets "cap" by 1, "cat" by 2/3, "dog" by 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prism.errors import ModelCallError
from prism.query.climb import Tree
from prism.query.condense import condense
from prism.query.order import Ordered, order
from prism.query.parts import QueryParts
from prism.settings import Settings, overlay_settings
from prism.stores.active import Snapshot
from prism.stores.keyword_view import KeywordView
from prism.stores.token_vectors import WorkspaceTokens
from prism.trace import Trace
from prism.types import Candidate, Node, Notice, Scope
from tests.fakes import LetterEmbedder, LetterTokenEmbedder, SharedWordsReranker

TEXTS = {"x": "dog", "y": "cat", "z": "cap"}
POOL = (Candidate("x", 0.9), Candidate("y", 0.5), Candidate("z", 0.1))
DEFAULT, CROSS = "late_interaction", "cross_encoder"


@dataclass
class Desk:
    """Orders a pool of leaves under some settings; the trace is kept."""

    tokens: WorkspaceTokens
    trace: Trace

    def order(
        self,
        pool: Sequence[Candidate] = POOL,
        *,
        question: str = "cap",
        texts: dict[str, str] = TEXTS,
        embedder: Any = None,
        reranker: Any = None,
        holds_code: bool = False,
        keeps_tokens: bool = True,
        **rerank: Any,
    ) -> Ordered:
        self.trace = Trace("retrieve", question, "default")
        parts = QueryParts(
            snapshot=Snapshot(1, "default", {}, KeywordView([], {}, k1=1.5, b=0.75)),
            scope=Scope(),
            catalogue=None,
            vectors=None,
            embedder=embedder or LetterTokenEmbedder(),
            reranker=reranker,
            settings=overlay_settings(Settings(), {"rerank": rerank}),
            tokens=self.tokens if keeps_tokens else None,
        )
        nodes = {
            name: Node(name, "doc", 1, 0, 0, None, 0, len(text), text, context="")
            for name, text in texts.items()
        }
        tree = Tree(nodes, {}, {})
        return order(condense(question), pool, tree, parts, self.trace, holds_code=holds_code)

    @property
    def reranked(self) -> list[str] | None:
        """The order that was traced."""
        rows = self.trace.body().get("reranked")
        return rows and [row["node_id"] for row in rows]

    @property
    def codes(self) -> list[str]:
        return [notice.code for notice in self.trace.notices]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    kept = WorkspaceTokens(tmp_path / "tokens")
    kept.keep(LetterTokenEmbedder.token_recipe)
    kept.add("doc", 1, list(TEXTS), LetterTokenEmbedder().embed_with_tokens(list(TEXTS.values()))[1])
    kept.finish("doc", 1)
    return Desk(kept, Trace("retrieve", "", "default"))


def ids(ordered: Ordered) -> list[str]:
    return [item.node_id for item in ordered.pool]


class Failing(LetterTokenEmbedder):
    def query_tokens(self, text):
        raise ModelCallError("out of memory")


def test_none_leaves_the_fused_order_and_traces_no_other(desk: Desk) -> None:
    assert desk.order(kind="none") == Ordered(POOL)
    assert desk.reranked is None


def test_late_interaction_blends_its_scores_with_the_fused_ones(desk: Desk) -> None:
    ordered = desk.order(weight=0.5)
    # Scaled by spread: .704 .5 .296 and .277 .545 .678.
    assert [(item.node_id, pytest.approx(item.score, abs=1e-3)) for item in ordered.pool] == [
        ("y", 0.522),
        ("x", 0.491),
        ("z", 0.487),
    ]
    assert desk.reranked == ["y", "x", "z"]
    assert ordered.interaction.scores(["x", "y", "z"]) == pytest.approx((0, 2 / 3, 1))


def test_the_weight_of_the_settings_decides_between_the_two(desk: Desk) -> None:
    assert ids(desk.order(weight=0.0)) == ["x", "y", "z"]
    assert ids(desk.order(weight=1.0)) == ["z", "y", "x"]


def test_the_default_is_late_interaction(desk: Desk) -> None:
    by_default, named = desk.order(), desk.order(kind=DEFAULT)
    assert by_default.interaction is not None
    assert by_default.pool == named.pool != POOL


def test_in_a_stack_the_second_reads_what_the_first_put_first(desk: Desk) -> None:
    class Reading(SharedWordsReranker):
        def score(self, question, texts):
            self.read = list(texts)
            return super().score(question, texts)

    reranker = Reading()
    ordered = desk.order(kind=[DEFAULT, CROSS], weight=1.0, cross_encoder_leaves=2, reranker=reranker)
    assert reranker.read == ["cap", "cat"]
    assert ids(ordered) == ["z", "y", "x"]
    assert ordered.interaction is not None
    assert desk.order(kind=CROSS, reranker=reranker).interaction is None


def test_a_stack_runs_in_the_order_named(desk: Desk) -> None:
    class Last:
        """Likes the last it is given most."""

        name, notices = "last@1", ()

        def score(self, question, texts):
            return tuple(map(float, range(len(texts))))

    both = {"reranker": Last(), "weight": 1.0}
    # Late interaction: z y x, then turned over; or x y z turned over first, which its own scores replace.
    assert ids(desk.order(kind=[DEFAULT, CROSS], **both)) == ["x", "y", "z"]
    assert ids(desk.order(kind=[CROSS, DEFAULT], **both)) == ["z", "y", "x"]
    assert ids(desk.order(kind=[DEFAULT, CROSS], cross_encoder_leaves=2, **both)) == ["y", "z", "x"]


def test_a_reranker_that_was_handed_in_runs_last_also_where_the_settings_ask_for_none(desk: Desk) -> None:
    reranker = SharedWordsReranker()
    assert ids(desk.order(kind="none", reranker=reranker)) == ["z", "x", "y"]
    assert ids(desk.order(kind=DEFAULT, weight=1.0, reranker=reranker)) == ["z", "y", "x"]


def test_what_a_reranker_finds_doubtful_of_itself_is_told(desk: Desk) -> None:
    class Doubtful(SharedWordsReranker):
        notices = (Notice("reranker_doubtful", "It ranks at random."),)

    desk.order(kind=CROSS, reranker=Doubtful())
    assert desk.codes == ["reranker_doubtful"]


@pytest.mark.parametrize(
    "lacking",
    [
        {"embedder": LetterEmbedder()},
        {"keeps_tokens": False},
        {"question": "सीमा क्या है"},
        {"question": "?!"},
    ],
    ids=["embedder without tokens", "none kept", "a script it does not read", "no word"],
)
def test_where_tokens_say_nothing_the_fused_order_stands_without_a_notice(desk: Desk, lacking) -> None:
    assert desk.order(weight=1.0, **lacking) == Ordered(POOL)
    assert desk.reranked is None
    assert desk.codes == []


def test_an_empty_pool_asks_no_model(desk: Desk) -> None:
    assert desk.order((), embedder=Failing()) == Ordered(())
    assert desk.codes == []


def test_a_reranker_that_fails_leaves_the_fused_order_with_a_notice(desk: Desk) -> None:
    assert desk.order(embedder=Failing()) == Ordered(POOL)
    (notice,) = desk.trace.notices
    assert notice.code == "rerank_skipped"
    assert "late interaction failed" in notice.message
    assert "out of memory" in notice.message


def test_token_vectors_that_cannot_be_read_leave_the_fused_order_with_a_notice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(folder: Path):
        raise PermissionError(13, "Permission denied", str(folder))

    desk.tokens.close()
    monkeypatch.setattr(Path, "iterdir", unreadable)
    assert desk.order() == Ordered(POOL)
    assert desk.codes == ["rerank_skipped"]


def test_one_that_fails_leaves_the_others_of_a_stack_their_turn(desk: Desk) -> None:
    class Broken:
        name, notices = "broken@1", ()

        def score(self, question, texts):
            raise ModelCallError("no memory")

    stack = {"kind": [DEFAULT, CROSS], "weight": 1.0}
    assert ids(desk.order(embedder=Failing(), reranker=SharedWordsReranker(), **stack)) == ["z", "x", "y"]
    assert desk.codes == ["rerank_skipped"]
    ordered = desk.order(reranker=Broken(), **stack)
    assert ids(ordered) == ["z", "y", "x"]
    assert ordered.interaction is not None
    assert desk.codes == ["rerank_skipped"]


def test_where_passages_hold_the_code_asked_for_late_interaction_breaks_ties_only(desk: Desk) -> None:
    assert ids(desk.order(weight=1.0, holds_code=True)) == ["x", "y", "z"]
    tied = (Candidate("x", 0.9), Candidate("y", 0.5), Candidate("z", 0.5))
    assert ids(desk.order(tied, weight=1.0, holds_code=True)) == ["x", "z", "y"]
    assert ids(desk.order(tied, weight=0.0, holds_code=True)) == ["x", "y", "z"]
