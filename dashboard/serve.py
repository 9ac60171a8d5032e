"""Runs the application on this machine until a signal ends it."""

from __future__ import annotations

import ipaddress
import signal
import sys
from typing import TYPE_CHECKING, Any

from waitress.server import create_server

from dashboard.app import create_app
from experience import ExperienceError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from dashboard.api.mcp import Bridge
    from experience import Memory

LARGEST = 64_000_000  # bytes of a request that are read at all; the application refuses smaller ones with a sentence


def run(
    memory: Memory, *, host: str, port: int, ready: Callable[[str], None], token: str | None = None,
    bridge: Bridge | None = None,
) -> None:  # fmt: skip
    """Serve *memory*; *ready* is told the address once it answers."""
    server = _listening(create_app(memory, token=token, bridge=bridge), _loopback(host), port)
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: sys.exit(0))
    shown = f"[{server.effective_host}]" if ":" in server.effective_host else server.effective_host
    ready(f"http://{shown}:{server.effective_port}/")
    sys.stdout.flush()
    try:
        server.run()
    finally:
        server.close()


def _listening(app: Flask, host: str, port: int) -> Any:
    try:
        return create_server(app, host=host, port=port, threads=8, ident=None, max_request_body_size=LARGEST)
    except OSError as error:
        raise ExperienceError(
            f"cannot listen on {host}, port {port} ({error.strerror}); perhaps experience is up already: "
            f"look at http://{host}:{port}/ or choose another port with --port"
        ) from error


def _loopback(host: str) -> str:
    found = "127.0.0.1" if host == "localhost" else host
    try:
        if ipaddress.ip_address(found).is_loopback:
            return found
    except ValueError:
        pass
    raise InvalidInput(f"host {host!r} is not an address of this machine alone; use 127.0.0.1")
