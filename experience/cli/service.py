"""`experience up`: finds our own dashboard package and lets it serve."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import experience
from experience.cli import show
from experience.errors import ExperienceError

if TYPE_CHECKING:
    from experience.memory import Memory


def serve(memory: Memory, *, host: str | None, port: int | None, as_json: bool) -> None:
    """Serve until a signal ends it."""
    check_ours("dashboard")
    from dashboard.serve import run

    def ready(address: str) -> None:
        show.as_json({"address": address}) if as_json else show.out(f"experience is up at {address}")
        show.say(f"project {memory.project}, store {memory.store.where}; Ctrl-C ends it")

    run(
        memory,
        host=host or memory.settings["host"],
        port=memory.settings["port"] if port is None else port,
        ready=ready,
    )


def check_ours(package: str) -> None:
    """Refuse a package of the same name that somebody else put in the way."""
    spec = find_spec(package)
    ours = os.path.dirname(os.path.dirname(os.path.abspath(experience.__file__)))
    theirs = spec and spec.origin and os.path.dirname(os.path.dirname(os.path.abspath(spec.origin)))
    if theirs != ours:
        found = spec.origin if spec else "nowhere"
        raise ExperienceError(
            f"the package {package!r} is loaded from {found}, not from {ours}; "
            "start the console script `experience` from an environment without that package"
        )
