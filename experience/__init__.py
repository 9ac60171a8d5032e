"""experience: a memory that lets AI agents learn from what happened."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.capture.detect import detect
    from experience.clock import StillClock
    from experience.errors import Conflict, ExperienceError, InvalidInput, NotFound, StoreUnavailable
    from experience.memory import Memory
    from experience.memory import Memory as open  # noqa: A004, N813  # the name is the product's front door
    from experience.models import (
        Captured,
        Considered,
        Context,
        Episode,
        Event,
        Experience,
        Hit,
        Injection,
        MemoryHit,
        MemoryItem,
        MemoryWhy,
        Procedure,
        Term,
        Turn,
        Why,
    )  # fmt: skip
    from experience.version import __version__

__all__ = [
    "Captured", "Conflict", "Considered", "Context", "Episode", "Event", "Experience", "ExperienceError", "Hit",
    "Injection", "InvalidInput", "Memory", "MemoryHit", "MemoryItem", "MemoryWhy", "NotFound", "Procedure",
    "StillClock", "StoreUnavailable", "Term", "Turn", "Why", "__version__", "detect", "open",
]  # fmt: skip

_ROOMS = {
    "clock": "StillClock",
    "errors": "Conflict ExperienceError InvalidInput NotFound StoreUnavailable",
    "memory": "Memory",
    "capture.detect": "detect",
    "models": "Captured Considered Context Episode Event Experience Hit Injection MemoryHit MemoryItem MemoryWhy "
    "Procedure Term Turn Why",
    "version": "__version__",
}


def __getattr__(name: str) -> object:
    """Each name is fetched from its room when it is first asked for: a hook pays only for the rooms it enters."""
    wanted = "Memory" if name == "open" else name  # `experience.open(project=".", url=None, home=None, clock=None)`
    for room, names in _ROOMS.items():
        if wanted in names.split():
            from importlib import import_module

            found: object = getattr(import_module(f"experience.{room}"), wanted)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'experience' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
