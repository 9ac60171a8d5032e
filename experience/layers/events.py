"""The event log: what happened, when, to what, by whom; append-only and chained by hashes.

Each row's hash covers the row and the hash before it, so that an altered row breaks the chain at its own place.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from itertools import chain

from experience import checks
from experience.clock import from_text, to_text
from experience.errors import InvalidInput
from experience.models import Event
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Row, Store
    from experience.db import Value as Column
    from experience.models import Json

    Params: TypeAlias = list[Column]

CATEGORIES = (
    "agent", "thread", "job", "task", "file", "git", "conversation", "tool", "error", "message", "memory",
    "ingestion", "experience", "outcome",
)  # fmt: skip
GENESIS = "0" * 64
COLUMNS = "seq, at, project, type, subject, actor, data, hash"
TOGETHER = 200  # rows inserted by one statement

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Verification(Value):
    """What `verify` found: whole, or the first row that is not."""

    whole: bool
    checked: int
    store: str
    seq: int | None = None
    reason: str = "every row is as it was written"


class Events:
    """The log of one store, as one project sees it."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def append(self, type: str, subject: str, at: datetime, /, *, actor: str, **data: Json) -> None:
        """Write down one fact, in the transaction of the change it tells of."""
        self.append_many(type, [(subject, data)], at, actor=actor)

    def append_many(
        self, type: str, facts: Sequence[tuple[str, Mapping[str, Json]]], at: datetime, *, actor: str
    ) -> None:
        """Write down many facts of one type."""
        sha256, moment = _sha256(), to_text(at)
        before, after = ",".join(map(_encode, (moment, self._project, type))), _encode(actor)
        with self._store.transaction():
            seq, last = self._head()
            rows: list[Params] = []
            for number, (subject, data) in enumerate(facts, seq + 1):
                written = _encode(data)
                # what `link` makes of the row, put together from pieces that are alike for all
                body = f"[{number},{before},{_encode(subject)},{after},{_encode(written)}]"
                last = sha256(f"{last}\n{body}".encode()).hexdigest()
                rows.append([number, moment, self._project, type, subject, actor, written, last])
            for some in (rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER)):
                marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?)"] * len(some))
                self._store.execute(f"insert into events ({COLUMNS}) values {marks}", *chain.from_iterable(some))

    def list(
        self,
        *,
        type: str | None = None,
        subject: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        where: Mapping[str, str | int | float | bool] | None = None,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> tuple[Event, ...]:
        """The events that pass every filter given; a type may be a whole category ("tool")."""
        sql = ["project = ? and seq > ?"]
        params: Params = [self._project, after]
        if type is not None:
            sql.append("(type = ? or type glob ? || '.*')")
            params += [type, type]
        if subject is not None:
            sql.append("subject = ?")
            params.append(subject)
        if since is not None:
            sql.append("at >= ?")
            params.append(to_text(since))
        if until is not None:
            sql.append("at < ?")
            params.append(to_text(until))
        for field, value in (where or {}).items():
            sql.append("json_extract(data, ?) = ?")
            params += [json_path(field), value]
        order = "desc" if newest_first else "asc"
        rows = self._store.query(
            f"select {COLUMNS} from events where {' and '.join(sql)} order by seq {order} limit ?",
            *params, -1 if limit is None else checks.count("limit", limit, most=1_000_000),
        )  # fmt: skip
        return tuple(event(row) for row in rows)

    def replay(self, run: str) -> tuple[Event, ...]:
        """Everything that happened in one run, in the order it happened."""
        return self.list(where={"run": run})

    def count(self) -> int:
        """How many events this project has."""
        return int(str(self._store.query("select count(*) from events where project = ?", self._project)[0][0]))

    def last_seq(self) -> int:
        """The position of the store: the number of its newest event, whoever wrote it."""
        return self._head()[0]

    def changed_keys(self, seq: int, category: str) -> tuple[int, Sequence[int] | None]:
        """The newest position, and the keys of the rows that events of a category after *seq* changed.

        None instead of keys where one event changed many rows at once, or where the log no longer reaches so far
        because a backup was restored. Of every project in the store.
        """
        rows = self._store.query(
            """
            select seq, json_extract(data, '$.key') from events
            where seq >= ? and (seq = ? or (type >= ? and type < ?)) order by seq
            """,
            seq, seq, f"{category}.", f"{category}/",
        )  # fmt: skip
        if seq and (not rows or rows[0][0] != seq):
            return seq, None
        keys = [key for number, key in rows if number != seq]
        position = int(str(rows[-1][0])) if rows else seq
        return position, None if None in keys else tuple(dict.fromkeys(int(str(key)) for key in keys))

    def verify(self) -> Verification:
        """Follow the chain from the first event to the last and name the first row that breaks it."""
        last, expected = GENESIS, 1
        for row in self._rows():
            if row[0] != expected:
                return self._broken(expected, "this row is missing")
            last = link(last, row[:-1])
            if row[-1] != last:
                return self._broken(expected, "this row was altered")
            expected += 1
        if self._written() >= expected:
            return self._broken(expected, "this row is missing")
        return Verification(whole=True, checked=expected - 1, store=self._store.where)

    def _broken(self, seq: int, reason: str) -> Verification:
        return Verification(whole=False, checked=seq - 1, store=self._store.where, seq=seq, reason=reason)

    def _rows(self, page: int = 5000) -> Iterator[Row]:
        seq = 0
        while rows := self._store.query(f"select {COLUMNS} from events where seq > ? order by seq limit ?", seq, page):
            yield from rows
            seq = int(str(rows[-1][0]))

    def _head(self) -> tuple[int, str]:
        rows = self._store.query("select seq, hash from events order by seq desc limit 1")
        return (int(str(rows[0][0])), str(rows[0][1])) if rows else (0, GENESIS)

    def _written(self) -> int:
        """How many rows were ever written: the counter survives a deletion of the newest ones."""
        rows = self._store.query("select seq from sqlite_sequence where name = 'events'")
        return int(str(rows[0][0])) if rows else 0


def link(last: str, body: Sequence[object]) -> str:
    """The hash of one row, given the hash before it."""
    digest: str = _sha256()(f"{last}\n{_encode(body)}".encode()).hexdigest()
    return digest


@cache
def _sha256() -> Any:
    """Python's own hash, whose room differs by version; hashlib loads OpenSSL, 2 ms that every prompt would pay."""
    for room in ("_sha2", "_sha256", "hashlib"):
        try:
            return import_module(room).sha256
        except ImportError:
            continue
    raise AssertionError("Python comes with hashlib")


def json_path(field: str) -> str:
    """`a.b` as the path of a field inside the data."""
    if not field or '"' in field:
        raise InvalidInput(f"field {field!r} is not a name; write name=value, or outer.inner=value")
    return "$" + "".join(f'."{part}"' for part in field.split("."))


def event(row: Row) -> Event:
    """A row of the log as a value."""
    seq, at, _, type, subject, actor, data, hash = row
    return Event(
        seq=int(str(seq)), at=from_text(str(at)), type=str(type), subject=str(subject), actor=str(actor),
        data=json.loads(str(data)), hash=str(hash),
    )  # fmt: skip


def checked_type(type: str) -> str:
    """`category.what_happened`, of a known category."""
    category, dot, verb = checks.text("type", type, most=100).partition(".")
    checks.one_of("event category", category, CATEGORIES)
    if not dot or not verb.replace("_", "").isalnum():
        raise InvalidInput(f"event type {type!r} must read category.verb, such as tool.called")
    return type
