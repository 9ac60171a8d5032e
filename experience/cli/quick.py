"""`experience find` without click: parsing a handful of options by hand keeps a cold find within a few Python starts.

Whatever is not plainly a find (help, a misspelt option) is left to click, which explains it.
"""

from __future__ import annotations

import gc
import os
import sys

from experience.cli import show
from experience.cli.place import opened
from experience.errors import ExperienceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Never

_TAKES_A_VALUE = {"--tag", "--limit", "--project", "--url"}


def parsed(arguments: list[str]) -> dict[str, Any] | None:
    """The options of a find, or None where click has to look."""
    if arguments[:1] != ["find"]:
        return None
    found: dict[str, Any] = {"query": None, "tag": [], "limit": "10", "project": None, "url": None, "json": False}
    rest = iter(arguments[1:])
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in _TAKES_A_VALUE:
            taken = value if equals else next(rest, None)
            if taken is None:
                return None
            _take(found, name[2:], taken)
        elif argument == "--json":
            found["json"] = True
        elif argument.startswith("-") or found["query"] is not None:
            return None
        else:
            found["query"] = argument
    return found if found["query"] is not None and found["limit"].isdecimal() else None


def run_and_leave(asked: dict[str, Any]) -> Never:
    """Find, print, and end at once: collecting and tidying up a process that ends anyway takes 2 ms of 20."""
    gc.disable()
    code = run(asked)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # whoever read the output has gone
        code = 1
    os._exit(code)


def run(asked: dict[str, Any]) -> int:
    """Find, print, and tell how it went as an exit code."""
    try:
        with opened(asked["project"], asked["url"]) as memory:
            found = memory.find(asked["query"], tags=asked["tag"], limit=int(asked["limit"]))
    except ExperienceError as error:
        show.say(f"experience: {error}")
        return 1
    show.as_json(found) if asked["json"] else show.hits(found)
    return 0


def _take(found: dict[str, Any], name: str, value: str) -> None:
    if name == "tag":
        found["tag"].append(value)
    else:
        found[name] = value
