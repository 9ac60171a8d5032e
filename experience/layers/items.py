"""Items: JSON values by namespace and name, for programs that bring their own idea of a store."""

from __future__ import annotations

import json

from experience.clock import from_text, to_text
from experience.columns import whole
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.db import Row, Store
    from experience.models import Json

    Labels: TypeAlias = Sequence[str]

COLUMNS = "namespace, name, value, created_at, updated_at"
_ALIVE = "(expires_at is null or expires_at > ?)"
_BELOW = "(namespace = ? or (namespace >= ? and namespace < ?))"

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Item(Value):
    """One value, where it stands and since when."""

    namespace: tuple[str, ...]
    name: str
    value: Json
    created_at: datetime
    updated_at: datetime


class Items:
    """The items of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def put(self, namespace: Labels, name: str, value: str, at: datetime, *, ttl_minutes: float | None = None) -> None:
        """Write a value, JSON as text; it is gone *ttl_minutes* after it was last written or refreshed."""
        moment, gone = to_text(at), _gone(at, ttl_minutes)
        self._store.execute(
            f"""
            insert into items (project, {COLUMNS}, ttl_minutes, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (project, namespace, name) do update set value = excluded.value,
                created_at = case when {_ALIVE} then created_at else excluded.created_at end,
                updated_at = excluded.updated_at, ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at
            """,
            self._project, _encode(list(namespace)), name, value, moment, moment, ttl_minutes, gone, moment,
        )  # fmt: skip

    def find(self, namespace: Labels, name: str, at: datetime) -> Item | None:
        """The value of this name, if there is one and its time is not over."""
        rows = self._store.query(
            f"select {COLUMNS} from items where project = ? and namespace = ? and name = ? and {_ALIVE}",
            self._project, _encode(list(namespace)), name, to_text(at),
        )  # fmt: skip
        return item(rows[0]) if rows else None

    def delete(self, namespace: Labels, name: str) -> None:
        """Remove one value; where there is none that is fine."""
        self._store.execute(
            "delete from items where project = ? and namespace = ? and name = ?",
            self._project, _encode(list(namespace)), name,
        )  # fmt: skip

    def below(self, namespace: Labels, at: datetime, page: int = 1_000) -> Iterator[Item]:
        """Every value in a namespace and in those below it, in the order they were first written."""
        last = 0
        while rows := self._store.query(
            f"select key, {COLUMNS} from items where project = ? and {_BELOW} and {_ALIVE} and key > ? "
            "order by key limit ?",
            self._project, *_span(namespace), to_text(at), last, page,
        ):  # fmt: skip
            yield from (item(row[1:]) for row in rows)
            last = whole(rows[-1][0])

    def newest(self, namespace: Labels, at: datetime, limit: int | None = None) -> Sequence[Item]:
        """The values written last into exactly this namespace, oldest first."""
        rows = self._store.query(
            f"select {COLUMNS} from items where project = ? and namespace = ? and {_ALIVE} order by key desc limit ?",
            self._project, _encode(list(namespace)), to_text(at), -1 if limit is None else limit,
        )  # fmt: skip
        return [item(row) for row in reversed(rows)]

    def pop(self, namespace: Labels) -> Item | None:
        """Take the value out that was written last into exactly this namespace."""
        labels = _encode(list(namespace))
        rows = self._store.query(
            f"""
            delete from items where key = (select max(key) from items where project = ? and namespace = ?)
            returning {COLUMNS}
            """,
            self._project, labels,
        )  # fmt: skip
        return item(rows[0]) if rows else None

    def clear(self, namespace: Labels) -> None:
        """Remove every value of exactly this namespace."""
        self._store.execute(
            "delete from items where project = ? and namespace = ?", self._project, _encode(list(namespace))
        )

    def refresh(self, found: Sequence[Item], at: datetime) -> None:
        """Let the time of these values begin anew, as far as they have one."""
        for one in found:
            self._store.execute(
                """
                update items set expires_at = strftime('%Y-%m-%dT%H:%M:%f000Z', ?, '+' || ttl_minutes || ' minutes')
                where project = ? and namespace = ? and name = ? and ttl_minutes is not null
                """,
                to_text(at), self._project, _encode(list(one.namespace)), one.name,
            )  # fmt: skip

    def sweep(self, at: datetime) -> int:
        """Remove what has expired; returns how much that was."""
        return self._store.execute(
            "delete from items where project = ? and expires_at <= ?", self._project, to_text(at)
        )

    def namespaces(self, at: datetime) -> list[tuple[str, ...]]:
        """Every namespace that holds a value, in order."""
        rows = self._store.query(
            f"select distinct namespace from items where project = ? and {_ALIVE}", self._project, to_text(at)
        )
        return sorted(tuple(json.loads(str(labels))) for (labels,) in rows)


def item(row: Row) -> Item:
    """A row with COLUMNS as a value."""
    namespace, name, value, created, updated = row
    return Item(
        namespace=tuple(json.loads(str(namespace))), name=str(name), value=json.loads(str(value)),
        created_at=from_text(str(created)), updated_at=from_text(str(updated)),
    )  # fmt: skip


def _gone(at: datetime, ttl_minutes: float | None) -> str | None:
    if ttl_minutes is None:
        return None
    from datetime import timedelta

    return to_text(at + timedelta(minutes=ttl_minutes))


def _span(namespace: Labels) -> tuple[str, str, str]:
    """The texts of a namespace and of all below it: exactly this one, or from the first to before the last."""
    labels = _encode(list(namespace))
    if not namespace:
        return labels, "[", "]"
    return labels, f"{labels[:-1]},", f"{labels[:-1]}-"
