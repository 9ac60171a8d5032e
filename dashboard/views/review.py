"""The review queue: what only a person can decide, one by one or many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import request, url_for

from dashboard.page import done, memory, page, room
from experience import Conflict, InvalidInput, NotFound

if TYPE_CHECKING:
    from flask import Response

    from experience.layers.reviews import Review

pages = room("review")
AT_ONCE = 100
DECISIONS = {"approve": ("approved", True), "reject": ("rejected", False)}


@pages.get("/review")
def listed() -> Response:
    """Every open question, oldest first, then what nobody vouches for yet."""
    known = memory()
    questions = [(one, _sides(one)) for one in known.reviews(AT_ONCE)]
    held = known.memories(state="quarantined", limit=AT_ONCE)
    return page("review/list", questions=questions, held=held)


@pages.post("/review")
def decided() -> Response:
    """Decide what was chosen; what somebody else decided meanwhile is told."""
    ids, by = request.form.getlist("id"), request.form.get("by", "").strip() or "lead"
    decision = request.form.get("decision", "")
    if decision not in DECISIONS:
        raise InvalidInput(f"decision {decision[:40]!r} is unknown; choose approve or reject")
    if not 0 < len(ids) <= 2 * AT_ONCE:
        raise InvalidInput("choose something to decide first: tick it, or go to it with j and k")
    word, yes = DECISIONS[decision]
    count, missed = 0, []
    for id in ids:
        try:
            memory().decide(id, approve=yes, by=by)
            count += 1
        except (Conflict, NotFound) as error:
            missed.append(str(error))
    told = [f"{count} {word}."] if count else []
    return done(" ".join([*told, *missed]), to=url_for("review.listed"), well=not missed)


def _sides(one: Review) -> list[Any]:
    """The memories a question is about, the newer first."""
    if one.kind != "supersession":
        return []
    ids = [one.subject, one.other]
    held = {item.id: item for shelf in memory().shelves() for item in shelf.memories.by_ids(ids)}
    return [held[id] for id in ids if id in held]
