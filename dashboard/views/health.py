"""Whether the service works and what it serves: a page for people, JSON for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, current_app, jsonify, render_template

from experience import ExperienceError, __version__

if TYPE_CHECKING:
    from flask import Response

pages = Blueprint("health", __name__)


@pages.get("/")
def page() -> tuple[str, int]:
    """The health page."""
    found = _health()
    return render_template("health.html", health=found), _status(found)


@pages.get("/api/health")
def api() -> tuple[Response, int]:
    """The same as JSON; 503 while the store cannot be reached."""
    found = _health()
    return jsonify(found), _status(found)


def _health() -> dict[str, Any]:
    try:
        return {"status": "ok", "version": __version__, **current_app.extensions["experience"].stats()}
    except ExperienceError as error:
        return {"status": "unavailable", "version": __version__, "reason": str(error)}


def _status(found: dict[str, Any]) -> int:
    return 200 if found["status"] == "ok" else 503
