"""Memories: one typed statement each, and what it takes to inject, supersede, archive and forget it."""

from __future__ import annotations

import json
from math import log2

from experience.clock import from_text, to_text
from experience.columns import listed, optional, whole, words
from experience.errors import NotFound
from experience.models import PRIORITIES, MemoryItem
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Row, Store
    from experience.db import Value as Column

    Items: TypeAlias = list[MemoryItem]

COLUMNS = (
    "id, reach, type, priority, content, title, keywords, scope, tags, trust, source, claim, reinforcement_count, "
    "created_at, updated_at, accessed_at, valid_from, valid_to, quarantined_at, quarantine_reason, archived_at, "
    "superseded_by, folded_into"
)
CANDIDATE = (
    "key, project, terms, tag_terms, scope_terms, context_terms, length, type, reinforcement_count, accessed_at, "
    "created_at, hidden, archived_at, current, fingerprint, follows, id"
)
COPY = (
    "key, id, reach, scope, type, priority, content, trust, claim, tags, reinforcement_count, accessed_at, "
    "updated_at, valid_from, valid_to, quarantined_at, archived_at, superseded_by, folded_into"
)
TYPE_WEIGHTS = {
    "policy": 1.5, "pitfall": 1.4, "architecture": 1.3, "decision": 1.2, "workflow": 1.1, "preference": 1.0,
    "fact": 0.9,
}  # fmt: skip
HALF_LIFE_DAYS = 90.0
_SECONDS_A_DAY = 86_400.0
_CHANGEABLE = frozenset(
    """type priority content title keywords scope tags trust source claim reinforcement_count updated_at accessed_at
    valid_from valid_to quarantined_at quarantine_reason archived_at superseded_by folded_into fingerprint terms
    tag_terms scope_terms strength""".split()
)
_TERMS = ("terms", "tag_terms", "scope_terms", "context_terms")
_LENGTH = " + ".join(f"(length({name}) - length(replace({name}, ' ', '')) + ({name} <> ''))" for name in _TERMS)


class NewMemory(Value):
    """A checked memory that is not stored yet."""

    id: str
    reach: str
    type: str
    priority: str
    content: str
    title: str
    keywords: str
    context: str
    scope: str | None
    tags: tuple[str, ...]
    trust: str
    source: str
    claim: str | None
    quarantine_reason: str | None
    fingerprint: str
    follows: str | None
    terms: tuple[str, ...]
    tag_terms: tuple[str, ...]
    scope_terms: tuple[str, ...]
    context_terms: tuple[str, ...]


class Memories:
    """The memories of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(self, new: NewMemory, at: datetime) -> int | None:
        """Store a memory and return its key; nothing where its id is taken."""
        moment = to_text(at)
        indexed = (new.terms, new.tag_terms, new.scope_terms, new.context_terms)
        row = {
            "id": new.id, "project": self._project, "reach": new.reach, "type": new.type, "priority": new.priority,
            "content": new.content, "title": new.title, "keywords": new.keywords, "context": new.context,
            "scope": new.scope, "tags": listed(new.tags), "trust": new.trust, "source": new.source,
            "claim": new.claim, "strength": strength(new.type, 1, at), "created_at": moment, "updated_at": moment,
            "accessed_at": moment, "valid_from": moment, "quarantined_at": new.quarantine_reason and moment,
            "quarantine_reason": new.quarantine_reason, "fingerprint": new.fingerprint, "follows": new.follows,
            "terms": " ".join(new.terms), "tag_terms": " ".join(new.tag_terms),
            "scope_terms": " ".join(new.scope_terms), "context_terms": " ".join(new.context_terms),
            "length": sum(map(len, indexed)),
        }  # fmt: skip
        found = self._store.query(
            f"insert into memories ({', '.join(row)}) values ({', '.join('?' * len(row))}) "
            "on conflict (id) do nothing returning key",
            *row.values(),
        )
        return whole(found[0][0]) if found else None

    def find(self, id: str) -> MemoryItem | None:
        """The memory with this id, if this project has it."""
        found = self._items("where id = ? and project = ?", id, self._project)
        return found[0] if found else None

    def get(self, id: str) -> MemoryItem:
        """The memory with this id."""
        found = self.find(id)
        if found is None:
            raise NotFound("memory", id)
        return found

    def by_keys(self, keys: Sequence[int]) -> dict[int, MemoryItem]:
        """Whole memories by their keys."""
        marks = ", ".join("?" * len(keys))
        rows = self._store.query(
            f"select key, {COLUMNS} from memories where key in ({marks}) and +project = ?", *keys, self._project
        )
        return {whole(row[0]): item(row[1:]) for row in rows}

    def by_ids(self, ids: Sequence[str]) -> Items:
        """Those of these memories that are still there."""
        return self._items(f"where id in ({', '.join('?' * len(ids))}) and project = ?", *ids, self._project)

    def containing(self, text: str, limit: int) -> Items:
        """What has these very letters in its content, title or keywords, the newest first."""
        return self._items(
            """
            where project = ? and hidden = 0
            and instr(lower(content || char(10) || title || char(10) || keywords), lower(?)) > 0
            order by created_at desc, key desc limit ?
            """,
            self._project, text, limit,
        )  # fmt: skip

    def list(self, *, type: str | None = None, state: str = "current", limit: int = 100, newest: bool = True) -> Items:
        """Memories in one state (current, archived, quarantined, superseded, folded, all), the newest first."""
        order = "desc" if newest else "asc"
        return self._items(
            f"""
            where project = ? and (? is null or type = ?) and {_STATES[state]}
            order by created_at {order}, key {order} limit ?
            """,
            self._project, type, type, limit,
        )  # fmt: skip

    def always(self, limit: int) -> Items:
        """What is injected whatever the prompt says: most pressing first, then strongest."""
        return self._items(
            "where project = ? and always = 1 order by rank, strength desc, key limit ?", self._project, limit
        )

    def scopes(self) -> tuple[str, ...]:
        """Every scope that some memory has; as many steps as there are scopes, however many memories share one."""
        rows = self._store.query(
            """
            with recursive scopes (scope) as (
                select min(scope) from memories where project = ? and scope is not null
                union all
                select (select min(scope) from memories where project = ? and scope > scopes.scope) from scopes
                where scopes.scope is not null
            )
            select scope from scopes where scope is not null
            """,
            self._project, self._project,
        )  # fmt: skip
        return tuple(str(scope) for (scope,) in rows)

    def in_scopes(self, scopes: Sequence[str], limit: int) -> Items:
        """Current memories with one of these scopes: most pressing first, then strongest."""
        if not scopes:
            return []
        marks = ", ".join("?" * len(scopes))
        return self._items(
            f"""
            where project = ? and +current = 1 and scope in ({marks})
            order by rank, strength desc, key limit ?
            """,
            self._project, *scopes, limit,
        )  # fmt: skip

    def alike(self, fingerprint: str, reach: str, scope: str | None) -> Items:
        """The memories that say the very same, newest first; those replaced or folded are left out."""
        return self._items(
            """
            where project = ? and fingerprint = ? and reach = ? and scope is ?
            and superseded_by is null and folded_into is null order by key desc
            """,
            self._project, fingerprint, reach, scope,
        )  # fmt: skip

    def holding(self, claim: str, reach: str, scope: str | None) -> Items:
        """The memories that make this claim, archived ones too, oldest first."""
        return self._items(
            "where project = ? and claim = ? and reach = ? and scope is ? and hidden = 0 order by key",
            self._project, claim, reach, scope,
        )  # fmt: skip

    def change(self, id: str, **columns: Column) -> int:
        """Set some columns of one memory and return its key."""
        unknown = columns.keys() - _CHANGEABLE
        assert not unknown, unknown  # noqa: S101  # column names never come from outside
        rows = self._store.query(
            f"update memories set {', '.join(f'{name} = ?' for name in columns)} where id = ? and project = ? "
            "returning key",
            *columns.values(), id, self._project,
        )  # fmt: skip
        if not rows:
            raise NotFound("memory", id)
        if not columns.keys().isdisjoint(_TERMS):
            self._store.execute(f"update memories set length = {_LENGTH} where key = ?", rows[0][0])
        return whole(rows[0][0])

    def columns(self, id: str, names: Sequence[str]) -> dict[str, Column] | None:
        """Some columns of one memory as they are stored, if this project has it."""
        assert _CHANGEABLE.issuperset(names), names  # noqa: S101  # column names never come from outside
        rows = self._store.query(
            f"select {', '.join(names)} from memories where id = ? and project = ?", id, self._project
        )
        return dict(zip(names, rows[0], strict=True)) if rows else None

    def weaker(self, strength: float) -> Iterator[MemoryItem]:
        """The current memories that are weaker, oldest first."""
        return self._paged("current = 1 and strength < ?", strength)

    def archive(self, ids: Sequence[str], at: datetime, *, weaker: float) -> Sequence[tuple[int, str]]:
        """Put those out of reach of injection that are current and weaker still; the key and id of each."""
        marks = ", ".join("?" * len(ids))
        rows = self._store.query(
            f"""
            update memories set archived_at = ?
            where id in ({marks}) and project = ? and current = 1 and strength < ? returning key, id
            """,
            to_text(at), *ids, self._project, weaker,
        )  # fmt: skip
        return [(whole(key), str(id)) for key, id in rows]

    def quarantined(self) -> Iterator[MemoryItem]:
        """The memories that wait for somebody to vouch for them, oldest first."""
        return self._paged("quarantined_at is not null and superseded_by is null and folded_into is null")

    def keep_version(self, was: MemoryItem, at: datetime, actor: str) -> None:
        """Write down what a memory said until now."""
        said = {name: getattr(was, name) for name in ("type", "priority", "content", "title", "keywords", "scope")}
        self._store.execute(
            "insert into memory_versions (memory, project, was, until, actor) values (?, ?, ?, ?, ?)",
            was.id, self._project, json.dumps({**said, "tags": was.tags}, ensure_ascii=False), to_text(at), actor,
        )  # fmt: skip

    def versions(self, id: str) -> Sequence[dict[str, Any]]:
        """What a memory said before each edit, oldest first."""
        rows = self._store.query(
            "select was, until, actor from memory_versions where memory = ? and project = ? order by key",
            id, self._project,
        )  # fmt: skip
        return [{**json.loads(str(was)), "until": from_text(str(until)), "actor": actor} for was, until, actor in rows]

    def replaced_by(self, id: str) -> Items:
        """What this memory superseded, oldest first."""
        return self._items("where project = ? and superseded_by = ? order by key", self._project, id)

    def delete(self, id: str) -> int:
        """Remove one memory and every version of it; returns its key."""
        rows = self._store.query("delete from memories where id = ? and project = ? returning key", id, self._project)
        if not rows:
            raise NotFound("memory", id)
        self._store.execute("delete from memory_versions where memory = ? and project = ?", id, self._project)
        return whole(rows[0][0])

    def everything(self, page: int = 2_000) -> Iterator[tuple[int, MemoryItem]]:
        """Every memory of the project with its key, in the order they came."""
        last = 0
        while rows := self._store.query(
            f"select key, {COLUMNS} from memories where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from ((whole(row[0]), item(row[1:])) for row in rows)
            last = whole(rows[-1][0])

    def copies(self, ids: Sequence[str] | None = None, page: int = 5_000) -> Iterator[Row]:
        """What comparing and folding needs of every memory, or of these, by COPY, in the order they came."""
        if ids is not None:
            marks = ", ".join("?" * len(ids))
            sql = f"select {COPY} from memories where project = ? and id in ({marks}) order by key"
            yield from self._store.query(sql, self._project, *ids)
            return
        last = 0
        while rows := self._store.query(
            f"select {COPY} from memories where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from rows
            last = whole(rows[-1][0])

    def stats(self) -> dict[str, Any]:
        """How many there are, of which type and state, and how many tokens they take."""
        types = self._store.query(
            "select type, count(*) from memories where project = ? and current = 1 group by type order by type",
            self._project,
        )
        tokens, archived, quarantined, superseded, folded = self._store.query(
            """
            select coalesce(sum((length(content) + 3) / 4) filter (where current = 1), 0),
                count(*) filter (where archived_at is not null and hidden = 0), count(quarantined_at),
                count(superseded_by), count(folded_into)
            from memories where project = ?
            """,
            self._project,
        )[0]
        return {
            "memories": sum(whole(count) for _, count in types),
            "by_type": {str(type): whole(count) for type, count in types},
            "tokens": whole(tokens), "archived": whole(archived), "quarantined": whole(quarantined),
            "superseded": whole(superseded), "folded": whole(folded),
        }  # fmt: skip

    def _paged(self, condition: str, *params: Column, page: int = 2_000) -> Iterator[MemoryItem]:
        last = 0
        while rows := self._store.query(
            f"select key, {COLUMNS} from memories where project = ? and {condition} and key > ? order by key limit ?",
            self._project, *params, last, page,
        ):  # fmt: skip
            yield from (item(row[1:]) for row in rows)
            last = whole(rows[-1][0])

    def _items(self, sql: str, *params: Column) -> Items:
        return [item(row) for row in self._store.query(f"select {COLUMNS} from memories {sql}", *params)]


_STATES = {
    "current": "current = 1",
    "archived": "archived_at is not null and hidden = 0",
    "quarantined": "quarantined_at is not null and superseded_by is null and folded_into is null",
    "superseded": "superseded_by is not null",
    "folded": "folded_into is not null",
    "all": "1",
}


def strength(type: str, reinforcement_count: int, accessed_at: datetime) -> float:
    """The activation as a logarithm without today's date: all lose the same each day, so its order never changes."""
    half_lives = accessed_at.timestamp() / _SECONDS_A_DAY / HALF_LIFE_DAYS
    return log2(TYPE_WEIGHTS[type] * reinforcement_count) + half_lives


def most_pressing(one: MemoryItem) -> tuple[int, float, str]:
    """Sorts by priority, then by strength, then by id: the same order everywhere."""
    return PRIORITIES.index(one.priority), -strength(one.type, one.reinforcement_count, one.accessed_at), one.id


def item(row: Row) -> MemoryItem:
    """A row with COLUMNS as a value."""
    (id, reach, type, priority, content, title, keywords, scope, tags, trust, source, claim, count, created, updated,
     accessed, valid_from, valid_to, quarantined, reason, archived, superseded, folded) = row  # fmt: skip
    return MemoryItem(
        id=str(id), reach=str(reach), type=str(type), priority=str(priority), content=str(content), title=str(title),
        keywords=str(keywords), scope=optional(scope), tags=words(tags), trust=str(trust), source=str(source),
        claim=optional(claim), reinforcement_count=whole(count), created_at=from_text(str(created)),
        updated_at=from_text(str(updated)), accessed_at=from_text(str(accessed)),
        valid_from=from_text(str(valid_from)), valid_to=_moment(valid_to), quarantined_at=_moment(quarantined),
        quarantine_reason=optional(reason), archived_at=_moment(archived), superseded_by=optional(superseded),
        folded_into=optional(folded),
    )  # fmt: skip


def _moment(column: object) -> datetime | None:
    return None if column is None else from_text(str(column))
