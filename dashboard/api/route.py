"""One row of the table: an address, what it takes, what it answers, and the verb of the hall that does it."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, Any

from flask import request

from experience import InvalidInput
from experience.values import Value
from experience.verbs.arguments import fitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from experience import Memory
    from experience.verbs.arguments import Schema

DEPTH = 100  # of lists in lists
WORDS = {"true": True, "false": False}


class Route(Value):
    """What looks is a GET with its arguments in the address, what does something a POST with a JSON object."""

    method: str
    name: str
    summary: str
    takes: Schema
    answers: str | Schema  # a declared type, or a schema where it is none
    work: Callable[[Memory, dict[str, Any]], object]

    @property
    def path(self) -> str:
        """The address: the name of the command that does the same."""
        return f"/api/{self.name}"

    def answer(self, memory: Memory) -> object:
        """What the hall says to the present request."""
        given = _asked(self.takes) if self.method == "GET" else _body()
        return self.work(memory, fitting(self.takes, given, self.name))


def looks(name: str, summary: str, takes: Schema, answers: str | Schema, work: Any = None) -> Route:
    """A row that changes nothing; where no work is given, the verb of the same name does it."""
    return Route(method="GET", name=name, summary=summary, takes=takes, answers=answers, work=work or _verb(name))


def does(name: str, summary: str, takes: Schema, answers: str | Schema, work: Any = None) -> Route:
    """A row that does something."""
    return Route(method="POST", name=name, summary=summary, takes=takes, answers=answers, work=work or _verb(name))


def _verb(name: str) -> Callable[[Memory, dict[str, Any]], object]:
    return lambda memory, given: getattr(memory, name.replace("-", "_"))(**given)


def _asked(takes: Schema) -> dict[str, Any]:
    """The arguments in the address, each as its schema reads it."""
    found: dict[str, Any] = {}
    for name in request.args:
        schema = takes["properties"].get(name, {})
        given = request.args.getlist(name)
        if schema.get("type") == "array":
            found[name] = given
        elif len(given) > 1:
            raise InvalidInput(f"{name} is given {len(given)} times; give it once")
        else:
            found[name] = _read(given[0], schema.get("type"))
    return found


def _read(text: str, kind: str | None) -> Any:
    """Text as a number or a truth value where it is one; anything else is told apart later."""
    if kind == "boolean":
        return WORDS.get(text, text)
    if kind in ("integer", "number"):
        try:
            return int(text) if kind == "integer" else float(text)
        except ValueError:
            return text
    return text


def _body() -> Any:
    """The JSON of the request's body."""
    try:
        given = json.loads(request.get_data(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the body is not JSON ({error}); send one object such as {{}}") from error
    _check(given)
    return given


def _check(given: Any) -> None:
    """Refuse what could be read but neither stored nor answered: half characters, endless numbers, endless nesting."""
    pending = [(given, 0)]
    while pending:
        value, depth = pending.pop()
        if depth > DEPTH:
            raise InvalidInput(f"the body is nested deeper than {DEPTH} levels; make it flatter")
        if isinstance(value, dict):
            pending += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list):
            pending += [(one, depth + 1) for one in value]
        elif isinstance(value, str):
            _check_text(value)
        elif isinstance(value, float) and abs(value) == inf:
            raise InvalidInput("the body holds a number that is too large to be stored; write it as text")


def _check_text(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"the body holds half a character at position {error.start} of a text; remove it") from error


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")
