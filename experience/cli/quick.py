"""`find` and `context` without click: parsing a handful of options by hand keeps a cold one within a few Python starts.

Whatever is not plainly one of them (help, a misspelt option) is left to click, which explains it.
"""

from __future__ import annotations

import os
import sys

from experience.cli import place, show
from experience.errors import ExperienceError
from experience.hall import Hall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Never


_VERBS: dict[str, tuple[str, dict[str, str | None]]] = {  # the one argument of each, its options and their defaults
    "find": ("query", {"limit": "10", "project": None, "url": None}),
    "context": ("prompt", {"path": None, "session": None, "budget": "800", "project": None, "url": None}),
}
_NUMBERS = ("limit", "budget")
_DIGITS = 9


def parsed(arguments: list[str]) -> tuple[str, dict[str, Any]] | None:
    """The verb and its options, or None where click has to look."""
    if not arguments or arguments[0] not in _VERBS:
        return None
    verb, given = arguments[0], iter(arguments[1:])
    subject, defaults = _VERBS[verb]
    found: dict[str, Any] = {subject: None, "tag": [], "as_json": False, **defaults}
    for argument in given:
        if argument == "--json":
            found["as_json"] = True
        elif argument.startswith("--"):
            if not _option(found, argument, given, {*defaults, "tag"} if verb == "find" else {*defaults}):
                return None
        elif found[subject] is not None or (argument.startswith("-") and (verb, argument) != ("context", "-")):
            return None
        else:
            found[subject] = argument
    return (verb, found) if found[subject] is not None and _numbered(found) else None


def run_and_leave(verb: str, asked: dict[str, Any], *, keep: bool) -> Never:
    """Do it, print, and end at once: tidying up a process that ends anyway takes 2 ms of 20."""
    code = run(verb, asked)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # whoever read the output has gone
        code = 1
    if keep and code == 0:  # the next one starts faster
        from experience.hooks import bundle

        bundle.write(bundle.home(), verb)
    os._exit(code)


def run(verb: str, asked: dict[str, Any]) -> int:
    """Do it, print, and tell how it went as an exit code."""
    try:
        # left open, its log would slow down the next; a model takes longer to load than a cold start may
        root = place.known_root(asked["project"], asked["url"])
        with Hall(root, url=asked["url"], actor="cli", vectors=False) as memory:
            found = _find(memory, asked) if verb == "find" else _context(memory, asked)
    except ExperienceError as error:
        show.say(f"experience: {error}")
        return 1
    if asked["as_json"]:
        show.as_json(found)
    else:
        show.hits(found) if verb == "find" else show.block(found)
    return 0


def _find(memory: Hall, asked: dict[str, Any]) -> Any:
    return memory.find(asked["query"], tags=asked["tag"], limit=asked["limit"])


def _context(memory: Hall, asked: dict[str, Any]) -> Any:
    prompt = place.read_stdin() if asked["prompt"] == "-" else asked["prompt"]
    path = asked["path"] and place.at_hand(memory.root, asked["path"])
    return memory.context(prompt, path, asked["session"], asked["budget"])


def _option(found: dict[str, Any], argument: str, given: Any, known: set[str]) -> bool:
    """Take an option with its value, if it is one."""
    name, equals, value = argument[2:].partition("=")
    taken = value if equals else next(given, None) if name in known else None
    if name not in known or taken is None:
        return False
    if name == "tag":
        found["tag"].append(taken)
    else:
        found[name] = taken
    return True


def _numbered(found: dict[str, Any]) -> bool:
    """Turn the numbers into numbers, if they are."""
    for name in _NUMBERS:
        if name in found:
            if not found[name].isdecimal() or len(found[name]) > _DIGITS:
                return False
            found[name] = int(found[name])
    return True
