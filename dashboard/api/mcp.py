"""MCP over HTTP at /mcp, in the same process and behind the same guard as the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from flask import Blueprint, Response, request

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Flask


class Bridge(Protocol):
    """Whatever answers a request of the protocol; the house brings it, so that this package need not know it."""

    def answer(
        self, method: str, path: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """The status, headers and body of the answer."""


def register(app: Flask, bridge: Bridge) -> None:
    """Answer at /mcp. Streams are not held open: there is nothing this server says unasked."""
    pages = Blueprint("mcp", __name__)

    @pages.post("/mcp", provide_automatic_options=False)
    def post() -> Response:
        status, headers, body = bridge.answer("POST", request.path, list(request.headers), request.get_data())
        kept = [(name, value) for name, value in headers if name.lower() not in ("content-length", "connection")]
        return Response(body, status, kept)

    app.register_blueprint(pages)
