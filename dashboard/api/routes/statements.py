"""Memories: learning and recalling them, what is done to one by its id, and the core memory as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.api.moments import MOMENT, moment
from dashboard.api.route import does, looks
from dashboard.api.routes.experiences import SOURCE
from experience.desks.core_memory import ACTIONS, TYPES
from experience.verbs.arguments import (
    ID,
    LIMIT,
    MEMORY_TYPE,
    PRIORITY,
    QUERY,
    REACH,
    SCOPE,
    TAGS,
    choice,
    long_text,
    takes,
    text,
)  # fmt: skip
from experience.verbs.statements import STATES

if TYPE_CHECKING:
    from experience import Memory

KEYWORDS = text("Words separated by |; by default they are taken from what it says.", 2000)
TITLE = text("A few words to find it by; by default its first ones.", 200)
IDENTIFIED = takes("id", id=ID)
ENTRY = {"type": "object", "required": ["id", "category", "content", "title", "keywords", "scope", "timestamp"]}
ENTRIES = {"type": "array", "items": ENTRY}
VERSIONS = {"type": "array", "items": {"type": "object"}}


def _recall(memory: Memory, given: dict[str, Any]) -> object:
    return memory.recall(**{**given, "as_of": moment("as_of", given.get("as_of"))})


def _update(memory: Memory, given: dict[str, Any]) -> object:
    if given.get("scope") == "":  # it holds everywhere from now on
        given["scope"] = None
    return memory.update(given.pop("id"), **given)


def _forget(memory: Memory, given: dict[str, Any]) -> object:
    memory.forget(given["id"])
    return {"forgotten": given["id"]}


def _core(memory: Memory, _: dict[str, Any]) -> object:
    return {"text": memory.formatted_memories(), "entries": memory.manage_core_memory("search")}


def _manage(memory: Memory, given: dict[str, Any]) -> object:
    if given["action"] in ("search", "delete"):  # nobody's words
        del given["source"]
    return memory.manage_core_memory(**given)


ROUTES = (
    does("learn", "Store a statement; known already, it is reinforced", takes(
        "content", content=text("One statement."), type={**MEMORY_TYPE, "default": "fact"}, priority=PRIORITY,
        scope=SCOPE, tags=TAGS, reach={**REACH, "default": "project"}, source=SOURCE, title=TITLE, keywords=KEYWORDS,
        context=long_text("The words before it: they are searched, and never shown."),
    ), "MemoryItem"),
    does("recall", "Recall memories about something, best first; each one found is reinforced", takes(
        "query", query=QUERY, type=MEMORY_TYPE, limit=LIMIT,
        scope=text("user, project, a glob, or the path of a file.", 1000),
        max_tokens={"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "Only as many as fit."},
        touch={"type": "boolean", "default": True, "description": "false only looks: it counts as no recall."},
        as_of={**MOMENT, "description": "What was held true then."},
    ), "list[MemoryHit]", _recall),
    looks("memories", "List memories, the newest first", takes(
        type=MEMORY_TYPE, state=choice(STATES, "In which state.", default="current"), limit={**LIMIT, "default": 20},
    ), "list[MemoryItem]"),
    looks("scoped", "List the memories whose scope covers a file", takes(
        "path", path=text("A path, seen from the project.", 4096)), "list[MemoryItem]"),
    does("update", "Change a memory; its history keeps what it said", takes(
        "id", id=ID, content=text("What it says from now on."), type=MEMORY_TYPE, priority=PRIORITY,
        scope=long_text("The files it is about, as a glob; an empty one makes it hold everywhere."),
        tags={**TAGS, "description": "Replaces all tags."}, title=TITLE, keywords=KEYWORDS, source=SOURCE,
    ), "MemoryItem", _update),
    does("archive", "Keep a memory out of injections; it is still recalled", IDENTIFIED, "MemoryItem"),
    does("restore", "Bring an archived memory back", IDENTIFIED, "MemoryItem"),
    does("remember", "Let a memory's decay start anew", IDENTIFIED, "MemoryItem"),
    does("forget", "Remove a memory for good, every word of it", IDENTIFIED, {"type": "object"}, _forget),
    looks("history", "Show what a memory said before, and what it replaced", IDENTIFIED, VERSIONS),
    looks("core-memory", "When to save, and every entry, as text for a system prompt", takes(), {
        "type": "object", "properties": {"text": {"type": "string"}, "entries": ENTRIES}}, _core),
    does("core-memory", "Add, update, delete or search entries of the core memory", takes(
        "action", action=choice(ACTIONS, "What to do."), id=ID, content=text("One statement."),
        category=choice(tuple(TYPES), "What kind of entry it is."), title=TITLE, scope=REACH, keywords=KEYWORDS,
        query=QUERY, limit={"type": "integer", "minimum": 1, "maximum": 1000, "description": "How many at most."},
        source=SOURCE,
    ), ENTRIES, _manage),
)  # fmt: skip
