"""`experience up`: everything at once, on this machine: the pages, the API, and the bell of the night."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experience.cli import show
from experience.neighbours import neighbour

if TYPE_CHECKING:
    from experience.memory import Memory


def serve(memory: Memory, *, host: str | None, port: int | None, as_json: bool) -> None:
    """Serve until a signal ends it."""
    dashboard, bell = neighbour("dashboard.serve"), neighbour("jobs.scheduler").Scheduler(memory)

    def ready(address: str) -> None:
        show.as_json({"address": address}) if as_json else show.out(f"experience is up at {address}")
        show.say(f"project {memory.project}, store {memory.store.where}; Ctrl-C ends it")
        bell.start()

    try:
        dashboard.run(
            memory, host=host or memory.settings["host"], port=memory.settings["port"] if port is None else port,
            ready=ready,
        )  # fmt: skip
    finally:
        bell.stop()
