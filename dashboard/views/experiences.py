"""Experiences: searched as one types, each with its reasons; marked right or wrong, erased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import abort, current_app, url_for

from dashboard.page import AT_ONCE, chosen, done, gone, memory, page, room, skipped, words
from experience.layers.figures import SORTS
from experience.models import EXPERIENCE_TYPES

if TYPE_CHECKING:
    from flask import Response

    from experience import Experience, Hit

pages = room("experiences")
VERDICTS = {"right": 1.0, "wrong": 0.0}
FOUND = 100  # of what is found, the best so many are filtered
SHOWN = 20  # blocks and events of one experience


@pages.get("/experiences")
def listed() -> Response:
    """What matches the query best, or a page of all."""
    query, tag = words("q"), words("tag", 100) or None
    type = chosen("type", EXPERIENCE_TYPES)
    sort, skip = chosen("sort", SORTS, "newest") or "newest", skipped()
    rows: list[tuple[Experience, Hit | None]]
    if query:
        found = memory().find(query, tags=[tag] if tag else None, limit=FOUND)
        hits = [hit for hit in found if (type is None or hit.experience.type == type) and _tagged(hit, tag)][:AT_ONCE]
        rows, more = [(hit.experience, hit) for hit in hits], False
    else:
        plain, more = memory().browse(type, tag, sort, skip=skip, limit=AT_ONCE)
        rows = [(one, None) for one in plain]
    tags = current_app.extensions["held"].get("tags", memory().common_tags)
    return page(
        "experiences/list", rows=rows, more=more, query=query, type=type, tag=tag, sort=sort, skip=skip, tags=tags,
        types=EXPERIENCE_TYPES, sorts=SORTS, at_once=AT_ONCE,
    )  # fmt: skip


@pages.get("/experiences/<id>")
def one(id: str) -> Response:
    """One experience in full: what was done, how it went, where it was handed out."""
    known, found = memory(), _known(id)
    return page(
        "experiences/one", one=found, events=known.events.list(subject=id, newest_first=True, limit=SHOWN),
        blocks=known.shelf.injections.list(subject=id, limit=SHOWN), decay=_decay(found),
    )  # fmt: skip


@pages.post("/experiences/<id>/<verdict>")
def judged(id: str, verdict: str) -> Response:
    """A person says whether it is right."""
    if verdict not in VERDICTS:
        abort(404)
    _known(id)
    memory().outcome(id, VERDICTS[verdict], channel="user", evidence="on the dashboard")
    return done(f"Marked {verdict}.", to=url_for("experiences.one", id=id))


@pages.post("/experiences/<id>/erase")
def erased(id: str) -> Response:
    """Remove it for good."""
    _known(id)
    memory().erase(id)
    return gone(to=url_for("experiences.listed"))


def _known(id: str) -> Experience:
    """An experience by its id; other nouns have pages of their own."""
    return memory().experiences.get(id)


def _tagged(hit: Hit, tag: str | None) -> bool:
    return tag is None or tag in hit.experience.tags


def _decay(one: Experience) -> dict[str, Any]:
    """What it weighs in the weeks to come if nobody uses it."""
    half_life = memory().settings["half_life_days"]
    age = (memory().now() - one.last_used_at).total_seconds() / 86_400
    days = range(0, int(half_life * 5) + 1, max(1, round(half_life / 10)))
    weights = [round(0.5 ** (max(0.0, age + day) / half_life), 4) for day in days]
    return {"kind": "line", "labels": [f"+{day} d" for day in days], "series": [["weight", weights]]}
