"""The verbs of memories: learning, recalling, and everything done to one by its id."""

from __future__ import annotations

import os

from experience import checks
from experience.models import MEMORY_TYPES
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    from experience.models import Episode, MemoryHit, MemoryItem, Procedure

STATES = ("current", "archived", "quarantined", "superseded", "folded", "all")


class StatementVerbs(Verbs):
    """Learn, recall, update, archive, remember, forget; episodes and procedures."""

    def learn(
        self,
        content: str,
        type: str = "fact",
        priority: str | None = None,
        scope: str | None = None,
        tags: Iterable[str] = (),
        reach: str = "project",
        source: str = "user",
        context: str | None = None,
        *,
        title: str | None = None,
        keywords: str | Iterable[str] | None = None,
    ) -> MemoryItem:
        """Store a statement. Said before, it is reinforced; another value of a known claim supersedes the old one.

        *context* is the message before: it is searched, and never shown.
        """
        learned = self._desks.memories.learn(
            content, type, priority=priority, scope=scope, tags=tags, reach=reach, source=source, context=context,
            title=title, keywords=keywords,
        )  # fmt: skip
        self._desks.stir()
        return learned

    def recall(
        self,
        query: str,
        type: str | None = None,
        scope: str | None = None,
        max_tokens: int | None = None,
        limit: int = 10,
        touch: bool = True,
        *,
        as_of: datetime | None = None,
    ) -> list[MemoryHit]:
        """Memories about something, best first; archived ones are found, too. *touch=False*: a look, it counts nothing.

        *scope* is `user`, `project`, a glob, or a path; *as_of* asks what was held true then.
        """
        recalls, now = self._desks.recalls, self._clock()
        if isinstance(scope, str) and os.path.isabs(scope):
            scope = self._relative(scope)
        wanted = recalls.wanted(query, type=type, scope=scope, max_tokens=max_tokens, limit=limit, as_of=as_of)
        before = recalls.versions()
        found = list(recalls.recall(wanted, now))
        if touch and found and as_of is None:  # a look at the past is only a look
            recalls.counted(before, self._desks.memories.touch([hit.memory for hit in found], now))
        return found

    def scoped(self, path: str | os.PathLike[str]) -> list[MemoryItem]:
        """The memories whose scope covers this file."""
        return self._desks.memories.scoped(self._relative(path))

    def memories(self, type: str | None = None, state: str = "current", limit: int = 100) -> list[MemoryItem]:
        """Memories in one state (current, archived, quarantined, superseded, folded, all), the newest first."""
        if type is not None:
            checks.one_of("type", type, MEMORY_TYPES)
        checks.one_of("state", state, STATES)
        return self._desks.memories.listed(type=type, state=state, limit=checks.count("limit", limit, most=1_000_000))

    def update(self, id: str, **changes: Any) -> MemoryItem:
        """Change the given fields of a memory; what it said before stays in its history."""
        return self._desks.memories.update(id, **changes)

    def forget(self, id: str) -> None:
        """Remove a memory for good, every word of it."""
        self._desks.memories.forget(id)

    def archive(self, id: str) -> MemoryItem:
        """Put a memory out of reach of injection; it is still found."""
        return self._desks.memories.archive(id)

    def restore(self, id: str) -> MemoryItem:
        """Bring an archived memory back."""
        return self._desks.memories.restore(id)

    def remember(self, id: str) -> MemoryItem:
        """Reset a memory's decay timer."""
        return self._desks.memories.remember(id)

    def history(self, id: str) -> list[dict[str, Any]]:
        """What a memory said before, and what it replaced."""
        return self._desks.memories.history(id)

    def manage_core_memory(self, action: str, **fields: Any) -> list[dict[str, Any]]:
        """The core memory as a tool: add, update, delete, search; each entry has seven fields."""
        return self._desks.core.manage(action, **fields)

    def store_memory(
        self, content: str, scope: str = "project", category: str = "Knowledge", *, title: str | None = None,
        keywords: str | None = None, source: str = "agent",
    ) -> dict[str, Any]:  # fmt: skip
        """Add one entry to the core memory; *scope* is `user` or `project`."""
        return self._desks.core.store(content, scope, category, title=title, keywords=keywords, source=source)

    def search_memory(self, query: str | None = None, **filters: Any) -> list[dict[str, Any]]:
        """Entries of the core memory about something, best first; without a query all of them."""
        return self._desks.core.manage("search", query=query, **filters)

    def formatted_memories(self) -> str:
        """Every entry as text for a system prompt, and when to save."""
        return self._desks.core.formatted()

    def episode(
        self, event: str, outcome: str | None = None, tags: Iterable[str] = (), *, source: str = "agent",
        session: str | None = None,
    ) -> Episode:  # fmt: skip
        """Store an event with its outcome and tags."""
        return self._desks.episodes.episode(event, outcome, tags, source, session)

    def episodes(
        self, query: str | None = None, tag: str | None = None, outcome: str | None = None, limit: int = 20
    ) -> list[Episode]:
        """Episodes about something, best first; without a query the newest first."""
        return list(self._desks.episodes.episodes(query, tag, outcome, limit))

    def procedure(
        self, name: str, steps: Sequence[str], context: str | None = None, *, source: str = "agent"
    ) -> Procedure:
        """Store a named workflow; the same name gets new steps and keeps its counts."""
        return self._desks.episodes.procedure(name, steps, context, source)
