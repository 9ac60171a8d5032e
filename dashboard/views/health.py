"""Whether the service works, what it serves, and how it is set: a page for people, JSON for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, jsonify

from dashboard.page import memory, page, room
from experience import ExperienceError, __version__

if TYPE_CHECKING:
    from flask import Response

pages = room("health")


@pages.get("/health")
def shown() -> Response:
    """What the store holds, and every setting with its source."""
    return page(
        "health/whole",
        stats=current_app.extensions["held"].get("stats", memory().stats),
        settings=memory().settings.all(),
    )


@pages.get("/health/audit")
def audit() -> Response:
    """What should not be in the store; looked for when asked, for it reads everything."""
    return page("health/audit", audit=memory().audit())


@pages.get("/api/health")
def api() -> tuple[Response, int]:
    """The same as JSON; 503 while the store cannot be reached."""
    found = _health()
    return jsonify(found), 200 if found["status"] == "ok" else 503


def _health() -> dict[str, Any]:
    try:
        return {"status": "ok", "version": __version__, **current_app.extensions["experience"].stats()}
    except ExperienceError as error:
        return {"status": "unavailable", "version": __version__, "reason": str(error)}
