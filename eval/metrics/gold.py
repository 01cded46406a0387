"""What of a row counts as gold, for every measure alike."""

from __future__ import annotations

from collections.abc import Mapping

from eval.outcome.row import Row, Seen


def relevant(row: Row) -> Mapping[str, int]:
    """The units that answer the question, with their grade. Empty where rankings of it mean nothing.

    Grades of 0 and below are judged not relevant (TREC's habit). The gold of an unscorable question is not in
    the collection, so that none can be found.
    """
    return {} if row.unscorable else {unit: grade for unit, grade in row.gold.items() if grade > 0}


def ranked(row: Row) -> tuple[str, ...]:
    """The units found, best first, each once at its best rank. A question that failed found nothing."""
    return () if row.error else tuple(dict.fromkeys(row.ranking))


def passages(row: Row) -> tuple[Seen, ...]:
    """What the answerer was given, by rank. A question that failed gave it nothing."""
    return () if row.error else tuple(sorted(row.passages, key=lambda passage: passage.rank))


def holds_gold(row: Row) -> tuple[bool, ...]:
    """For each passage, by rank: does it hold a relevant unit?"""
    gold = relevant(row)
    return tuple(any(unit in gold for unit in passage.units) for passage in passages(row))
