"""experience: a memory that lets AI agents learn from what happened."""

from __future__ import annotations

from experience.clock import StillClock
from experience.errors import Conflict, ExperienceError, InvalidInput, NotFound, StoreUnavailable
from experience.memory import Memory
from experience.models import Event, Experience, Hit, Term, Why
from experience.version import __version__

__all__ = [
    "Conflict", "Event", "Experience", "ExperienceError", "Hit", "InvalidInput", "Memory", "NotFound", "StillClock",
    "StoreUnavailable", "Term", "Why", "__version__", "open",
]  # fmt: skip

open = Memory  # `experience.open(project=".", url=None, home=None, clock=None)`
