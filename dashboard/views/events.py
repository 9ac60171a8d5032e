"""Events: what happened, when and by whom; and whether the log is as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.api.moments import moment
from dashboard.page import AT_ONCE, memory, page, room, skipped, words

if TYPE_CHECKING:
    from flask import Response

pages = room("events")
CATEGORIES = ("experience", "memory", "outcome", "job", "session", "run", "tool")


@pages.get("/events")
def listed() -> Response:
    """The newest events that pass every filter."""
    type, text, skip = words("type", 100), words("q", 200), skipped()
    since, until = words("since", 40), words("until", 40)
    rows, more = memory().browse_events(
        type or None, text or None, since=moment("since", since or None), until=moment("until", until or None),
        skip=skip, limit=AT_ONCE,
    )  # fmt: skip
    return page(
        "events/list", rows=rows, more=more, query=text, type=type, since=since, until=until, skip=skip,
        at_once=AT_ONCE, categories=CATEGORIES,
    )  # fmt: skip


@pages.get("/events/<int:seq>")
def one(seq: int) -> Response:
    """One event in full."""
    return page("events/one", event=memory().event(seq))


@pages.get("/events/verify")
def verified() -> Response:
    """Follow the chain from the first event to the last."""
    return page("events/verify", found=memory().verify())
