"""The HTTP API: everything the command line does, for programs in any language; every address is a row of one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.api import errors, guard, mcp, openapi, pages

if TYPE_CHECKING:
    from flask import Flask

BODY = 8_000_000  # bytes of a request


def attach(app: Flask, *, token: str | None = None, bridge: mcp.Bridge | None = None) -> None:
    """Put the API under /api and, with a *bridge*, MCP at /mcp; with a *token* both want it."""
    app.config["MAX_CONTENT_LENGTH"] = BODY
    app.before_request(guard.Guard(token))
    pages.register(app)
    openapi.register(app, token=token is not None)
    if bridge is not None:
        mcp.register(app, bridge)
    errors.register(app)
