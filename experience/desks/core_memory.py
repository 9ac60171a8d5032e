"""The desk of core memory: seven plain fields and four actions, as a tool for a language model."""

from __future__ import annotations

from experience import checks
from experience.context import render
from experience.desks.shelf import Desk
from experience.errors import InvalidInput
from experience.layers.memories import most_pressing
from experience.models import REACHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.desks.memories import MemoryDesk
    from experience.desks.recalling import RecallDesk
    from experience.models import MemoryItem

ACTIONS = ("add", "update", "delete", "search")
TYPES = {"Knowledge": "fact", "Rule": "policy", "Experience": "pitfall"}  # what a category becomes
CATEGORY = {
    "fact": "Knowledge", "decision": "Knowledge", "architecture": "Knowledge", "policy": "Rule", "preference": "Rule",
    "workflow": "Rule", "pitfall": "Experience",
}  # fmt: skip
ALL = 100_000
FOUND, MATCHING = 50, 1000  # entries shown of a query unless more are asked for, and those looked at
INSTRUCTIONS = """\
You have a memory that outlasts this conversation: the tool manage_core_memory. Save on your own initiative, without \
being asked, whenever the user
- tells personal details (name, role, time zone, who they work with),
- states or shows a preference (style, tools, tone),
- settles a convention or a decision of the project,
- shows a command or a workflow that works,
- says "remember this" or anything like it.
Save one statement an entry, in words that will make sense without this conversation. Secrets have no place \
in it. Search before you ask the user for something they may have told you."""


class CoreMemoryDesk(Desk):
    """The same memories in the shape that a language model's tool takes."""

    def __init__(self, *given: Any, memories: MemoryDesk, recalls: RecallDesk) -> None:
        super().__init__(*given)
        self._memories, self._recalls = memories, recalls

    def manage(self, action: str, **fields: Any) -> list[dict[str, Any]]:
        """Do one action; returns the entries it is about."""
        checks.one_of("action", action, ACTIONS)
        given = {name: value for name, value in fields.items() if value is not None}
        doing = {"add": self._add, "update": self._update, "delete": self._delete, "search": self._search}[action]
        return doing(given)

    def entries(self) -> list[MemoryItem]:
        """Every current memory of both shelves, most pressing first."""
        return sorted(self._memories.listed(state="current", limit=ALL), key=most_pressing)

    def formatted(self) -> str:
        """How to use the memory and every entry, as text for a system prompt."""
        found = self.entries()
        return f"{INSTRUCTIONS}\n\n{render.listed(self.project.project, found)}" if found else INSTRUCTIONS

    def _add(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        missing = [name for name in ("content", "category", "title", "scope") if name not in given]
        if missing:
            raise InvalidInput(f"add needs content, category, title and scope; {', '.join(missing)} is missing")
        _only(given, "add", {"content", "category", "title", "scope", "keywords", "source"})
        return [self.store(**given)]

    def store(self, content: str, scope: str, category: str, **given: Any) -> dict[str, Any]:
        """Store one entry; its title and keywords are taken from what it says where nobody gives them."""
        source = given.pop("source", "agent")
        type, reach = TYPES[_category(category)], checks.one_of("scope", scope, REACHES)
        return entry(self._memories.learn(content, type, reach=reach, source=source, **given))

    def _update(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        _only(given, "update", {"id", "content", "category", "title", "keywords", "source"})
        changes: dict[str, Any] = {name: given[name] for name in ("content", "title", "keywords") if name in given}
        was = self._memories.get(_id(given, "update"))
        if "content" in changes:  # only what is given changes
            changes = {"title": was.title, "keywords": was.keywords, **changes}
        if "category" in given:
            changes["type"] = TYPES[_category(given["category"])]
        return [entry(self._memories.update(was.id, source=given.get("source", "agent"), **changes))]

    def _delete(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        _only(given, "delete", {"id"})
        was = self._memories.get(_id(given, "delete"))
        self._memories.forget(was.id)
        return [entry(was)]

    def _search(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        _only(given, "search", {"query", "category", "scope", "limit"})
        scope = checks.one_of("scope", given["scope"], REACHES) if "scope" in given else None
        category = _category(given["category"]) if "category" in given else None
        query = _query(given.get("query", ""))
        limit = checks.count("limit", given.get("limit", FOUND if query.strip() else ALL), most=ALL)
        found = self._matching(query, scope) if query.strip() else self.entries()
        of_kind = [one for one in found if category in (None, CATEGORY[one.type]) and scope in (None, one.reach)]
        return [entry(one) for one in of_kind[:limit]]

    def _matching(self, query: str, scope: str | None) -> list[MemoryItem]:
        """What a recall finds, then whatever has the very letters of the query in it."""
        wanted = self._recalls.wanted(query, type=None, scope=scope, max_tokens=None, limit=MATCHING, as_of=None)
        found = {hit.id: hit.memory for hit in self._recalls.recall(wanted, self.now())}
        for shelf in self.shelves():
            for one in shelf.memories.containing(query.strip(), MATCHING):
                found.setdefault(one.id, one)
        return list(found.values())


def entry(one: MemoryItem) -> dict[str, Any]:
    """The seven fields and no other."""
    return {
        "id": one.id, "category": CATEGORY[one.type], "content": one.content, "title": one.title,
        "keywords": one.keywords, "scope": one.reach, "timestamp": int(one.updated_at.timestamp() * 1000),
    }  # fmt: skip


def _category(value: object) -> str:
    return checks.one_of("category", value, tuple(TYPES))


def _query(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"query must be text, not {type(value).__name__}")
    return checks.encodable("query", value)


def _id(given: dict[str, Any], action: str) -> str:
    if "id" not in given:
        raise InvalidInput(f"{action} needs the id of an entry; search shows it")
    return checks.text("id", given["id"], most=100)


def _only(given: dict[str, Any], action: str, known: set[str]) -> None:
    unknown = given.keys() - known
    if unknown:
        raise InvalidInput(f"{action} takes {', '.join(sorted(known))}; it does not take {', '.join(sorted(unknown))}")
