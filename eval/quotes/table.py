"""What each way of choosing sentences got right, as Markdown, and how they differ on the same questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median

from eval.bootstrap import bootstrap_difference
from eval.calibrate.wilson import wilson
from eval.quotes.judge import Judged
from eval.wording.escape import as_markdown
from eval.wording.figures import decimal, difference, milliseconds

MEASURES = {"best": "best sentence", "best_two": "best two", "quoted": "any quote"}


def quotes_table(judged: Mapping[str, Sequence[Judged]]) -> str:
    """Two tables: each way by itself, then the others beside the first.

    Args:
        judged: by the name of the way, over the same questions in the same order.
    """
    first, *others = judged
    count = len(judged[first])
    lines = [f"{count} questions; right answers with 95 % intervals (Wilson).", ""]
    lines += _shares(judged)
    if others:
        lines += ["", f"Beside {as_markdown(first)}, by question, with 95 % intervals (bootstrap):", ""]
        lines += _differences(judged, first, others)
    return "\n".join(lines) + "\n"


def _shares(judged: Mapping[str, Sequence[Judged]]) -> Iterator[str]:
    yield f"| sentences by | {' | '.join(MEASURES.values())} | quotes per answer | ms, median |"
    yield f"|---|{'---|' * len(MEASURES)}---|---|"
    for name, rows in judged.items():
        cells = [_share([getattr(row, measure) for row in rows]) for measure in MEASURES]
        quotes, ms = fmean(row.quotes for row in rows), median(row.ms for row in rows)
        yield f"| {as_markdown(name)} | {' | '.join(cells)} | {quotes:.2f} | {milliseconds(ms)} |"


def _share(right: Sequence[bool]) -> str:
    low, high = wilson(sum(right), len(right))
    return f"{decimal(fmean(right))} ({decimal(low)} to {decimal(high)})"


def _differences(judged: Mapping[str, Sequence[Judged]], first: str, others: Sequence[str]) -> Iterator[str]:
    yield f"| sentences by | {' | '.join(MEASURES.values())} | times as fast |"
    yield f"|---|{'---|' * len(MEASURES)}---|"
    slow = median(row.ms for row in judged[first])
    for name in others:
        cells = [
            _change(
                [getattr(row, measure) for row in judged[first]],
                [getattr(row, measure) for row in judged[name]],
            )
            for measure in MEASURES
        ]
        ratio = slow / median(row.ms for row in judged[name])
        yield f"| {as_markdown(name)} | {' | '.join(cells)} | {ratio:.1f} |"


def _change(before: Sequence[bool], after: Sequence[bool]) -> str:
    found = bootstrap_difference([float(value) for value in before], [float(value) for value in after])
    won = sum(new > old for old, new in zip(before, after, strict=True))
    lost = sum(new < old for old, new in zip(before, after, strict=True))
    return f"{difference(found.mean)} ({difference(found.low)} to {difference(found.high)}), +{won} −{lost}"
