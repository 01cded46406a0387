"""The survey as Markdown: a table a set, and one over all sets together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import fmean
from typing import Final

from eval.bootstrap import Difference, Estimate, bootstrap_difference
from eval.survey.choices import AGAINST
from eval.survey.outcome import Outcome
from eval.survey.pooled import pooled_difference

SHOWN: Final = {
    "ndcg@10": "nDCG@10",
    "hit@1": "hit@1",
    "recall@5": "recall@5",
    "recall@10": "recall@10",
    "recall@20": "recall@20",
}


def survey_table(outcomes: Sequence[Outcome]) -> str:
    """All tables, sets in the order given."""
    parts: list[str] = []
    for name, group in groupby(outcomes, key=lambda outcome: outcome.set):
        parts += [*_set_table(name, list(group)), ""]
    return "\n".join((*parts, *_overall(outcomes))) + "\n"


def _set_table(name: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield f"### {name}: {outcomes[0].questions} questions, {outcomes[0].leaves:,} leaves"
    yield ""
    against = f"nDCG@10 against {_compared(outcomes)}"
    yield f"| choice | {' | '.join(SHOWN.values())} | {against} | search p50, ms |"
    yield f"|---|{'---|' * len(SHOWN)}---|---|"
    for outcome in outcomes:
        cells = [_mean(outcome, metric) for metric in SHOWN]
        cells[0] += _interval(outcome)
        yield (
            f"| {outcome.choice} | {' | '.join(cells)} | {_against(_base_of(outcome, outcomes), outcome)} "
            f"| {_written(outcome.search_p50_ms, '.1f')} |"
        )


def _overall(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Means over the sets that have a figure, each counting once."""
    by_choice: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_choice.setdefault(outcome.choice, []).append(outcome)
    yield f"### All {len({outcome.set for outcome in outcomes})} sets, each counting once"
    yield ""
    yield (
        f"| choice | {' | '.join(SHOWN.values())} | nDCG@10 against {_compared(outcomes)} "
        "| sets better / worse than it, surely |"
    )
    yield f"|---|{'---|' * len(SHOWN)}---|---|"
    for choice, found in by_choice.items():
        means = [_mean_of_sets(found, metric) for metric in SHOWN]
        pairs = _beside_base(outcomes, found)
        yield f"| {choice} | {' | '.join(means)} | {_over_sets(pairs)} | {_sure(pairs)} |"


def _beside_base(outcomes: Sequence[Outcome], found: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    bases = ((_base_of(item, outcomes), item) for item in found)
    return [(base, item) for base, item in bases if base is not None and _are_scored(base, item)]


def _compared(outcomes: Sequence[Outcome]) -> str:
    """What a table's choices are compared with, in words."""
    bases = {AGAINST.get(outcome.choice, "") for outcome in outcomes} - {""}
    return bases.pop() if len(bases) == 1 else "the rung before (last two: the defaults)"


def _base_of(outcome: Outcome, outcomes: Sequence[Outcome]) -> Outcome | None:
    """The outcome on the same set that this one is compared with."""
    against = AGAINST.get(outcome.choice)
    return next((item for item in outcomes if (item.set, item.choice) == (outcome.set, against)), None)


def _over_sets(pairs: Sequence[tuple[Outcome, Outcome]]) -> str:
    if not pairs:
        return ""
    return _marked(pooled_difference([(base.ndcg, item.ndcg) for base, item in pairs]))


def _sure(pairs: Sequence[tuple[Outcome, Outcome]]) -> str:
    differences = [_difference(base, item) for base, item in pairs]
    better = sum(difference.low > 0 for difference in differences)
    worse = sum(difference.high < 0 for difference in differences)
    return f"{better} / {worse}"


def _mean(outcome: Outcome, metric: str) -> str:
    return f"{outcome.metrics[metric].mean:.3f}" if metric in outcome.metrics else "–"


def _mean_of_sets(outcomes: Sequence[Outcome], metric: str) -> str:
    means = [outcome.metrics[metric].mean for outcome in outcomes if metric in outcome.metrics]
    return _written(fmean(means) if means else None, ".3f")


def _written(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _interval(outcome: Outcome) -> str:
    if "ndcg@10" not in outcome.metrics:
        return ""
    summary = outcome.metrics["ndcg@10"]
    return f" ({summary.low:.3f}–{summary.high:.3f})"


def _against(base: Outcome | None, outcome: Outcome) -> str:
    if base is None or not _are_scored(base, outcome):
        return ""
    return _marked(_difference(base, outcome))


def _marked(difference: Difference | Estimate) -> str:
    mark = "**" if difference.low > 0 or difference.high < 0 else ""
    return f"{mark}{difference.mean:+.3f}{mark} ({difference.low:+.3f} to {difference.high:+.3f})"


def _are_scored(*outcomes: Outcome) -> bool:
    return all(any(value is not None for value in outcome.ndcg) for outcome in outcomes)


def _difference(base: Outcome, outcome: Outcome) -> Difference:
    return bootstrap_difference(base.ndcg, outcome.ndcg)
