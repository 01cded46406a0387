"""A model hub on loopback that serves the files of one folder as one model, by the hub's protocol."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class HubServer:
    """`asked` holds the method, path and headers of every request."""

    def __init__(self, name: str, folder: Path) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self._name = name
        self._files = {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file()
        }
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def served(self) -> set[str]:
        """The files that were fetched."""
        start = f"/{self._name}/resolve/{COMMIT}/"
        return {path.removeprefix(start) for method, path, _ in self.asked if path.startswith(start)}

    @contextmanager
    def running(self) -> Iterator[HubServer]:
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def answer(self, path: str) -> tuple[bytes, dict[str, str]] | None:
        """Body and headers; None where there is no such thing."""
        api = f"/api/models/{self._name}"
        if path == f"{api}/revision/main":
            return self._json({"id": self._name, "sha": COMMIT, "siblings": []})
        if path == f"{api}/tree/{COMMIT}":
            return self._json(
                [
                    {"type": "file", "path": file, "size": len(content), "oid": _etag(content)}
                    for file, content in self._files.items()
                ]
            )
        file = path.removeprefix(f"/{self._name}/resolve/{COMMIT}/")
        if file not in self._files:
            return None
        content = self._files[file]
        return content, {"ETag": f'"{_etag(content)}"', "X-Repo-Commit": COMMIT}

    def _json(self, value: Any) -> tuple[bytes, dict[str, str]]:
        return json.dumps(value).encode(), {"Content-Type": "application/json"}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                hub.asked.append((self.command, path, dict(self.headers.items())))
                found = hub.answer(path)
                body, headers = found or (b'{"error": "Repository not found"}', {})
                if found is None:
                    headers = {"X-Error-Code": "RepoNotFound"}
                self.send_response(200 if found else 404)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet: the tests read `asked`."""

        return Handler


def _etag(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()
