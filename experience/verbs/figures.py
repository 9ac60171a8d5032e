"""The figures of a hall for people who look at it: what the agents learned, and whether it helps. Looks alone."""

from __future__ import annotations

from datetime import timedelta

from experience import checks
from experience.errors import NotFound
from experience.layers.figures import SORTS, STATES, Figures, Success, Talk
from experience.models import EXPERIENCE_TYPES, MEMORY_TYPES, PRIORITIES, REACHES
from experience.values import Value
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.models import Event, Experience, Injection, MemoryItem, Turn

    # `list` is a verb of the hall, so the type of the same name goes by others
    Found: TypeAlias = list[Experience]
    Known: TypeAlias = list[MemoryItem]
    Days: TypeAlias = list[str]

BY_DAY = {
    "recorded": ("experience.recorded",),
    "captured": ("memory.learned",),
    "injected": ("memory.injected",),
    "used": ("experience.used", "memory.recalled"),
    "outcomes": ("outcome.reported", "memory.outcome", "memory.procedure_outcome"),
}
LONGEST = 366  # days that are drawn; what is older is left out
SKIPPED = 100_000  # rows that a page may lie behind


class Activity(Value):
    """What happened on each day of a span."""

    days: tuple[str, ...]
    counts: dict[str, tuple[int, ...]]  # by the names in BY_DAY
    tokens: tuple[int, ...]  # of the blocks that were handed out
    budget: tuple[int, ...]  # that they might have taken
    success: dict[bool, Success]  # after blocks with a past experience in them, and after those without
    weights: tuple[int, ...]  # experiences in each tenth of the weights


class FigureVerbs(Verbs):
    """Activity, browse, preview: everything here only looks."""

    def activity(self, days: int | None = 30) -> Activity:
        """What happened on each of the last *days*, or since the first event."""
        now = self._clock()
        since = None if days is None else _midnight(now) - timedelta(days=checks.count("days", days, most=LONGEST) - 1)
        figures = self._figures()
        types = [type for some in BY_DAY.values() for type in some]
        by_type, tokens = figures.by_day(types, since), figures.handed_out(since)
        span = _days(now, since, [day for found in by_type.values() for day in found])
        return Activity(
            days=tuple(span),
            counts={
                name: tuple(sum(by_type[type].get(day, 0) for type in some) for day in span)
                for name, some in BY_DAY.items()
            },
            tokens=tuple(tokens.get(day, (0, 0))[0] for day in span),
            budget=tuple(tokens.get(day, (0, 0))[1] for day in span),
            success=figures.success(since), weights=figures.weights(),
        )  # fmt: skip

    def browse(
        self, type: str | None = None, tag: str | None = None, sort: str = "newest", *, skip: int = 0, limit: int = 50
    ) -> tuple[Found, bool]:  # fmt: skip
        """A page of experiences, and whether there are more."""
        checks.one_of("sort", sort, SORTS)
        if type is not None:
            checks.one_of("type", type, EXPERIENCE_TYPES)
        page = self._figures().experiences(type=type, tag=tag, sort=sort, skip=_skip(skip), limit=_limit(limit))
        held = self.shelf.experiences.by_keys(page.keys) if page.keys else {}
        return [held[key] for key in page.keys if key in held], page.more

    def browse_memories(
        self, type: str | None = None, priority: str | None = None, state: str = "current", reach: str = "project", *,
        skip: int = 0, limit: int = 50,
    ) -> tuple[Known, bool]:  # fmt: skip
        """A page of the memories of one reach, the newest first, and whether there are more."""
        for name, value, allowed in (("type", type, MEMORY_TYPES), ("priority", priority, PRIORITIES)):
            if value is not None:
                checks.one_of(name, value, allowed)
        checks.one_of("state", state, STATES)
        if checks.one_of("reach", reach, REACHES) == "project":
            shelf = self.shelf
        else:
            own = self._stores.user(False)
            if own is None:
                return [], False
            shelf = own
        page = Figures(shelf.store, shelf.project).memories(
            type=type, priority=priority, state=state, skip=_skip(skip), limit=_limit(limit)
        )
        held = shelf.memories.by_keys(page.keys) if page.keys else {}
        return [held[key] for key in page.keys if key in held], page.more

    def browse_events(
        self, type: str | None = None, text: str | None = None, *, since: datetime | None = None,
        until: datetime | None = None, skip: int = 0, limit: int = 50,
    ) -> tuple[Sequence[Event], bool]:  # fmt: skip
        """A page of events of a time that hold some text, the newest first, and whether there are more."""
        return self._figures().events(
            type=type, text=text, since=since, until=until, skip=_skip(skip), limit=_limit(limit)
        )

    def event(self, seq: int) -> Event:
        """The event with this number."""
        found = self._figures().event(checks.count("seq", seq, most=2**53))
        if found is None:
            raise NotFound("event", str(seq))
        return found

    def browse_sessions(self, *, skip: int = 0, limit: int = 50) -> tuple[Sequence[Talk], bool]:
        """A page of sessions, the newest first, and whether there are more."""
        return self._figures().sessions(skip=_skip(skip), limit=_limit(limit))

    def session(self, id: str, limit: int = 200) -> tuple[Talk, Sequence[Turn], Sequence[Injection]]:
        """One session: the last of what was said and done in it, and the blocks that were handed out to it."""
        figures = self._figures()
        found = figures.session(checks.text("session", id, most=500)) if id else None
        if found is None:
            raise NotFound("session", id)
        return found, figures.said(id, _limit(limit)), self.shelf.injections.list(session=id, limit=_limit(limit))

    def common_tags(self, limit: int = 30) -> Sequence[str]:
        """The tags that the newest experiences have most often."""
        return self._figures().tags(_limit(limit))

    def preview(self, prompt: str, path: str | os.PathLike[str] | None = None, budget: int = 800) -> Injection:
        """The very block that `context` would hand out, and why; nothing is handed out and nothing written down."""
        at_hand = None if path is None else self._relative(path)
        return self._desks.contexts.preview(prompt, at_hand, budget)

    def _figures(self) -> Figures:
        return Figures(self.shelf.store, self.shelf.project)


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(now: datetime, since: datetime | None, seen: Sequence[str]) -> Days:
    """Every day of the span, those without any event too."""
    last, first = now.date(), (since or now).date()
    if since is None and seen:
        first = min(first, max(now.fromisoformat(min(seen)).date(), last - timedelta(days=LONGEST)))
    return [str(first + timedelta(days=number)) for number in range((last - first).days + 1)]


def _skip(given: int) -> int:
    return checks.count("skip", given, least=0, most=SKIPPED)


def _limit(given: int) -> int:
    return checks.count("limit", given, most=500)
