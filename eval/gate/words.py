"""What the gate says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.compare.measures import Measured
from eval.gate.check import Checked
from eval.golden.command import lines
from eval.golden.compare import Difference


def describe(checked: Checked, traces: Sequence[Difference], recorded: int) -> Iterator[str]:
    """The outcome of both parts in words, what is wrong first.

    Args:
        traces: what differs from the golden traces.
        recorded: how many golden traces there are.
    """
    yield from (f"failed: {failure}" for failure in checked.failed)
    yield from (f"worse beyond chance: {_measure(item)}" for item in checked.dropped)
    yield from (f"golden trace: {line}" for line in lines(traces))
    for item in checked.changed:
        yield f"{'better' if item.verdict == 'better' else 'changed, perhaps by chance'}: {_measure(item)}"
    if checked.is_red or traces:
        differing = len({difference.question_id for difference in traces})
        yield (
            f"The gate is red: {len(checked.dropped)} measures dropped, {len(checked.failed)} questions "
            f"failed, {differing} of {recorded} golden traces differ. If every change is meant: "
            "python -m eval gate --accept."
        )
    else:
        yield f"The gate is green: nothing dropped, {recorded} golden traces as recorded."


def _measure(item: Measured) -> str:
    difference = item.difference
    return (
        f"{item.metric.title}: {item.mean_a:.3f} -> {item.mean_b:.3f} ({difference.mean:+.3f}, 95 % interval "
        f"{difference.low:+.3f} to {difference.high:+.3f}, {item.questions} questions)"
    )
