"""MCP over stdin and stdout, for the host that starts one server per conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

from experience.mcp_server.server import crew, server

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from experience.memory import Memory


def serve(memory: Memory) -> None:
    """Serve until stdin is closed."""
    with crew() as workers:  # work under way is finished before the store is closed
        anyio.run(_serve, memory, workers)


async def _serve(memory: Memory, workers: ThreadPoolExecutor) -> None:
    made = server(memory, workers)
    async with stdio_server() as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())
