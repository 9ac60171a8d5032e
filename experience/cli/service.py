"""`experience up`: everything at once, on this machine: the pages, the API, and the bell of the night."""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING

from experience.cli import show
from experience.hooks.service import listening
from experience.mcp_server.bridge import Bridge
from experience.neighbours import neighbour

if TYPE_CHECKING:
    from experience.memory import Memory

TOKEN = "EXPERIENCE_API_TOKEN"  # noqa: S105  # the variable's name


def serve(memory: Memory, *, host: str | None, port: int | None, as_json: bool) -> None:
    """Serve until a signal ends it."""
    dashboard, bell = neighbour("dashboard.serve"), neighbour("jobs.scheduler").Scheduler(memory)
    watcher = neighbour("memory_sync").watch(memory)
    token, bridge = os.environ.get(TOKEN), Bridge(memory)

    def ready(address: str) -> None:
        doors = {"address": address, "api": f"{address}api/", "mcp": f"{address}mcp"}
        show.as_json(doors) if as_json else show.out(f"experience is up at {address}")
        show.say(f"project {memory.project}, store {memory.store.where}; Ctrl-C ends it")
        show.say(f"HTTP API {doors['api']}openapi.json, MCP {doors['mcp']}{f'; both want {TOKEN}' if token else ''}")
        bell.start()
        Thread(target=watcher.start, name="experience-first-sync", daemon=True).start()  # a first sync may take long

    try:
        with listening(memory):  # hooks of this project ask here first
            dashboard.run(
                memory, host=host or memory.settings["host"], port=memory.settings["port"] if port is None else port,
                ready=ready, token=token or None, bridge=bridge,
            )  # fmt: skip
    finally:
        bridge.close()
        bell.stop()
        watcher.stop()
