"""Who may speak to the API: programs of this machine, and where a token is set only those that know it.

A browser lends its user's place in the network to every page it shows. It also says which page is speaking, so pages
of other origins are told apart and refused; what only looks is harmless without an answer, and what writes must be
JSON, which no page can send elsewhere without asking first.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest

from flask import request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, Unauthorized, UnsupportedMediaType

GUARDED = ("/api/", "/mcp")
OURS = ("same-origin", "none")  # what a browser says of a page of ours, and of an address somebody typed


def guarded(path: str) -> bool:
    """Whether an address belongs to the API."""
    return path.startswith(GUARDED) or path == "/api"


class Guard:
    """Looks at every request for the API before it is answered."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else _digest(token)

    def __call__(self) -> None:
        if not guarded(request.path):
            return
        _refuse_other_pages()
        if self._token is not None:
            self._refuse_strangers(self._token)
        if request.method == "POST" and request.mimetype != "application/json":
            raise UnsupportedMediaType(
                f"the body is sent as {request.mimetype or 'nothing in particular'!r}; send JSON, with the header "
                "Content-Type: application/json"
            )

    def _refuse_strangers(self, token: bytes) -> None:
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        known = compare_digest(_digest(given.strip()), token)  # as long whatever is given
        if scheme.lower() != "bearer" or not known:
            raise Unauthorized(
                "this service wants its token: send the header Authorization: Bearer TOKEN",
                www_authenticate=WWWAuthenticate("bearer"),
            )


def _refuse_other_pages() -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        raise Forbidden("this service answers no page of another origin")
    if site is not None and site not in OURS:
        raise Forbidden("this service answers no page of another site")


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogateescape")).digest()
