"""Sessions: one conversation in order: what was said and done, what was handed out to it and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.page import AT_ONCE, memory, page, room, skipped, words
from experience.context.assemble import REASONS

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Response

    from experience import Injection
    from experience.models import Turn

pages = room("sessions")
SHOWN = 200  # turns and blocks of one session


@pages.get("/sessions")
def listed() -> Response:
    """A page of sessions; with an id in the address, that session. Ids are whatever the agents' hosts make them."""
    if id := words("id"):
        return _one(id)
    skip = skipped()
    rows, more = memory().browse_sessions(skip=skip, limit=AT_ONCE)
    return page("sessions/list", rows=rows, more=more, skip=skip, at_once=AT_ONCE)


def _one(id: str) -> Response:
    known = memory()
    talk, turns, blocks = known.session(id, SHOWN)
    steps: list[tuple[datetime, Turn | None, Injection | None]] = [(turn.created_at, turn, None) for turn in turns]
    steps += [(block.created_at, None, block) for block in blocks]
    outcomes: dict[str, list[tuple[float, str]]] = {}
    for subject, score, channel, _ in known.shelf.outcomes.verified([block.id for block in blocks]):
        outcomes.setdefault(subject, []).append((score, channel))
    return page(
        "sessions/one", talk=talk, steps=sorted(steps, key=lambda step: step[0]), outcomes=outcomes, reasons=REASONS,
        shown=SHOWN,
    )  # fmt: skip
