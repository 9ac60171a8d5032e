"""The two scripts that others wrote, straight from the packages they come in, packed once."""

from __future__ import annotations

import gzip
import os
from functools import cache
from importlib.util import find_spec

from flask import Response, abort, request

from dashboard.page import room

pages = room("assets")
FILES = {
    "htmx.js": ("js_lib_htmx", "static/htmx/htmx.min.js"),
    "chart.js": ("chartkick", "django/static/chartkick/Chart.bundle.js"),
}
DAY_S = 86_400


@pages.get("/assets/<name>")
def file(name: str) -> Response:
    """One script, packed for those that can unpack it."""
    if name not in FILES:
        abort(404)
    packs = bool(request.accept_encodings["gzip"])
    answer = Response(_packed(name) if packs else _whole(name), mimetype="text/javascript")
    answer.headers.extend({"Cache-Control": f"max-age={DAY_S}", "Vary": "Accept-Encoding"})
    if packs:
        answer.headers["Content-Encoding"] = "gzip"
    return answer


@cache
def _packed(name: str) -> bytes:
    return gzip.compress(_whole(name), 6)


@cache
def _whole(name: str) -> bytes:
    package, path = FILES[name]
    found = find_spec(package)
    if found is None or found.origin is None:
        abort(404, description=f"the package that brings {name} is not installed; install experience-memory anew")
    with open(os.path.join(os.path.dirname(found.origin), *path.split("/")), "rb") as file:
        return file.read()
