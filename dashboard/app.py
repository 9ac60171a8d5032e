"""The web application: one memory, one blueprint a page, and the headers that keep strangers out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, Response, abort, request
from htmx_flask import Htmx

from dashboard import api, page
from dashboard.held import Held
from dashboard.views import PAGES
from dashboard.views.nights import Work

if TYPE_CHECKING:
    from dashboard.api.mcp import Bridge
    from experience import Memory

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",  # with none at all a browser would hide from us that a form is our own
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def create_app(memory: Memory, *, token: str | None = None, bridge: Bridge | None = None) -> Flask:
    """The application that shows one memory; its API and its pages want the *token* where there is one."""
    app = Flask(__name__)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["experience"] = memory
    app.extensions["held"], app.extensions["night"] = Held(memory), Work()
    Htmx(app)
    app.before_request(_refuse_other_hosts)
    for pages in PAGES:
        app.register_blueprint(pages)
    api.attach(app, token=token, bridge=bridge)
    page.attach(app, token=token)
    app.after_request(_with_headers)
    return app


def _refuse_other_hosts() -> None:
    """A page elsewhere may point its own name at this machine; only the machine's names are answered."""
    name = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    if name not in LOOPBACK:
        abort(403, description=f"this service answers to {', '.join(LOOPBACK)} alone")


def _with_headers(response: Response) -> Response:
    response.headers.extend({name: value for name, value in HEADERS.items() if name not in response.headers})
    return response
