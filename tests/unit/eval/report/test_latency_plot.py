"""Times on a logarithmic axis."""

from __future__ import annotations

from eval.report.latency_plot import latency_plot
from tests.unit.eval.report.drawings import hints, parsed, percent_of, words
from tests.unit.eval.report.results import alone, make_result, pair

TIMES = {"retrieve": {"p50": 1.0, "p95": 10.0, "p99": 100.0}}


def places(svg: str) -> list[float]:
    return [
        percent_of(item, "x")
        for item in parsed(svg).iter("svg")
        if item.get("class", "").startswith("marker")
    ]


def test_powers_of_ten_are_the_same_distance_apart() -> None:
    # From 1 to 100 ms on an axis from 7 % to 96 %: 1 at 7, 10 in the middle at 51.5, 100 at 96.
    svg = latency_plot(alone(latency_ms=TIMES), ["retrieve"])
    assert places(svg) == [7.0, 51.5, 96.0]
    assert [text for text in words(parsed(svg)) if text.endswith("ms")] == ["1 ms", "10 ms", "100 ms"]
    assert hints(parsed(svg)) == ["retrieve p50 1.00 ms", "retrieve p95 10.0 ms", "retrieve p99 100 ms"]


def test_percentiles_differ_in_shape() -> None:
    root = parsed(latency_plot(alone(latency_ms=TIMES), ["retrieve"]))
    shapes = {
        tuple(sorted(child.attrib.items()))
        for item in root.iter("svg")
        if item.get("class", "").startswith("marker")
        for child in item
        if child.tag != "title"
    }
    assert len(shapes) == 3


def test_no_time_at_all_is_drawn_at_the_shortest_that_can_be() -> None:
    # The axis begins at 0.01 ms, where 0 is drawn too.
    times = {"gate": {"p50": 0.0, "p95": 0.0, "p99": 0.1}}
    assert places(latency_plot(alone(latency_ms=times), ["gate"])) == [7.0, 7.0, 96.0]


def test_times_all_alike_have_an_axis() -> None:
    times = {"gate": {"p50": 10.0, "p95": 10.0, "p99": 10.0}}
    svg = latency_plot(alone(latency_ms=times), ["gate"])
    assert places(svg) == [7.0, 7.0, 7.0]
    assert [text for text in words(parsed(svg)) if text.endswith("ms")] == ["10 ms", "100 ms"]


def test_seconds_are_called_seconds() -> None:
    times = {"rerank": {"p50": 500.0, "p95": 5000.0, "p99": 9000.0}}
    shown = words(parsed(latency_plot(alone(latency_ms=times), ["rerank"])))
    assert {"100 ms", "1 s", "10 s"} <= set(shown)


def test_stage_that_a_result_lacks_has_an_empty_row() -> None:
    svg = latency_plot(pair(make_result(latency_ms={"expand": TIMES["retrieve"]})), ["retrieve", "expand"])
    # The first result has times of retrieving, the second of expanding: three markers each.
    assert len(places(svg)) == 6
    assert words(parsed(svg)).count("B") == 2
