"""Every row of the table at its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, current_app

from dashboard.api.routes import ROUTES
from experience.verbs.answers import as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from dashboard.api.route import Route


def register(app: Flask) -> None:
    """Give the application every address of the table."""
    api = Blueprint("api", __name__)
    for route in ROUTES:
        api.add_url_rule(
            route.path, f"{route.method}-{route.name}", _view(route), methods=[route.method],
            provide_automatic_options=False,
        )  # fmt: skip
    app.register_blueprint(api)


def _view(route: Route) -> Callable[[], Response]:
    def view() -> Response:
        found = route.answer(current_app.extensions["experience"])
        return Response(as_json(found), mimetype="application/json")

    return view
