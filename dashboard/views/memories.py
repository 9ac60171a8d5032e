"""Memories: by type, priority, reach and state; each with its history; edited, archived, brought back, forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import abort, request, url_for

from dashboard.page import AT_ONCE, chosen, done, gone, memory, page, room, skipped, words
from experience import MemoryItem
from experience.layers.figures import STATES
from experience.models import MEMORY_TYPES, PRIORITIES, REACHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Response

    from experience import MemoryHit

pages = room("memories")
SHOWN = 20
FOUND = 100  # of what is found, the best so many are filtered
HIDDEN = 500  # memories hidden from search that are looked through
WORDS = {"archive": "Archived: it is found, and never injected.", "restore": "Brought back.",
         "remember": "Its decay starts anew."}  # fmt: skip


@pages.get("/memories")
def listed() -> Response:
    """What matches the query best, or a page of all."""
    query, skip = words("q"), skipped()
    type, priority = chosen("type", MEMORY_TYPES), chosen("priority", PRIORITIES)
    state, reach = chosen("state", STATES, "current") or "current", chosen("reach", REACHES, "project") or "project"
    rows: Sequence[tuple[MemoryItem, MemoryHit | None]]
    if query:
        kept = [pair for pair in _matching(query, type, state, reach) if priority in (None, pair[0].priority)]
        rows, more = kept[:AT_ONCE], False
    else:
        plain, more = memory().browse_memories(type, priority, state, reach, skip=skip, limit=AT_ONCE)
        rows = [(one, None) for one in plain]
    return page(
        "memories/list", rows=rows, more=more, query=query, type=type, priority=priority, state=state, reach=reach,
        types=MEMORY_TYPES, priorities=PRIORITIES, states=STATES, reaches=REACHES, skip=skip, at_once=AT_ONCE,
    )  # fmt: skip


@pages.get("/memories/<id>")
def one(id: str) -> Response:
    """One memory in full, with what it said before."""
    known, found = memory(), _known(id)
    return page(
        "memories/one", one=found, history=known.history(id), types=MEMORY_TYPES, priorities=PRIORITIES,
        events=known.events.list(subject=id, newest_first=True, limit=SHOWN),
        blocks=known.shelf.injections.list(subject=id, limit=SHOWN),
    )  # fmt: skip


@pages.post("/memories/<id>/edit")
def edited(id: str) -> Response:
    """Change what it says; its history keeps what it said."""
    was, given = _known(id), request.form
    plain = [name for name in ("content", "type", "priority") if name in given]
    changes: dict[str, Any] = {name: given[name] for name in plain if given[name] != getattr(was, name)}
    if "scope" in given and (given["scope"].strip() or None) != was.scope:
        changes["scope"] = given["scope"].strip() or None
    if "tags" in given and (tags := given["tags"].replace(",", " ").split()) != list(was.tags):
        changes["tags"] = tags
    if changes:
        memory().update(id, **changes)
    return done("Saved; its history keeps what it said before." if changes else "Nothing was different.",
                to=url_for("memories.one", id=id))  # fmt: skip


@pages.post("/memories/<id>/forget")
def forgotten(id: str) -> Response:
    """Remove it for good."""
    _known(id)
    memory().forget(id)
    return gone(to=url_for("memories.listed"))


@pages.post("/memories/<id>/<verb>")
def changed(id: str, verb: str) -> Response:
    """Archive it, bring it back, or let its decay start anew."""
    if verb not in WORDS:
        abort(404)
    _known(id)
    getattr(memory(), verb)(id)
    return done(WORDS[verb], to=url_for("memories.one", id=id))


def _matching(query: str, type: str | None, state: str, reach: str) -> list[tuple[MemoryItem, MemoryHit | None]]:
    """What is found by the query in one state; what is hidden from every search by its letters."""
    if state in ("current", "archived", "all"):
        found = memory().recall(query, type=type, limit=FOUND, touch=False)
        wanted = {"current": (False,), "archived": (True,), "all": (False, True)}[state]
        mine = [hit for hit in found if hit.memory.reach == reach]
        return [(hit.memory, hit) for hit in mine if bool(hit.memory.archived_at) in wanted]
    plain, _ = memory().browse_memories(type, None, state, reach, limit=HIDDEN)
    return [(one, None) for one in plain if query.lower() in f"{one.title}\n{one.content}".lower()]


def _known(id: str) -> MemoryItem:
    """A memory by its id; other nouns have pages of their own."""
    found = memory().get(id)
    if not isinstance(found, MemoryItem):
        abort(404)
    return found
