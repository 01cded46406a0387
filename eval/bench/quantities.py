"""What is measured: name, unit, which way is better, and how it reads in a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from eval.bench.statistics import Better

BuildName = Literal["prism", "plain"]
Phase = Literal["embed", "index", "use", "query", "reading"]
"""`query` measures a part of what `use` does; `reading` is measured by itself."""

READ_SETS: Final = {"rbi": "circulars", "10q": "10-Qs"}
"""PDFs that reading is measured on: the name of a set, and what its files are."""

BUILDS: Final[tuple[BuildName, ...]] = ("prism", "plain")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One thing measured once per repetition and build; `embeds`: only with the embedding model loaded;
    `asks`: by asking questions alone."""

    name: str
    title: str
    unit: str
    better: Better
    phase: Phase
    embeds: bool = False
    asks: bool = False


QUANTITIES: Final = (
    Quantity("embedding_rate", "embedding", "leaves/s", "higher", "embed", embeds=True),
    Quantity("embedding_share", "embedding, share of the matrix limit", "%", "higher", "embed", embeds=True),
    Quantity("indexing_rate", "indexing", "leaves/s", "higher", "index"),
    Quantity("indexing_memory", "peak memory, indexing", "MB", "lower", "index"),
    Quantity("disk", "disk", "MB", "lower", "index"),
    Quantity("query_p50", "query, p50", "ms", "lower", "use", asks=True),
    Quantity("query_p95", "query, p95", "ms", "lower", "use", asks=True),
    Quantity(
        "query_embedded_p50", "query with its embedding, p50", "ms", "lower", "use", embeds=True, asks=True
    ),
    Quantity("scoped_one_p50", "query in one document, p50", "ms", "lower", "use", asks=True),
    Quantity("scoped_tenth_p50", "query in 10 % of documents, p50", "ms", "lower", "use", asks=True),
    Quantity("add", "add one document", "ms", "lower", "use"),
    Quantity("delete", "delete one document", "ms", "lower", "use"),
    Quantity("purge", "remove one for good", "ms", "lower", "use"),
    Quantity("open", "open", "ms", "lower", "use"),
    Quantity("reopen", "open and answer", "ms", "lower", "use"),
    Quantity("answering_memory", "peak memory, answering", "MB", "lower", "use"),
    Quantity("recall", "recall@10 of the graph", "", "higher", "use"),
    *(
        Quantity(f"reading_{name}", f"reading {title}", "pages/s", "higher", "reading")
        for name, title in READ_SETS.items()
    ),
    Quantity("reading_memory", "peak memory, reading", "MB", "lower", "reading"),
    *(
        Quantity(f"ingest_{name}", f"bringing {title} in", "pages/s", "higher", "reading", embeds=True)
        for name, title in READ_SETS.items()
    ),
    *(
        Quantity(
            f"reading_part_{name}",
            f"reading {title}, time beside embedding them",
            "%",
            "lower",
            "reading",
            embeds=True,
        )
        for name, title in READ_SETS.items()
    ),
)

BY_NAME: Final = {quantity.name: quantity for quantity in QUANTITIES}


def names_of(phase: Phase, *, embeds: bool = True) -> frozenset[str]:
    """Names of the quantities a phase measures; without `embeds` those that need no model."""
    return frozenset(
        quantity.name
        for quantity in QUANTITIES
        if (quantity.asks if phase == "query" else quantity.phase == phase)
        and (embeds or not quantity.embeds)
    )
