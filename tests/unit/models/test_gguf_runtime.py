import threading
import time
from pathlib import Path

import pytest

from prism.errors import ModelCallError
from prism.models.gguf_runtime import GgufRuntime

PIECES = 1000


class CountingServer:
    """Writes the numbers from 0, one piece each millisecond, until told to stop; notes overlaps."""

    def __init__(self) -> None:
        self.written = 0
        self.running = 0
        self.most_at_once = 0

    def handle_chat_completions(self, request, callback):
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        for number in range(request.get("pieces", PIECES)):
            time.sleep(0.001)
            self.written += 1
            if callback({"number": number}):
                break
        self.running -= 1

    def handle_completions(self, request, callback):
        if request.get("fails"):
            raise RuntimeError("broken inside")
        callback({"error": request["error"]})


@pytest.fixture
def server():
    return CountingServer()


@pytest.fixture
def runtime(server):
    made = GgufRuntime(Path("m.gguf"), context_tokens=512, threads=0, setting="models.local.path")
    made._server = server
    return made


def test_pieces_come_in_order(runtime):
    pieces = runtime.stream("chat", {"pieces": 5}, timeout_s=10)
    assert [piece["number"] for piece in pieces] == [0, 1, 2, 3, 4]


def test_closing_the_stream_stops_the_model(runtime, server):
    stream = runtime.stream("chat", {}, timeout_s=10)
    next(stream)
    stream.close()
    list(runtime.stream("chat", {"pieces": 1}, timeout_s=10))  # waits for its turn, so the first has ended
    assert server.written < PIECES / 2


def test_a_call_over_its_time_is_stopped_and_named(runtime, server):
    with pytest.raises(
        ModelCallError, match=r"m\.gguf did not finish within 0\.1 s.*models\.local\.timeout_s"
    ):
        list(runtime.stream("chat", {"pieces": 100_000}, timeout_s=0.1))
    list(runtime.stream("chat", {"pieces": 1}, timeout_s=10))
    assert server.written < 1000


def test_waiting_for_another_call_counts(runtime):
    first = runtime.stream("chat", {}, timeout_s=10)
    next(first)
    with pytest.raises(ModelCallError, match="did not finish"):
        list(runtime.stream("chat", {"pieces": 1}, timeout_s=0.1))
    first.close()


def test_calls_wait_for_each_other(runtime, server):
    threads = [
        threading.Thread(target=lambda: list(runtime.stream("chat", {"pieces": 20}, timeout_s=10)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.written == 80
    assert server.most_at_once == 1


def test_a_message_over_the_context_is_told_with_both_numbers(runtime):
    error = {"type": "exceed_context_size_error", "n_prompt_tokens": 900, "n_ctx": 512, "message": "too long"}
    with pytest.raises(
        ModelCallError, match=r"900 tokens and does not fit the context of m\.gguf \(512 tokens\)"
    ):
        list(runtime.stream("completion", {"error": error}, timeout_s=10))


def test_any_other_refusal_is_told(runtime):
    with pytest.raises(ModelCallError, match="bad grammar"):
        list(runtime.stream("completion", {"error": {"message": "bad grammar"}}, timeout_s=10))


def test_an_error_inside_the_runtime_reaches_the_caller_and_frees_the_turn(runtime):
    with pytest.raises(ModelCallError, match="broken inside"):
        list(runtime.stream("completion", {"fails": True}, timeout_s=10))
    assert len(list(runtime.stream("chat", {"pieces": 2}, timeout_s=10))) == 2
