"""The table as an OpenAPI document: other languages make their clients from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response

from dashboard.api.routes import ROUTES
from experience import __version__
from experience.verbs import answers

if TYPE_CHECKING:
    from flask import Flask

    from dashboard.api.route import Route
    from experience.verbs.arguments import Schema

ERRORS = {
    "400": "The input does not fit; the sentence says what to do.", "401": "The token is missing or wrong.",
    "403": "A page of another origin asked.", "404": "There is no such thing in this project.",
    "409": "It would break a promise of the store, or somebody was faster.", "413": "The body is too large.",
    "415": "The body is not JSON.", "503": "The store cannot be reached, or stays locked.",
}  # fmt: skip
DESCRIPTION = """What looks is a GET with its arguments in the address, what does something a POST with a JSON object.
Every error is `{"error": "a sentence"}`. The words of a caller who names no source are an agent's."""


def register(app: Flask, *, token: bool) -> None:
    """Serve the document at /api/openapi.json."""
    page = Blueprint("openapi", __name__)
    whole = answers.as_json(document(token=token))

    @page.get("/api/openapi.json", provide_automatic_options=False)
    def openapi() -> Response:
        return Response(whole, mimetype="application/json")

    app.register_blueprint(page)


def document(*, token: bool = False) -> dict[str, Any]:
    """The OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "experience", "version": __version__, "description": DESCRIPTION},
        "servers": [{"url": "/"}], "paths": paths,
        "components": {
            "schemas": {**answers.nouns(), "Error": _error()},
            "responses": {status: _response(words, _ref("Error")) for status, words in ERRORS.items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }  # fmt: skip
    return {**found, "security": [{"token": []}]} if token else found


def _operation(route: Route) -> dict[str, Any]:
    answer = answers.schema(route.answers) if isinstance(route.answers, str) else route.answers
    refused = {status: {"$ref": f"#/components/responses/{status}"} for status in ERRORS}
    found: dict[str, Any] = {
        "operationId": f"{'look_' if route.method == 'GET' else ''}{route.name.replace('/', '_').replace('-', '_')}",
        "summary": route.summary, "responses": {"200": _response("What was asked for.", answer), **refused},
    }  # fmt: skip
    if route.method == "GET":
        found["parameters"] = [_parameter(name, schema, route) for name, schema in route.takes["properties"].items()]
    else:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": route.takes}}}
    return found


def _parameter(name: str, schema: Schema, route: Route) -> dict[str, Any]:
    return {
        "name": name, "in": "query", "required": name in route.takes["required"],
        "description": schema["description"], "schema": schema,
    }  # fmt: skip


def _response(words: str, schema: Schema) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _error() -> Schema:
    return {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
