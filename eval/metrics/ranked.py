"""The measures of a ranking, worked out by the field's own tool: ir_measures over trec_eval's code.

ir_measures: MacAvaney, Macdonald & Ounis 2022. trec_eval's code comes through pytrec_eval (Van Gysel & de
Rijke 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from eval.metrics import hit, mrr, ndcg, recall
from eval.metrics import map as average_precision
from eval.metrics.gold import ranked, relevant
from eval.outcome.row import Row
from prism.errors import UsageError

METRICS: Final = (*ndcg.METRICS, *recall.METRICS, mrr.METRIC, average_precision.METRIC, *hit.METRICS)


def ranked_metrics(rows: Sequence[Row]) -> tuple[Mapping[str, float | None], ...]:
    """Each row's values by name, in the order of the rows, all of them in one call of the library.

    A row without gold has None. A row with gold and an empty ranking has 0.

    Raises:
        UsageError: the library is not installed.
    """
    try:
        import ir_measures
    except ImportError:
        raise UsageError(
            "nDCG, recall, MRR and MAP are worked out by ir_measures, which is missing: "
            "pip install ir-measures"
        ) from None
    # By place, since nothing forbids two questions of one id. Scores fall strictly, so that the library,
    # which orders equal scores by the unit's name, keeps our order.
    gold = {str(place): dict(units) for place, row in enumerate(rows) if (units := relevant(row))}
    runs = {
        place: {unit: float(-rank) for rank, unit in enumerate(ranked(rows[int(place)]), start=1)}
        for place in gold
    }
    names = {ir_measures.parse_measure(metric.measure): metric.name for metric in METRICS}
    values: list[dict[str, float | None]] = [{metric.name: None for metric in METRICS} for _ in rows]
    for found in ir_measures.iter_calc(list(names), gold, runs):
        values[int(found.query_id)][names[found.measure]] = float(found.value)
    return tuple(values)
