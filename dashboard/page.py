"""What every page shares: one address for the whole page and its fragment, the memory, filters, and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from dashboard import shown
from dashboard.api.errors import SENTENCES, STATUS, UNAVAILABLE, sentence
from dashboard.api.guard import guarded
from dashboard.guests import Guests
from experience import ExperienceError, InvalidInput, __version__

if TYPE_CHECKING:
    from collections.abc import Collection

    from flask import Flask
    from jinja2 import Template

    from experience import Memory

AT_ONCE = 50  # rows of a page
TITLES = {400: "That cannot be shown", 403: "Refused", 404: "Nothing here", 409: "Somebody was faster",
          503: "The store cannot be reached"}  # fmt: skip
NOWHERE = "There is nothing at this address. It may have been erased, or the address has a slip in it."


def attach(app: Flask, *, token: str | None) -> None:
    """Give the application what all templates use, and the sentences for what goes wrong outside of any page."""
    app.before_request(Guests(token))
    app.jinja_env.filters.update(shown.FILTERS)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["address"] = _address
    app.context_processor(_everywhere)
    for status in (401, 403, 404):
        app.register_error_handler(status, _outside)


def room(name: str) -> Blueprint:
    """A blueprint whose errors are pages, too."""
    made = Blueprint(name, f"dashboard.views.{name}")
    made.register_error_handler(ExperienceError, _told)
    made.register_error_handler(HTTPException, _refused)
    return made


def memory() -> Memory:
    """The memory that is shown."""
    found: Memory = current_app.extensions["experience"]
    return found


def page(name: str, status: int = 200, **data: Any) -> Response:
    """A whole page, or just its changing part where htmx asks for it."""
    folder, _, last = name.rpartition("/")
    part = f"{folder}/_{last}.html"
    templates: list[str | Template] = [part] if _wants_part() else [f"{folder}/{last}.html", "shell.html"]
    answer = make_response(render_template(templates, **data, folder=folder, part=part), status)
    answer.headers["Vary"] = "HX-Request"
    return answer


def done(words: str, *, to: str, well: bool = True) -> Response:
    """After a change: back to a page by a form, or by htmx a sentence, after which what is shown is asked for anew."""
    if request.headers.get("HX-Request") != "true":
        return make_response("", 303, {"Location": to})
    answer = make_response(render_template("_said.html", words=words, well=well))
    answer.headers["HX-Trigger"] = "changed"
    return answer


def gone(*, to: str) -> Response:
    """After something was removed: away from its page."""
    if request.headers.get("HX-Request") != "true":
        return make_response("", 303, {"Location": to})
    return make_response("", 200, {"HX-Redirect": to})


def chosen(name: str, allowed: Collection[str], default: str | None = None) -> str | None:
    """A filter from the address; one that is not among what is allowed gets a sentence."""
    given = request.args.get(name, "").strip()
    if not given:
        return default
    if given not in allowed:
        raise InvalidInput(f"{name} {given[:80]!r} is unknown; choose one of {', '.join(allowed)}")
    return given


def words(name: str, most: int = 500) -> str:
    """Text from the address."""
    given = request.args.get(name, "").strip()
    if len(given) > most:
        raise InvalidInput(f"{name} is longer than {most} characters; shorten it")
    return given


def skipped() -> int:
    """How many rows lie before the page that is asked for."""
    given = request.args.get("skip", "0")
    if not given.isdecimal() or len(given) > 9:
        raise InvalidInput(f"skip {given[:80]!r} is no number; write skip=50")
    return int(given)


def _wants_part() -> bool:
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-History-Restore-Request") != "true"


def _everywhere() -> dict[str, Any]:
    known: Memory = current_app.extensions["experience"]
    return {"project": known.project, "version": __version__}


def _address(**changes: Any) -> str:
    """The present address with other filters; what is empty is left out."""
    kept = {**request.args.to_dict(), **changes}
    query = urlencode({name: value for name, value in kept.items() if value not in ("", None)})
    return f"{request.path}?{query}" if query else request.path


def _told(error: ExperienceError) -> Response:
    return _problem(STATUS.get(type(error), UNAVAILABLE), str(error))


def _refused(error: HTTPException) -> Response | HTTPException:
    if error.code is None or error.code < 400:  # a redirect
        return error
    answer = _problem(error.code, NOWHERE if error.code == 404 else error.description or error.name)
    answer.headers.extend([pair for pair in error.get_headers() if pair[0] in ("Allow", "WWW-Authenticate")])
    return answer


def _outside(error: HTTPException) -> Response | HTTPException:
    if not guarded(request.path):
        return _refused(error)
    answer = sentence(SENTENCES.get(error.code or 404) or error.description or error.name, error.code or 404)
    answer.headers.extend([pair for pair in error.get_headers() if pair[0] == "WWW-Authenticate"])
    return answer


def _problem(status: int, words: str) -> Response:
    title = TITLES.get(status, "That did not work")
    template = "_problem.html" if _wants_part() else "problem.html"
    answer = make_response(render_template(template, title=title, words=words, status=status), status)
    answer.headers["Vary"] = "HX-Request"
    if status == UNAVAILABLE:
        answer.headers["Retry-After"] = "5"
    return answer
