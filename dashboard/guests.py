"""Who may use the pages: people at this machine, and where a token is set only those that know it.

What a page writes is a POST, and a browser says of each one which page it comes from; one that comes from elsewhere,
or does not say, is refused. The token is asked for by the browser itself, as a password under any name.
"""

from __future__ import annotations

from hmac import compare_digest

from flask import request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, Unauthorized

from dashboard.api.guard import guarded

OPEN = ("static", "assets.file")  # styles and scripts tell nobody anything


class Guests:
    """Looks at every request for a page before it is answered."""

    def __init__(self, token: str | None) -> None:
        self._token = token

    def __call__(self) -> None:
        if guarded(request.path) or request.endpoint in OPEN:
            return
        if self._token is not None and not _knows(self._token):
            raise Unauthorized(
                "this service wants its token: any name, and the token as the password",
                www_authenticate=WWWAuthenticate("basic", {"realm": "experience"}),
            )
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _refuse_other_pages()


def _knows(token: str) -> bool:
    given = request.authorization
    password = given.password if given is not None and given.type == "basic" else None
    return compare_digest((password or "").encode("utf-8", "surrogateescape"), token.encode("utf-8", "surrogateescape"))


def _refuse_other_pages() -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    ours = f"{request.scheme}://{request.host}"
    if origin not in (None, ours) or site not in (None, "same-origin") or (origin is None and site is None):
        raise Forbidden("only a page of this service may change something here; open it and try again there")
