"""The committed file: golden traces as JSON, one row of a ranking a line, so that diffs read well."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from eval.golden.types import Cited, Golden, Leg, Place, Row
from prism import PageRef, UsageError

FILE: Final = Path(__file__).with_name("golden.json")

SCHEMA: Final = 2
"""Version of the form of the file."""

_AGAIN: Final = "run 'python -m eval golden --record' to write it anew"


def write(file: Path, traces: Sequence[Golden]) -> None:
    """Write the file anew; the same traces give the same bytes. Raises `ValueError` for a node of an old or
    unknown edition, which has no place in it."""
    body = {"schema": SCHEMA, "traces": [_from_golden(golden) for golden in traces]}
    file.write_text(_lines(body) + "\n", encoding="utf-8")


def read(file: Path) -> tuple[Golden, ...]:
    """The recorded traces.

    Raises:
        UsageError: there is no such file, or it is of another schema or form.
    """
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        schema = body["schema"]
        traces = tuple(_to_golden(item) for item in body["traces"]) if schema == SCHEMA else ()
    except FileNotFoundError:
        raise UsageError(f"There is no {file}: {_AGAIN}.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file} does not hold golden traces ({error!r}): {_AGAIN}.") from error
    if schema != SCHEMA:
        raise UsageError(f"{file} is of schema {schema}, not {SCHEMA}: {_AGAIN}.")
    return traces


def _from_golden(golden: Golden) -> dict[str, Any]:
    return {
        "id": golden.question_id,
        "question": golden.question,
        "variant": golden.variant,
        "legs": [
            {"leg": leg.kind, "query": leg.query, "hits": [_from_row(row) for row in leg.hits]}
            for leg in golden.legs
        ],
        "fused": [_from_row(row) for row in golden.fused],
        "reranked": None if golden.reranked is None else [_from_row(row) for row in golden.reranked],
        "merged": [_from_row(row) for row in golden.merged],
        "passages": [_from_row(row) for row in golden.passages],
        "abstained": golden.abstained,
        "citations": [
            {
                "n": cited.n,
                "document": cited.document,
                "pages": [[page.label, page.sheet] for page in cited.pages],
                "start": cited.start,
                "end": cited.end,
                "passage_pages": [[page.label, page.sheet] for page in cited.passage_pages],
            }
            for cited in golden.citations
        ],
        "answer": golden.answer,
    }


def _to_golden(item: Mapping[str, Any]) -> Golden:
    return Golden(
        question_id=item["id"],
        question=item["question"],
        variant=item["variant"],
        legs=tuple(Leg(leg["leg"], leg["query"], _to_rows(leg["hits"])) for leg in item["legs"]),
        fused=_to_rows(item["fused"]),
        reranked=None if item["reranked"] is None else _to_rows(item["reranked"]),
        merged=_to_rows(item["merged"]),
        passages=_to_rows(item["passages"]),
        abstained=item["abstained"],
        citations=tuple(
            Cited(
                n=cited["n"],
                document=cited["document"],
                pages=tuple(PageRef(label, sheet) for label, sheet in cited["pages"]),
                start=cited["start"],
                end=cited["end"],
                passage_pages=tuple(PageRef(label, sheet) for label, sheet in cited["passage_pages"]),
            )
            for cited in item["citations"]
        ),
        answer=item["answer"],
    )


def _from_row(row: Row) -> list[Any]:
    """Rank and place; then a fused score, or the spans of the leaves."""
    for place in (row.place, *row.leaves):
        if place.edition != "current":
            raise ValueError(f"{place} cannot be recorded")
    place = row.place
    written: list[Any] = [row.rank, place.document, place.level, place.start, place.end]
    if row.score is not None:
        written.append(row.score)
    if row.leaves:
        written.append(" ".join(f"{leaf.start}-{leaf.end}" for leaf in row.leaves))
    return written


def _to_rows(rows: Sequence[Sequence[Any]]) -> tuple[Row, ...]:
    return tuple(map(_to_row, rows))


def _to_row(written: Sequence[Any]) -> Row:
    rank, document, level, start, end, *more = written
    spans = [part.split("-") for text in more if isinstance(text, str) for part in text.split()]
    return Row(
        rank,
        Place(document, level, start, end),
        next((score for score in more if isinstance(score, float)), None),
        tuple(Place(document, 0, int(first), int(last)) for first, last in spans),
    )


def _lines(value: Any, indent: str = "") -> str:
    """JSON with a list of plain values on one line, and everything else indented."""
    inner = indent + "  "
    if isinstance(value, Mapping):
        parts = [f"{json.dumps(key)}: {_lines(item, inner)}" for key, item in value.items()]
        return _block("{", parts, "}", indent)
    if isinstance(value, list) and any(isinstance(item, list | Mapping) for item in value):
        return _block("[", [_lines(item, inner) for item in value], "]", indent)
    return json.dumps(value, ensure_ascii=False)


def _block(opening: str, parts: Sequence[str], closing: str, indent: str) -> str:
    body = ",\n".join(f"{indent}  {part}" for part in parts)
    return f"{opening}\n{body}\n{indent}{closing}"
