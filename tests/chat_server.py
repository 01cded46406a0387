"""A small OpenAI-compatible server on loopback that does as it is told and notes what it is sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Reply:
    """`chunks` are sent as a stream when given; `cut` ends the stream without its last words."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    chunks: list[str] | None = None
    finish_reason: str | None = "stop"
    cut: bool = False


@dataclass
class ChatServer:
    url: str
    requests: list[Request]


def completion(text: str, finish_reason: str | None = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def _event(delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


@contextmanager
def serving(answer: Callable[[int, Request], Reply]) -> Iterator[ChatServer]:
    """Serve until the block ends; `answer` gets the request and its number, from 0."""
    requests: list[Request] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            request = Request(self.path, dict(self.headers), body)
            with lock:
                number = len(requests)
                requests.append(request)
            reply = answer(number, request)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.chunks is None:
                raw = reply.body.encode() if isinstance(reply.body, str) else json.dumps(reply.body).encode()
                kind = "text/html" if isinstance(reply.body, str) else "application/json"
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
                return
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for chunk in reply.chunks:
                self.wfile.write(_event({"content": chunk}))
            if not reply.cut:
                self.wfile.write(_event({}, reply.finish_reason) + b"data: [DONE]\n\n")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield ChatServer(f"http://127.0.0.1:{server.server_address[1]}/v1", requests)
    finally:
        server.shutdown()
        server.server_close()
