"""A hook from its first byte to its last: within its deadline it answers or says nothing, and it always ends well.

A hook never hurts the agent: whatever happens here, the exit code is 0 and nothing but a whole answer is printed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from _thread import allocate_lock, start_new_thread
from time import sleep

from experience.errors import ExperienceError, InvalidInput
from experience.hooks import trouble
from experience.hooks.hosts import host as adapter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Never

DEADLINE_S = 2.0
LAST_S = 0.8  # hosts that end allow a second
STORE_S = "0.9"  # how long a busy store is waited for
MOST = 8_000_000  # bytes of an event; more is no event
ANSWER = 9_000  # characters; hosts cut what is longer

_encode = json.JSONEncoder(separators=(",", ":")).encode  # ASCII alone: it passes through every code page


def main(arguments: list[str]) -> Never:
    """Answer the event on stdin for a host, and end at once."""
    gc.disable()
    host, event = (*arguments[:2], "", "")[:2]
    voice = allocate_lock()  # whoever takes it ends the process: with an answer, or because the time is up
    try:
        start_new_thread(_end_in_time, (voice, host, event))
        os.environ["EXPERIENCE_TIMEOUT_S"] = STORE_S
        told = answer(host, event, stdin())
        voice.acquire()
        if told:
            os.write(1, told.encode())
    except BaseException as error:  # the one promise of a hook: it never hurts the agent
        trouble.note(home(), host, event, error)
    os._exit(0)


def answer(host: str, event: str, raw: bytes) -> str:
    """What to print for an event as it came in."""
    known = adapter(host)
    if event not in known.EVENTS:
        raise InvalidInput(f"{host} has no event {event!r} that matters here")
    told = respond(known, event, payload(raw))
    return "" if told is None else f"{_encode(told)}\n"


def respond(known: Any, event: str, given: dict[str, Any]) -> dict[str, Any] | None:
    """The answer of a host's adapter to one event, or None where there is nothing to say."""
    heard = known.heard(event, given)
    if not (heard.session and heard.cwd):
        raise InvalidInput("the event names no session, or no directory")
    root = project_root(heard.cwd)
    if root is None:
        return None  # no memory lives here, and a hook makes none
    from experience.hooks.actions import act
    from experience.memory import Memory

    with Memory(root, actor="hook") as memory:
        text = act(memory, heard, known.NAME)
    made: dict[str, Any] | None = known.answer(event, text[:ANSWER]) if text else None
    return made


def payload(raw: bytes) -> dict[str, Any]:
    """The JSON object of an event; a byte-order mark is no reason to refuse it."""
    try:
        given = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the event is not JSON") from error
    if not isinstance(given, dict):
        raise InvalidInput("the event is no JSON object")
    return given


def stdin() -> bytes:
    """All of stdin, read to its end so that the host can finish writing; of too much, nothing is kept."""
    parts, size = [], 0
    while part := os.read(0, 1 << 20):
        size += len(part)
        if size <= MOST:
            parts.append(part)
    if size > MOST:
        raise InvalidInput("the event is too large")
    return b"".join(parts)


def project_root(cwd: str) -> str | None:
    """The nearest directory above with a memory; with a server named, also the nearest under git."""
    own, server = os.path.realpath(home()), os.environ.get("EXPERIENCE_URL")
    here = os.path.abspath(cwd)
    if not os.path.isdir(here):
        raise ExperienceError("the directory of the event is gone")
    above = [here]
    while (parent := os.path.dirname(above[-1])) != above[-1]:
        above.append(parent)
    for path in above:
        inside = os.path.join(path, ".experience")
        if os.path.isdir(inside) and os.path.realpath(inside) != own:
            if server or any(os.path.exists(os.path.join(inside, name)) for name in ("project.db", "settings.json")):
                return path
        elif server and os.path.exists(os.path.join(path, ".git")):
            return path
    return None


def home() -> str:
    """Where the log of troubles is."""
    from experience.settings import home_directory

    return home_directory()


def deadline(event: str) -> float:
    """The seconds an event may take."""
    return LAST_S if event.lower() in ("sessionend", "session.deleted") else DEADLINE_S


def _end_in_time(voice: Any, host: str, event: str) -> None:
    """End the process when its time is up; one that is just answering gets a moment more."""
    sleep(deadline(event))
    if voice.acquire(blocking=False):
        trouble.note(home(), host, event, "the deadline passed")
    else:
        sleep(LAST_S)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
