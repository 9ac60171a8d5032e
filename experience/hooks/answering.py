"""The answer to one event: read, handed to the hall of the project it happened in, written as its host wants it."""

from __future__ import annotations

import json
import os

from experience.errors import ExperienceError, InvalidInput
from experience.hooks import resident
from experience.hooks.hosts import host as adapter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.memory import Memory

ANSWER = 9_000  # characters; hosts cut what is longer

_encode = json.JSONEncoder(separators=(",", ":")).encode  # ASCII alone: it passes through every code page


def answer(host: str, event: str, raw: bytes, *, hall: Memory | None = None, root: str | None = None) -> str:
    """What to print for an event as it came in; a service gives its *hall*."""
    known = adapter(host)
    if event not in known.EVENTS:
        raise InvalidInput(f"{host} has no event {event!r} that matters here")
    told = respond(known, event, payload(raw), hall=hall, root=root)
    return "" if told is None else f"{_encode(told)}\n"


def respond(
    known: Any, event: str, given: dict[str, Any], *, hall: Memory | None = None, root: str | None = None
) -> dict[str, Any] | None:
    """The answer of a host's adapter to one event, or None where there is nothing to say."""
    heard = known.heard(event, given)
    if not (heard.session and heard.cwd):
        raise InvalidInput("the event names no session, or no directory")
    if not os.path.isdir(heard.cwd):
        raise ExperienceError("the directory of the event is gone")
    root = root or resident.project_root(heard.cwd)
    if root is None:
        return None  # no memory lives here, and a hook makes none
    from experience.hooks.actions import act

    if hall is not None:
        if not os.path.samefile(hall.root, root):
            raise resident.Elsewhere("the event is of another project")
        text = act(hall, heard, known.NAME)
    else:
        from experience.memory import Memory

        with Memory(root, actor="hook") as memory:
            text = act(memory, heard, known.NAME)
    made: dict[str, Any] | None = known.answer(event, text[:ANSWER]) if text else None
    return made


def payload(raw: bytes) -> dict[str, Any]:
    """The JSON object of an event; a byte-order mark is no reason to refuse it."""
    try:
        given = json.loads(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the event is not JSON") from error
    if not isinstance(given, dict):
        raise InvalidInput("the event is no JSON object")
    return given
