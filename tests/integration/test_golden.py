"""Golden traces over the real thing: they hold, and a planted fault turns them red at the stage it is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import pytest
import torch

from eval.golden.compare import Difference, compare
from eval.golden.file import FILE, read
from eval.golden.prepare import EDITS, EXTRA_NAME, Prepared, prepared
from eval.golden.questions import QUESTIONS
from eval.golden.record import fit_to_record, observe, observe_all
from eval.golden.types import Golden, Variant
from eval.golden.variants import variant_settings
from prism import PageRef, asking
from prism.models.embedder import FolderEmbedder
from prism.query import fuse, ground, legs, pipeline, respond
from prism.query.retrieve import Leg, Retrieved
from prism.settings import RetrievalSettings
from prism.stores.active import ActiveSet, Snapshot
from prism.stores.keyword_view import KeywordView
from prism.types import LeafHit

HYPOTHETICAL = (
    "The company answers a lost laptop or card within five business days and pays ₹500 to the customer."
)

pytestmark = pytest.mark.slow

Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """As `variant_settings` has it for an embedder of its own."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def prepare(
    embedder: FolderEmbedder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Variant], Prepared]]:
    with ExitStack() as opened:

        def make(variant: Variant) -> Prepared:
            folder = tmp_path_factory.mktemp("golden")
            settings = variant_settings(variant, folder / "storage")
            return opened.enter_context(prepared(folder / "older", settings, embedder=embedder))

        yield make


@pytest.fixture(scope="module")
def indexes(prepare: Callable[[Variant], Prepared]) -> Mapping[Variant, Prepared]:
    return {"default": prepare("default"), "fixed": prepare("fixed")}


def differences(index: Prepared, variant: Variant) -> list[Difference]:
    """What differs from the committed traces when this index is asked."""
    expected = [golden for golden in read(FILE) if golden.variant == variant]
    asked = [question for question in QUESTIONS if question.variant == variant]
    return compare(expected, [observe(question, index).golden for question in asked])


def first_stages(found: Sequence[Difference]) -> dict[str, str]:
    """For every question that differs, the stage nearest to the cause."""
    return {item.question_id: item.stage for item in reversed(found)}


# ── they hold ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def recorded(embedder: FolderEmbedder) -> tuple[Golden, ...]:
    return fit_to_record(observe_all(QUESTIONS, embedder=embedder))


def test_the_committed_traces_are_what_is_found(recorded: tuple[Golden, ...]) -> None:
    assert [str(difference) for difference in compare(read(FILE), recorded)] == []


def test_two_recordings_are_identical(
    recorded: tuple[Golden, ...], indexes: Mapping[Variant, Prepared]
) -> None:
    again = tuple(observe(question, indexes[question.variant]).golden for question in QUESTIONS)
    assert again == recorded


def test_the_traces_hold_every_kind_of_trouble() -> None:
    traces = {golden.question_id: golden for golden in read(FILE)}
    assert [name for name, golden in traces.items() if golden.abstained] == [
        "unanswerable-bank",
        "unanswerable-dress",
    ]
    assert [leg.kind for leg in traces["hindi-complaint"].legs] == ["keyword"]
    assert len(traces["follow-up-notice"].legs) == 4
    pages = [page for cited in traces["table-window"].citations for page in cited.pages]
    assert pages == [PageRef("3", 5)]
    found = {row.place.document for leg in traces["scoped-wallet"].legs for row in leg.hits}
    assert found == {"wallet-circular-2022-14.txt"}
    cited = [item.document for item in traces["superseded-wallet"].citations]
    assert cited == ["wallet-circular-2022-14.txt", "wallet-circular-2024-09.txt"]
    for ranks in ([row.rank for row in golden.passages] for golden in traces.values()):
        assert all(second == first + 1 for first, second in pairwise(ranks))


# ── planted faults ──────────────────────────────────────────────────────────────────────────────


def swap_weights(patch: pytest.MonkeyPatch) -> None:
    """The dense leg gets the keyword leg's weight, and the other way round."""
    weigh = legs.weigh_legs

    def swapped(chosen: Sequence[Leg], settings: RetrievalSettings, **options: Any) -> Any:
        update = {"dense_weight": settings.keyword_weight, "keyword_weight": settings.dense_weight}
        return weigh(chosen, settings.model_copy(update=update), **options)

    patch.setattr(pipeline, "weigh_legs", swapped)


def send_hypothetical(patch: pytest.MonkeyPatch) -> None:
    """The keyword leg is sent a hypothetical passage instead of the question."""
    retrieve = pipeline.retrieve

    def sent(chosen: Sequence[Leg], queries: Sequence[str], *, k: int) -> Retrieved:
        rankings = []
        for leg in chosen:
            texts = [HYPOTHETICAL] if leg.kind == "keyword" else queries
            rankings += retrieve([leg], texts, k=k).rankings
        return Retrieved(tuple(rankings), (), {})

    patch.setattr(pipeline, "retrieve", sent)


def search_hypothetical(patch: pytest.MonkeyPatch) -> None:
    """The same, but the trace claims that the question was sent."""
    search = KeywordView.search

    def searched(view: KeywordView, query: str, k: int, **options: Any) -> tuple[LeafHit, ...]:
        return search(view, HYPOTHETICAL, k, **options)

    patch.setattr(KeywordView, "search", searched)


def count_passages_from_two(patch: pytest.MonkeyPatch) -> None:
    """Passages get numbers one too high."""
    assemble = pipeline.assemble
    patch.setattr(
        pipeline,
        "assemble",
        lambda *given, **options: tuple(
            replace(passage, rank=passage.rank + 1) for passage in assemble(*given, **options)
        ),
    )


def read_marks_one_too_low(patch: pytest.MonkeyPatch) -> None:
    """`[2]` in an answer is taken for the first passage, `[1]` for none."""
    cited = ground.cited_numbers
    patch.setattr(ground, "cited_numbers", lambda text: tuple(number - 1 for number in cited(text)))


def print_next_label(patch: pytest.MonkeyPatch) -> None:
    """A quote is said to stand on the page after its own."""

    def next_label(label: str) -> str:
        return re.sub(r"\d+", lambda number: str(int(number[0]) + 1), label)

    page_refs = respond.page_refs
    patch.setattr(
        respond,
        "page_refs",
        lambda spans: tuple(PageRef(next_label(page.label), page.sheet) for page in page_refs(spans)),
    )


def count_ranks_from_zero(patch: pytest.MonkeyPatch) -> None:
    """The best rank counts as 0 in reciprocal rank fusion: another score, seldom another order."""
    credit = fuse._credit
    patch.setattr(
        fuse, "_credit", lambda hit, kind, rrf_k: credit(replace(hit, rank=hit.rank - 1), kind, rrf_k)
    )


def join_to_the_first_question(patch: pytest.MonkeyPatch) -> None:
    """A follow-up is joined to the first question of its conversation instead of the last."""
    condense = asking.condense
    patch.setattr(asking, "condense", lambda text, previous=(): condense(text, previous[:1]))


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, the variant it is looked for in, the stages at which a question may first differ, and a
    difference that must be among them."""

    plant: Plant
    variant: Variant
    stages: frozenset[str]
    difference: str


FAULTS = [
    Fault(swap_weights, "fixed", frozenset({"fused"}), r"plain-laptop: fused, rank \d+: expected .+"),
    Fault(
        send_hypothetical,
        "fixed",
        frozenset({"legs", "keyword leg, text sent"}),
        rf"plain-laptop: keyword leg, text sent: expected 'My laptop .+', found '{HYPOTHETICAL}'",
    ),
    Fault(
        search_hypothetical,
        "fixed",
        frozenset({"keyword leg"}),
        r"plain-laptop: keyword leg, rank 1: expected it-policy\.md leaf .+, found .+",
    ),
    Fault(
        count_ranks_from_zero,
        "fixed",
        frozenset({"fused"}),
        r"plain-laptop: fused, rank 1: expected (it-policy\.md leaf \d+-\d+) scoring .+, found \1 scoring .+",
    ),
    Fault(
        join_to_the_first_question,
        "fixed",
        frozenset({"dense leg, text sent"}),
        r"follow-up-notice: dense leg, text sent: expected '.+notice.+', found '.+17\(b\).+'",
    ),
    Fault(
        count_passages_from_two,
        "fixed",
        frozenset({"passages"}),
        r"table-courier: passages, rank 1: expected fees\.csv level 2 2065-4235, found nothing",
    ),
    Fault(
        read_marks_one_too_low,
        "default",
        frozenset({"citations"}),
        r"pdf-pool: citations: expected \[1\] settlement-handbook\.pdf .+, found (nothing|\[\d\] .+)",
    ),
    Fault(
        print_next_label,
        "default",
        frozenset({"citations"}),
        r"table-window: citations: .+ page 3 \(sheet 5\), .+, found .+ page 4 \(sheet 5\), .+",
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.plant.__name__)
def test_a_planted_fault_shows_at_its_stage_and_goes_with_it(
    fault: Fault, indexes: Mapping[Variant, Prepared], monkeypatch: pytest.MonkeyPatch
) -> None:
    index = indexes[fault.variant]
    with monkeypatch.context() as patch:
        fault.plant(patch)
        found = differences(index, fault.variant)
    assert set(first_stages(found).values()) <= fault.stages
    assert any(re.fullmatch(fault.difference, str(item)) for item in found)
    assert differences(index, fault.variant) == []


Untold = Literal["nothing", "update", "delete"]


def withhold(patch: pytest.MonkeyPatch, untold: Untold) -> None:
    """The projections keep what they have, and are not told that a document was replaced or deleted: their
    view goes on showing the generation that came first."""
    look = ActiveSet._look
    first: dict[str, int] = {}

    def looked(active: ActiveSet, serial: int) -> Snapshot:
        snapshot = look(active, serial)
        now = dict(snapshot.generations)
        for document_id, generation in now.items():
            first.setdefault(document_id, generation)
        told = {
            "nothing": now,
            "update": {document_id: first[document_id] for document_id in now},
            "delete": {**first, **now},
        }
        return replace(snapshot, keywords=active.keywords.view(told[untold]))

    patch.setattr(ActiveSet, "_look", looked)
    patch.setattr(ActiveSet, "clean", lambda active: 0)


LEGS = ("dense leg", "keyword leg")
BEYOND = ("fused", "merged")
"""Where a stale leaf below the recorded ranks of a leg shows first: by the scores or the leaves it moves."""


@pytest.mark.parametrize(
    ("untold", "variant", "stages", "documents", "edition"),
    [
        ("nothing", "fixed", set(), set(), ""),
        ("update", "fixed", {*LEGS, *BEYOND}, {edit.document for edit in EDITS}, "replaced"),
        ("delete", "default", {*LEGS, *BEYOND}, {EXTRA_NAME}, "deleted"),
    ],
)
def test_a_projection_that_was_not_told_shows_at_its_leg_by_the_document_that_should_be_gone(
    prepare: Callable[[Variant], Prepared],
    monkeypatch: pytest.MonkeyPatch,
    untold: Untold,
    variant: Variant,
    stages: set[str],
    documents: set[str],
    edition: str,
) -> None:
    with monkeypatch.context() as patch:
        withhold(patch, untold)
        found = differences(prepare(variant), variant)
    assert set(first_stages(found).values()) <= stages
    stale = {
        match[1]
        for item in found
        if item.stage in LEGS and (match := re.match(rf"(\S+) leaf \d+-\d+ \({edition}\)", item.found))
    }
    assert stale == documents
