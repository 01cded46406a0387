"""The questions to ask of a set, of every kind there can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from eval.calibrate.kinds import Kind
from eval.calibrate.sets import CalibrationSet
from eval.datasets.dataset import Dataset, LabelledQuestion

SEED: Final = 20

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Case:
    """A question as it is put. `case_id` is unique within a set; `excluded` names the documents that are out
    of scope. `documents` are those it is on, as SET/NAME: none where that is not known."""

    case_id: str
    kind: Kind
    text: str
    excluded: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()


def cases_of(chosen: CalibrationSet, others: Sequence[CalibrationSet], *, limit: int) -> tuple[Case, ...]:
    """At most `limit` cases of each kind, the same ones every time.

    Follow-ups are left out, since the gate judges them by the turn before as well. *Near* cases are the
    answerable ones again, but for those whose documents are not known, or are all there are.

    Args:
        others: sets whose questions are *far* where they are of another family.
    """
    questions = [item for item in chosen.dataset.questions if not item.earlier]
    answerable = some([item for item in questions if is_answered(item)], limit)
    refused = some([item for item in questions if item.answerable is False], limit)
    far = [
        (other, item)
        for other in others
        if other.family != chosen.family
        for item in other.dataset.questions
        if not item.earlier
    ]
    names = {item.name: known_names(item.dataset) for item in (chosen, *others)}
    gold = {item.question_id: documents_of(item, names[chosen.name]) for item in answerable}

    def case(
        kind: Kind,
        item: LabelledQuestion,
        excluded: frozenset[str] = frozenset(),
        *,
        of: CalibrationSet = chosen,
    ) -> Case:
        within = f"{kind}/" if of is chosen else f"{kind}/{of.name}/"
        on = frozenset(f"{of.name}/{name}" for name in documents_on(item, names[of.name]))
        return Case(within + item.question_id, kind, item.text, excluded, on)

    return (
        *(case("answerable", item) for item in answerable),
        *(case("unanswerable", item) for item in refused),
        *(
            case("near", item, excluded)
            for item in answerable
            if (excluded := gold[item.question_id]) and len(excluded) < len(chosen.dataset.sources)
        ),
        *(case("far", item, of=other) for other, item in some(far, limit)),
    )


def is_answered(question: LabelledQuestion) -> bool:
    """Whether the collection is known to answer it."""
    judged = any(grade > 0 for grade in question.grades.values())
    has_gold = bool(judged or question.pages or question.quotes or question.sources or question.keywords)
    return question.answerable is not False and not question.unscorable and has_gold


def known_names(dataset: Dataset) -> Mapping[str, frozenset[str]]:
    """Source names by whatever a set calls a document: its source name, or the id that it is judged by."""
    names_of: defaultdict[str, set[str]] = defaultdict(set)
    for source in dataset.sources:
        names_of[source.name].add(source.name)
        names_of[dataset.key_of.get(source.name, source.name)].add(source.name)
    return {called: frozenset(names) for called, names in names_of.items()}


def documents_of(question: LabelledQuestion, names_of: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names of the documents that answer it; none where they are not all known."""
    found = [names_of.get(document, frozenset()) for document in _answering(question, names_of)]
    return frozenset().union(*found) if found and all(found) else frozenset()


def documents_on(question: LabelledQuestion, names_of: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names of the documents that it is on, as far as they are known, whether they answer it or not."""
    called = (*_answering(question, names_of), question.about)
    return frozenset().union(*(names_of.get(name, frozenset()) for name in called))


def some(items: Sequence[Item], limit: int) -> list[Item]:
    """At most `limit` of them, drawn with a fixed seed, in the order given."""
    if len(items) <= limit:
        return list(items)
    drawn = np.random.default_rng(SEED).choice(len(items), size=limit, replace=False)
    return [items[place] for place in sorted(drawn)]


def _answering(question: LabelledQuestion, names_of: Mapping[str, object]) -> Iterable[str]:
    """Documents by whatever name the set has for them; an empty one where a quote may stand anywhere."""
    if question.keywords and not question.sources and not question.quotes:
        return [""]
    units = [unit for unit, grade in question.grades.items() if grade > 0]
    whole = [unit if unit in names_of else unit.rpartition("#p")[0] for unit in units]
    quoted = [quote.document for quote in question.quotes if quote.document or not question.sources]
    return [*whole, *(page.document for page in question.pages), *quoted, *question.sources]
