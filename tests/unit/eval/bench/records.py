"""Records of a small invented run: two repetitions of both builds, all values chosen by hand."""

from __future__ import annotations

from eval.bench.log import Record

STAGES = {"stages_p50_ms": {"dense": 4.0, "gate": 1.5}}
PLAIN_STAGES = {"stages_p50_ms": {"dense": 8.0, "read_merge": 2.0}}

RECORDS = (
    # Twice as fast in both repetitions.
    Record(1000, 1, "prism", "add", 10.0),
    Record(1000, 1, "plain", "add", 20.0),
    Record(1000, 2, "prism", "add", 30.0),
    Record(1000, 2, "plain", "add", 60.0),
    # Half the rate in both.
    Record(1000, 1, "prism", "indexing_rate", 100.0),
    Record(1000, 1, "plain", "indexing_rate", 200.0),
    Record(1000, 2, "prism", "indexing_rate", 150.0),
    Record(1000, 2, "plain", "indexing_rate", 300.0),
    # Twice as fast once, half as fast once.
    Record(1000, 1, "prism", "query_p50", 5.0, STAGES),
    Record(1000, 1, "plain", "query_p50", 10.0, PLAIN_STAGES),
    Record(1000, 2, "prism", "query_p50", 10.0, STAGES),
    Record(1000, 2, "plain", "query_p50", 5.0, PLAIN_STAGES),
    # A larger size, ten times better.
    Record(10_000, 1, "prism", "add", 10.0),
    Record(10_000, 1, "plain", "add", 100.0),
    Record(10_000, 2, "prism", "add", 10.0),
    Record(10_000, 2, "plain", "add", 100.0),
    # Only one build has come so far.
    Record(10_000, 1, "prism", "disk", 12.0),
)
