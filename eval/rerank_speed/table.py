"""The figures as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterator

from eval.bootstrap import Estimate
from eval.rerank_speed.figures import Figures, Quality
from eval.wording.figures import NONE, decimal, difference, milliseconds


def speed_table(figures: Figures) -> str:
    """All of it."""
    return "\n".join(_rows(figures)) + "\n"


def _rows(figures: Figures) -> Iterator[str]:
    disk = figures.disk
    yield f"| reranking {figures.pool_leaves:g} leaves, {figures.questions} questions | |"
    yield "|---|---|"
    yield f"| from stored token vectors, median | {milliseconds(figures.stored_ms)} ms |"
    yield f"| by a fresh model pass, median | {milliseconds(figures.fresh_ms)} ms |"
    yield f"| times faster (95 %) | {_times(figures.times_faster, 1)} |"
    yield f"| largest gap between their scores | {figures.largest_gap:.4f} |"
    for quality in figures.qualities:
        yield from _quality_rows(quality)
    yield f"| bytes a leaf | {disk.bytes_per_leaf:,.0f} ({disk.tokens / disk.leaves:.0f} tokens) |"
    embedded = f"embedding a leaf, of {figures.embedded_leaves:,}"
    yield f"| {embedded} | {milliseconds(figures.leaf_without_ms)} ms |"
    yield f"| … with token vectors, times as long (95 %) | {_times(figures.with_tokens, 3)} |"
    yield f"| … and written to the disk | {_times(figures.with_tokens_written, 3)} |"


def _quality_rows(quality: Quality) -> Iterator[str]:
    title = f"nDCG@10, {quality.way}, {quality.questions} questions"
    if quality.stored is None:
        yield f"| {title} | {NONE} |"
        return
    yield f"| {title}: stored | {_interval(quality.stored)} |"
    for reference in quality.references:
        gap = reference.difference
        yield f"| … {reference.name} | {_interval(reference.mean)} |"
        yield (
            f"| … … stored less that (95 %) | {difference(gap.mean)} "
            f"({difference(gap.low)} to {difference(gap.high)}) |"
        )


def _times(estimate: Estimate, decimals: int) -> str:
    mean, low, high = (f"{value:,.{decimals}f}" for value in (estimate.mean, estimate.low, estimate.high))
    return f"{mean} ({low} to {high})"


def _interval(estimate: Estimate) -> str:
    return f"{decimal(estimate.mean)} ({decimal(estimate.low)} to {decimal(estimate.high)})"
