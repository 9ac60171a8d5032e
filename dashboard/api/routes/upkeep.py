"""The whole store: looking at it, checking it, keeping it sound."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dashboard.api.moments import MOMENT, moment
from dashboard.api.route import does, looks
from experience import InvalidInput
from experience.verbs.arguments import ID, LIMIT, several, takes, text

if TYPE_CHECKING:
    from experience import Memory

IDENTIFIED = takes("id", id=ID)
OBJECT = {"type": "object"}
ANY = "Experience | MemoryItem | Episode | Procedure | Injection"


def _events(memory: Memory, given: dict[str, Any]) -> object:
    if "run" in given:
        return memory.events.replay(given["run"])
    return memory.events.list(
        type=given.get("type"), subject=given.get("subject"), since=moment("since", given.get("since")),
        until=moment("until", given.get("until")), where=dict(map(_field, given.get("where", ()))), newest_first=True,
        limit=given["limit"],
    )[::-1]  # fmt: skip


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"where {text!r} must read FIELD=VALUE, such as where=type=task_solution")
    try:
        found = json.loads(value)
    except ValueError:
        return name, value
    return name, found if isinstance(found, str | int | float) else value


def _erase(memory: Memory, given: dict[str, Any]) -> object:
    memory.erase(given["id"])
    return {"erased": given["id"]}


ROUTES = (
    looks("get", "Show one thing in full by its id", IDENTIFIED, ANY),
    looks("stats", "Tell what is in the store", takes(), OBJECT),
    looks("audit", "Look for secrets, duplicates, junk and the like in the store", takes(), "Audit"),
    looks("events", "List what happened, oldest first", takes(
        type=text("Such as experience.recorded, or a whole category: experience.", 100),
        subject=text("Only what happened to this id.", 200), since={**MOMENT, "description": "From this time on."},
        until={**MOMENT, "description": "Before this time."},
        where=several(text("FIELD=VALUE", 1000), "Only events whose data says so.", 10),
        run=text("Replay one run: everything in it, in order.", 200), limit={**LIMIT, "default": 50},
    ), "list[Event]", _events),
    looks("verify", "Check that no event was altered; name the first one", takes(), "Verification"),
    looks("settings", "Show the settings and their sources", takes(), "list[Setting]",
          lambda memory, _: memory.settings.all()),
    does("erase", "Remove an experience or a memory for good", IDENTIFIED, OBJECT, _erase),
    does("reindex", "Make every index anew from the stored rows", takes(), OBJECT,
         lambda memory, _: {"indexed": memory.reindex()}),
)  # fmt: skip
