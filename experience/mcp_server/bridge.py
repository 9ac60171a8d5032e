"""MCP over HTTP for a synchronous web server: requests cross over into one event loop, and answers come back.

Each request stands for itself and gets one JSON answer, so that no connection is held open and nothing is lost when
the service is restarted. The protocol's packages are loaded with the first request.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from experience.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping
    from contextlib import ExitStack
    from typing import TypeAlias

    from anyio.from_thread import BlockingPortal
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from experience.memory import Memory

    Message: TypeAlias = MutableMapping[str, Any]
    Headers: TypeAlias = list[tuple[str, str]]

BODY = 8_000_000  # bytes of a request


class Bridge:
    """The MCP server of one hall, behind somebody else's HTTP server."""

    def __init__(self, memory: Memory) -> None:
        self._memory, self._lock = memory, Lock()
        self._open: ExitStack | None = None
        self._closed = False

    def answer(
        self, method: str, path: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> tuple[int, Headers, bytes]:
        """The status, headers and body for one request. May be called from any thread."""
        with self._lock:
            if self._closed:
                raise StoreUnavailable("the service is ending; connect again when it is up")
            if self._open is None:
                self._start()
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "root_path": "", "query_string": b"", "client": None,
            "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            "server": None,
        }  # fmt: skip
        answered: tuple[int, Headers, bytes] = self._portal.call(_exchange, self._manager, scope, body)
        return answered

    def close(self) -> None:
        """End the event loop and the threads behind it. Closing twice is harmless."""
        with self._lock:
            self._closed = True
            if self._open is not None:
                self._open.close()
                self._open = None

    def _start(self) -> None:
        from contextlib import ExitStack

        from anyio.from_thread import start_blocking_portal
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from experience.mcp_server.server import crew, server

        with ExitStack() as opened:
            workers = opened.enter_context(crew())
            self._portal: BlockingPortal = opened.enter_context(start_blocking_portal())
            self._manager: StreamableHTTPSessionManager = StreamableHTTPSessionManager(
                server(self._memory, workers), json_response=True, stateless=True, max_request_body_size=BODY
            )
            opened.enter_context(self._portal.wrap_async_context_manager(self._manager.run()))
            self._open = opened.pop_all()


async def _exchange(
    manager: StreamableHTTPSessionManager, scope: dict[str, Any], body: bytes
) -> tuple[int, Headers, bytes]:
    """One request through the ASGI application."""
    import anyio

    pending, status, headers, parts = [body], 500, [], []

    async def receive() -> Message:
        if not pending:
            await anyio.sleep_forever()  # the client is there until it has its answer
        return {"type": "http.request", "body": pending.pop(), "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in message["headers"]]
        else:
            parts.append(message.get("body", b""))

    await manager.handle_request(scope, receive, send)
    return status, headers, b"".join(parts)
