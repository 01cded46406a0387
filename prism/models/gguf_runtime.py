"""llama.cpp in process, through xllamacpp: one model, one caller at a time, every call stoppable.

A generation runs in its own thread and hands its pieces over in a queue, because the runtime only
gives way inside its per-piece callback: closing the stream, a timeout and the end of the program all
make the next callback return True, which stops the model. Reading the prompt cannot be interrupted.
"""

from __future__ import annotations

import json
import queue
import secrets
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

from prism.errors import ModelCallError, ModelError, ModelMissingError, ModelUnfitError

Endpoint = Literal["chat", "completion"]

_QUIET = -1


class GgufRuntime:
    """A loaded GGUF model. Loads on the first call; `close` frees it, a later call loads it again."""

    def __init__(self, file: Path, *, context_tokens: int, threads: int, setting: str) -> None:
        self._file = file
        self._context_tokens = context_tokens
        self._threads = threads
        self._setting = setting
        # The runtime always listens on loopback; without this key other users of the machine could ask it.
        self._api_key = secrets.token_urlsafe(32)
        self._busy = threading.Lock()
        self._loading = threading.Lock()
        self._server: Any = None

    def stream(
        self, endpoint: Endpoint, request: Mapping[str, Any], *, timeout_s: float
    ) -> Generator[dict[str, Any], None, None]:
        """Pieces of one answer, in the OpenAI streaming format. Closing the iterator stops the model.

        Args:
            endpoint: chat completions, or completions of a bare prompt.
            request: body of the OpenAI-style request.
            timeout_s: longest time to the last piece, waiting for other callers included, loading not.

        Raises:
            ModelUnfitError: llama.cpp cannot load the file.
            ModelCallError: the prompt does not fit the context, the request is refused, or time is up.
        """
        self.load()
        generation = _Generation(self, endpoint, {**request, "stream": True}, timeout_s)
        try:
            yield from generation.pieces()
        finally:
            generation.stop()

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text in this model's vocabulary. Raises as `stream`."""
        body = json.dumps({"content": text}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._api_key}"}
        request = Request(f"{self.load().listening_address}/tokenize", data=body, headers=headers)  # noqa: S310
        try:
            # Loopback must never go through a proxy of the environment.
            with build_opener(ProxyHandler({})).open(request, timeout=30) as response:
                return len(json.load(response)["tokens"])
        except (URLError, TimeoutError, ValueError, KeyError) as error:
            raise ModelCallError(f"{self._file.name} could not count tokens: {error}") from None

    def load(self) -> Any:
        """The xllamacpp `Server`, made on first use."""
        with self._loading:
            if self._server is None:
                self._server = self._start()
            return self._server

    def close(self) -> None:
        """Wait for the call in hand and free the model."""
        with self._busy, self._loading:
            self._server = None

    def _start(self) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise ModelMissingError(
                f"The package xllamacpp, which runs GGUF models, cannot be imported ({error}). Reinstall it "
                "(pip install --force-reinstall xllamacpp), or set models.answerer to quote."
            ) from None
        params = xllamacpp.CommonParams()
        params.model.path = str(self._file)
        params.n_ctx = self._context_tokens
        params.n_parallel = 1
        params.verbosity = _QUIET
        params.warmup = False
        params.offline = True
        params.ui = False
        params.endpoint_slots = False
        params.api_keys = [self._api_key]
        if self._threads:
            params.cpuparams.n_threads = self._threads
            params.cpuparams_batch.n_threads = self._threads
        try:
            return xllamacpp.Server(params)
        except RuntimeError as error:
            raise ModelUnfitError(
                f"llama.cpp cannot load {self._file}: it is cut off, too large for the memory, or of a kind "
                f"llama.cpp does not know ({error}). Copy the file again, or correct {self._setting}."
            ) from None

    def run(self, generation: _Generation) -> None:
        """Body of a generation's thread: wait for the turn, call the model, put every piece."""
        if not self._busy.acquire(timeout=max(0.0, generation.seconds_left())):
            return
        try:
            if generation.stopped():
                return
            server = self.load()
            handle = (
                server.handle_chat_completions if generation.endpoint == "chat" else server.handle_completions
            )
            handle(generation.request, generation.receive)
        except ModelError as error:
            generation.fail(error)
        except Exception as error:  # noqa: BLE001 - whatever the C++ side raises must reach the caller
            generation.fail(ModelCallError(f"{self._file.name} refused the request: {error}"))
        finally:
            self._busy.release()
            generation.end()

    @property
    def model(self) -> str:
        """The file's name, for messages."""
        return self._file.name


class _Generation:
    """One call: its thread, its queue, its deadline."""

    def __init__(
        self, runtime: GgufRuntime, endpoint: Endpoint, request: dict[str, Any], timeout_s: float
    ) -> None:
        self.endpoint = endpoint
        self.request = request
        self._runtime = runtime
        self._timeout_s = timeout_s
        self._deadline = time.monotonic() + timeout_s
        self._queue: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        # Not a daemon: Python would tear such a thread down inside C++ and abort the program.
        self._thread = threading.Thread(target=runtime.run, args=(self,), name="gguf", daemon=False)

    def pieces(self) -> Iterator[dict[str, Any]]:
        self._thread.start()
        while True:
            try:
                piece = self._queue.get(timeout=max(0.0, self.seconds_left()))
            except queue.Empty:
                raise ModelCallError(
                    f"{self._runtime.model} did not finish within {self._timeout_s:g} s. Raise "
                    "models.local.timeout_s, lower models.local.max_output_tokens, or use a smaller model."
                ) from None
            if piece is None:
                return
            if isinstance(piece, Exception):
                raise piece
            if "error" in piece:
                raise _refusal(self._runtime.model, piece["error"])
            yield piece

    def receive(self, piece: dict[str, Any]) -> bool:
        """The runtime's callback; True stops the model."""
        self._queue.put(piece)
        return self.stopped()

    def fail(self, error: Exception) -> None:
        self._queue.put(error)

    def end(self) -> None:
        self._queue.put(None)

    def stop(self) -> None:
        self._stop.set()

    def stopped(self) -> bool:
        return self._stop.is_set() or not threading.main_thread().is_alive()

    def seconds_left(self) -> float:
        return self._deadline - time.monotonic()


def _refusal(model: str, error: Mapping[str, Any]) -> ModelCallError:
    if error.get("type") == "exceed_context_size_error":
        return ModelCallError(
            f"The message has {error.get('n_prompt_tokens')} tokens and does not fit the context of {model} "
            f"({error.get('n_ctx')} tokens). Send less, or raise models.local.context_tokens."
        )
    return ModelCallError(f"{model} refused the request: {error.get('message', error)}")
