"""Figures: what a store adds up to, by day and by kind, and pages of its rows; everything here only looks."""

from __future__ import annotations

import json

from experience.clock import from_text, to_text
from experience.columns import number, optional, whole
from experience.models import Event, Turn
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from experience.db import Row, Store
    from experience.db import Value as Column

# What is current is most of what there is: it is walked from the newest on, and the rest looked up by an index.
STATES = {
    "current": "+project = ? and +current = 1", "all": "+project = ?",
    "archived": "project = ? and current = 0 and archived_at is not null and hidden = 0",
    "quarantined": "project = ? and quarantined_at is not null",
    "superseded": "project = ? and current = 0 and superseded_by is not null",
    "folded": "project = ? and current = 0 and folded_into is not null",
}  # fmt: skip
SORTS = {"newest": "key desc", "heaviest": "weight desc", "lightest": "weight"}
TENTHS = 10
TURN = "id, session, role, content, created_at, run, kind, tool, ok"
EVENT = "seq, at, type, subject, actor, data, hash"


class Success(Value):
    """How the work went after blocks of one kind: how many outcomes, and their mean."""

    outcomes: int
    mean: float | None


class Page(Value):
    """The keys of some rows, in order, and whether there are more."""

    keys: tuple[int, ...]
    more: bool


class Talk(Value):
    """A session as a line of a list."""

    id: str
    turns: int
    started_at: datetime
    last_at: datetime
    archived: bool
    blocks: int


class Figures:
    """The figures of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def by_day(self, types: Sequence[str], since: datetime | None) -> dict[str, dict[str, int]]:
        """How many events of each type there were on each day (UTC); days without any are left out."""
        marks = ", ".join("?" * len(types))
        rows = self._store.query(
            f"""
            select type, substr(at, 1, 10), count(*) from events
            where project = ? and type in ({marks}) and seq > ? group by 1, 2
            """,
            self._project, *types, self._before(since),
        )  # fmt: skip
        found: dict[str, dict[str, int]] = {type: {} for type in types}
        for type, day, count in rows:
            found[str(type)][str(day)] = whole(count)
        return found

    def handed_out(self, since: datetime | None) -> dict[str, tuple[int, int]]:
        """The tokens of the blocks of each day, and the tokens they might have taken."""
        rows = self._store.query(
            """
            select substr(at, 1, 10), sum(json_extract(data, '$.tokens')), sum(json_extract(data, '$.budget'))
            from events where project = ? and type = 'memory.injected' and seq > ? group by 1
            """,
            self._project, self._before(since),
        )  # fmt: skip
        return {str(day): (whole(tokens or 0), whole(budget or 0)) for day, tokens, budget in rows}

    def success(self, since: datetime | None) -> dict[bool, Success]:
        """How it went after blocks with a past experience in them (True) and after those without one (False)."""
        rows = self._store.query(
            """
            select exists (
                select 1 from injected
                where injection = outcomes.subject and injected.subject >= 'exp_' and injected.subject < 'exp`'
            ), count(*), avg(score)
            from outcomes where project = ? and subject >= 'inj_' and subject < 'inj`' and created_at >= ? group by 1
            """,
            self._project, "" if since is None else to_text(since),
        )  # fmt: skip
        found = {bool(held): Success(outcomes=whole(count), mean=number(mean)) for held, count, mean in rows}
        none = Success(outcomes=0, mean=None)
        return {held: found.get(held, none) for held in (True, False)}

    def weights(self) -> tuple[int, ...]:
        """How many experiences there are in each tenth of the weights, the lightest first."""
        rows = self._store.query(
            "select min(cast(weight * 10 as integer), 9), count(*) from experiences where project = ? group by 1",
            self._project,
        )
        found = {whole(tenth): whole(count) for tenth, count in rows}
        return tuple(found.get(tenth, 0) for tenth in range(TENTHS))

    def memories(
        self, *, type: str | None, priority: str | None, state: str, skip: int, limit: int
    ) -> Page:  # fmt: skip
        """A page of memories, the newest first."""
        sql, params = [STATES[state]], _params(self._project)
        for name, value in (("type", type), ("priority", priority)):
            if value is not None:
                sql.append(f"{name} = ?")
                params.append(value)
        return self._page(f"select key from memories where {' and '.join(sql)} order by key desc", params, skip, limit)

    def experiences(self, *, type: str | None, tag: str | None, sort: str, skip: int, limit: int) -> Page:
        """A page of experiences."""
        # by weight there is an index, by age the rows stand in order
        sql, params = ["+project = ?" if sort == "newest" else "project = ?"], _params(self._project)
        if type is not None:
            sql.append("type = ?")
            params.append(type)
        if tag is not None:
            sql.append("exists (select 1 from json_each(tags) where value = ?)")
            params.append(tag)
        return self._page(
            f"select key from experiences where {' and '.join(sql)} order by {SORTS[sort]}", params, skip, limit
        )

    def event(self, seq: int) -> Event | None:
        """The event with this number, if this project has it."""
        rows = self._store.query(f"select {EVENT} from events where seq = ? and project = ?", seq, self._project)
        return event(rows[0]) if rows else None

    def events(
        self, *, type: str | None, text: str | None, since: datetime | None, until: datetime | None, skip: int,
        limit: int,
    ) -> tuple[tuple[Event, ...], bool]:  # fmt: skip
        """The newest events of a time that hold some text, and whether there are more."""
        sql, params = ["seq > ?"], _params(self._before(since))
        if until is not None:
            sql.append("seq <= ?")
            params.append(self._before(until))
        if type is None or "." not in type:  # a whole category, or all: walked from the newest on
            sql.append("+project = ? and (? is null or type = ? or type glob ? || '.*')")
            params += [self._project, type, type, type]
        else:
            sql.append("project = ? and type = ?")
            params += [self._project, type]
        if text is not None:
            sql.append("instr(lower(subject || ' ' || actor || ' ' || data), lower(?)) > 0")
            params.append(json.dumps(text, ensure_ascii=False)[1:-1])
        rows = self._store.query(
            f"select {EVENT} from events where {' and '.join(sql)} order by seq desc limit ? offset ?",
            *params, limit + 1, skip,
        )  # fmt: skip
        return tuple(event(row) for row in rows[:limit]), len(rows) > limit

    def sessions(self, *, skip: int, limit: int) -> tuple[tuple[Talk, ...], bool]:
        """The newest sessions, and whether there are more."""
        rows = self._store.query(
            """
            select id, turns, started_at, last_at, archived_at is not null, (
                select count(*) from injections where project = sessions.project and session = sessions.id
            )
            from sessions where +project = ? order by key desc limit ? offset ?
            """,
            self._project, limit + 1, skip,
        )  # fmt: skip
        return tuple(talk(row) for row in rows[:limit]), len(rows) > limit

    def session(self, id: str) -> Talk | None:
        """One session, if this project has it."""
        rows = self._store.query(
            """
            select id, turns, started_at, last_at, archived_at is not null, 0 from sessions where project = ? and id = ?
            """,
            self._project, id,
        )  # fmt: skip
        return talk(rows[0]) if rows else None

    def said(self, session: str, limit: int) -> tuple[Turn, ...]:
        """The last turns of a session, oldest first: messages, calls of tools and what came of them."""
        rows = self._store.query(
            f"select {TURN} from turns where project = ? and session = ? order by key desc limit ?",
            self._project, session, limit,
        )  # fmt: skip
        return tuple(turn(row) for row in reversed(rows))

    def tags(self, limit: int, among: int = 2_000) -> tuple[str, ...]:
        """The tags that the newest experiences have most often."""
        rows = self._store.query(
            """
            select value, count(*) from (
                select tags from experiences where +project = ? order by key desc limit ?
            ) as newest, json_each(newest.tags) group by value order by 2 desc, 1 limit ?
            """,
            self._project, among, limit,
        )  # fmt: skip
        return tuple(str(tag) for tag, _ in rows)

    def _page(self, sql: str, params: list[Column], skip: int, limit: int) -> Page:
        rows = self._store.query(f"{sql} limit ? offset ?", *params, limit + 1, skip)
        return Page(keys=tuple(whole(row[0]) for row in rows[:limit]), more=len(rows) > limit)

    def _before(self, since: datetime | None) -> int:
        """The number of the last event before a time: events follow time, so halving finds it without an index."""
        if since is None:
            return 0
        moment = to_text(since)
        low, high = 0, whole(self._store.query("select coalesce(max(seq), 0) from events")[0][0])
        while low < high:
            middle = (low + high + 1) // 2
            rows = self._store.query("select at < ? from events where seq = ?", moment, middle)
            low, high = (middle, high) if rows and rows[0][0] else (low, middle - 1)
        return low


def _params(*given: Column) -> list[Column]:
    return list(given)


def event(row: Row) -> Event:
    """A row with EVENT as a value."""
    seq, at, type, subject, actor, data, hash = row
    return Event(
        seq=whole(seq), at=from_text(str(at)), type=str(type), subject=str(subject), actor=str(actor),
        data=json.loads(str(data)), hash=str(hash),
    )  # fmt: skip


def talk(row: Row) -> Talk:
    """A session with its counts as a value."""
    id, turns, started, last, archived, blocks = row
    return Talk(
        id=str(id), turns=whole(turns), started_at=from_text(str(started)), last_at=from_text(str(last)),
        archived=bool(archived), blocks=whole(blocks),
    )  # fmt: skip


def turn(row: Row) -> Turn:
    """A row with TURN as a value."""
    id, session, role, content, created, run, kind, tool, ok = row
    return Turn(
        id=str(id), session=str(session), role=str(role), content=str(content), created_at=from_text(str(created)),
        run=optional(run), kind=str(kind), tool=optional(tool), ok=None if ok is None else bool(ok),
    )  # fmt: skip
