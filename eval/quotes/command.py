"""`python -m eval quotes`: are the sentences that an answer quotes the right ones, by the way of choosing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from eval.calibrate.cases import documents_of, known_names
from eval.datasets.dataset import Dataset, LabelledQuestion
from eval.datasets.open import open_dataset, part_of
from eval.options import add_dataset_arguments, made_cache, settings_of
from eval.progress import shown_progress
from eval.quotes.ask import BY_EMBEDDING, BY_TOKENS, Way, quoter
from eval.quotes.judge import Judged, can_be_judged
from eval.quotes.table import quotes_table
from eval.runs.collection import Collection, collection
from prism.errors import UsageError
from prism.types import Scope


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    add_dataset_arguments(parser)
    parser.add_argument(
        "--about",
        action="append",
        default=[],
        metavar="NAME",
        help="ask only what documents with this in their name answer; may be repeated",
    )
    parser.add_argument("--others", action="store_true", help="with --about: ask all but those")
    parser.add_argument(
        "--in-hand",
        action="store_true",
        help="search only the documents that answer: choosing alone is judged",
    )
    parser.add_argument(
        "--weight",
        type=float,
        action="append",
        default=[],
        metavar="W",
        help="another weight of the token vectors; may be repeated",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the tables here too")


def main(given: argparse.Namespace) -> int:
    """Run the subcommand; returns the exit code."""
    whole = open_dataset(given.dataset, made_cache(given) / "corpora", given.documents)
    names_of = known_names(whole)
    asked = [item for item in whole.questions if can_be_judged(item)]
    if given.about:
        asked = [item for item in asked if _is_about(item, names_of, given.about) != given.others]
    if not asked:
        raise UsageError(
            f"{whole.name}: no such question can be judged. Wanted are first turns with gold quotes, or with "
            "an expected answer and the documents that it stands in."
        )
    dataset = part_of(replace(whole, questions=tuple(asked)), language=given.language, limit=given.limit)
    ways = [BY_EMBEDDING, BY_TOKENS]
    ways += [Way(f"token vectors, weight {weight:g}", weight) for weight in given.weight]
    table = quotes_table(_judged(dataset, ways, names_of, given))
    print(table, end="")
    if given.out is not None:
        given.out.write_text(table, encoding="utf-8")
    return 0


def _judged(
    dataset: Dataset, ways: list[Way], names_of: Mapping[str, frozenset[str]], given: argparse.Namespace
) -> dict[str, list[Judged]]:
    settings = settings_of(given)
    judged: dict[str, list[Judged]] = {way.name: [] for way in ways}
    with (
        shown_progress() as (on_indexing, on_question),
        collection(dataset, settings, given.cache, on_indexing) as opened,
        quoter(opened, settings, dataset.key_of) as asker,
    ):
        for number, question in enumerate(dataset.questions, start=1):
            scope = _scope(opened, documents_of(question, names_of) if given.in_hand else None)
            for name, row in asker.ask(question, ways, scope).items():
                judged[name].append(row)
            on_question(number, len(dataset.questions))
    return judged


def _is_about(question: LabelledQuestion, names_of: Mapping[str, frozenset[str]], wanted: list[str]) -> bool:
    return any(name in document for document in documents_of(question, names_of) for name in wanted)


def _scope(opened: Collection, documents: frozenset[str] | None) -> Scope:
    if documents is None:
        return Scope()
    ids = {info.document: info.document_id for info in opened.prism.documents()}
    return Scope(document_ids=frozenset(ids[name] for name in documents if name in ids))
