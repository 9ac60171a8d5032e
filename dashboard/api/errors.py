"""What goes wrong, as a status and one sentence in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, request
from werkzeug.exceptions import HTTPException

from dashboard.api.guard import guarded
from experience import Conflict, ExperienceError, InvalidInput, NotFound
from experience.verbs.answers import as_json

if TYPE_CHECKING:
    from flask import Flask

STATUS: dict[type[ExperienceError], int] = {InvalidInput: 400, NotFound: 404, Conflict: 409}
UNAVAILABLE = 503
SENTENCES = {
    404: "there is nothing at this address; /api/openapi.json lists what there is",
    405: "this address is not asked in this way; what looks is a GET, what does something is a POST",
    413: "the body is too large; send at most 8 MB",
    500: "the service failed; its log says how",
}


def register(app: Flask) -> None:
    """Answer every error under /api in JSON; pages keep theirs."""
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(ExperienceError, _told)


def sentence(words: str, status: int) -> Response:
    """An error as the API answers it."""
    return Response(as_json({"error": words}), status, mimetype="application/json")


def _told(error: ExperienceError) -> Response:
    return sentence(str(error), STATUS.get(type(error), UNAVAILABLE))


def _refused(error: HTTPException) -> Response | HTTPException:
    if not guarded(request.path) or error.code is None:
        return error
    answer = sentence(SENTENCES.get(error.code) or error.description or error.name, error.code)
    kept = {name: value for name, value in error.get_headers() if name in ("Allow", "WWW-Authenticate", "Retry-After")}
    answer.headers.extend(kept)
    return answer
