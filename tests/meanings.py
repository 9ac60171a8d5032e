"""A small embedding endpoint on this machine, of which a test decides what texts mean, and how it misbehaves."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import experience

DIMENSION = 16


class Meanings:
    """An OpenAI-compatible endpoint: a text means what it was given, or the first letters of its words."""

    def __init__(self) -> None:
        self.known: dict[str, list[float]] = {}
        self.asked: list[list[str]] = []  # the texts of every request
        self.keys: list[str | None] = []  # and how it was authorised
        self.answer: Any = None  # instead of vectors
        self.status, self.delay_s = 200, 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the library's name
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(body["input"])
                outer.keys.append(self.headers["Authorization"])
                time.sleep(outer.delay_s)
                said = outer.answer if outer.answer is not None else json.dumps(outer.reply(body["input"]))
                try:
                    self.send_response(outer.status)
                    self.end_headers()
                    self.wfile.write(said.encode())
                except OSError:
                    self.close_connection = True  # whoever asked waits no longer

            def log_message(self, *_: object) -> None:
                """Silence."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def reply(self, texts: list[str]) -> dict[str, Any]:
        rows = [{"index": at, "embedding": self.meaning(text)} for at, text in enumerate(texts)]
        return {"data": rows[::-1]}  # an endpoint may answer in any order

    def meaning(self, text: str) -> list[float]:
        if text in self.known:
            return self.known[text]
        found = [0.0] * DIMENSION
        for word in text.lower().split():
            found[ord(word[0]) % DIMENSION] += 1.0
        return found

    def settings(self, **more: str) -> dict[str, str]:
        """What makes a project use it, as environment variables."""
        plain = {"embedder": "endpoint", "embedder_url": self.url, "embedder_model": "letters", **more}
        return {f"EXPERIENCE_{name.upper()}": value for name, value in plain.items()}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def served() -> Iterator[Meanings]:
    server = Meanings()
    yield server
    server.close()


def told(memory: experience.Memory, *texts: str) -> list[str]:
    """Memories with these contents; their ids."""
    return [memory.learn(text).id for text in texts]
