"""Archive: once a week, memories that have faded are put out of reach of injection. They are still found."""

from __future__ import annotations

from datetime import timedelta
from math import log2
from typing import TYPE_CHECKING

from experience.clock import to_text
from experience.context.activation import STALE, activation
from experience.layers.memories import HALF_LIFE_DAYS
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from experience.models import MemoryItem
    from jobs.night import Night

NAME = "archive"
JOB = "night"
WEEK = timedelta(days=7)
NEARLY = timedelta(hours=1)  # a bell that rings a moment early still counts as a week later
_SECONDS_A_DAY = 86_400.0


def idle(night: Night) -> str | None:
    """Why there is nothing to do tonight, if there is not."""
    last = night.shelf.nights.last_step(JOB, NAME, least=1)
    if last is None or not last <= night.now < last + WEEK - NEARLY:  # a clock that went back makes it due
        return None
    return f"memories were archived on {last:%Y-%m-%d}; the next time is a week later"


def plan(night: Night) -> list[Change]:
    """The memories that have faded, once a week."""
    return [] if idle(night) else stale(night.shelf.memories.weaker(_faintest(night.now)), night.now)


def stale(memories: Iterable[MemoryItem], now: datetime) -> list[Change]:
    """A change for each whose activation is too low. Pure."""
    return [
        Change(
            step=NAME, action="archived", kind="memory", subject=one.id, was={"archived_at": None},
            became={"archived_at": to_text(now)},
        )
        for one in memories
        if activation(one, now) < STALE
    ]  # fmt: skip


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Archive those that are faded still: what was recalled in the meantime is not."""
    ids = [change.subject for change in changes]
    keys = {id: key for key, id in night.shelf.memories.archive(ids, night.now, weaker=_faintest(night.now))}
    made = [change for change in changes if change.subject in keys]
    facts = [(change.subject, {"run": night.run, "key": keys[change.subject]}) for change in made]
    night.shelf.events.append_many("memory.archived", facts, night.now, actor="night")
    return made


def _faintest(now: datetime) -> float:
    """The strength, as it is stored, that every memory with too low an activation is below; a little is added."""
    return log2(STALE) + now.timestamp() / _SECONDS_A_DAY / HALF_LIFE_DAYS + 1e-6
