"""The canon: every row of a store that cannot be made anew from others, as it leaves the store and comes back.

Each table names the columns that are carried, with the kind of each, and those that are derived and made anew where the
row comes back. `?` marks a column that may be empty.
"""

from __future__ import annotations

import json

from experience.columns import listed
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from experience.db import Store
    from experience.db import Value as Column

    Fields: TypeAlias = dict[str, Any]

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Table(Value):
    """One table: what its rows are called outside, what they carry, what is derived, and what puts them in order."""

    name: str
    kind: str
    columns: dict[str, str]
    derived: tuple[str, ...] = ()
    order: tuple[str, ...] = ("key",)
    twin: tuple[str, ...] = ()  # columns that make two rows the same, where no constraint of the schema does


def _table(name: str, kind: str, columns: str, derived: str = "", order: str = "key", twin: str = "") -> Table:
    pairs = dict(column.split(":") for column in columns.split())
    return Table(
        name=name, kind=kind, columns=pairs, derived=tuple(derived.split()), order=tuple(order.split()),
        twin=tuple(twin.split()),
    )  # fmt: skip


_LINES = "terms length"
# In this order rows leave and come back: a turn makes its session, so sessions come after turns.
TABLES = (
    _table(
        "experiences", "experience",
        "id:text type:text intent:text solution:json tags:words success_score:number weight:number weighed_at:moment "
        "use_count:whole reported_sum:number reported_count:whole verified_sum:number verified_count:whole trust:text "
        "source:text created_at:moment last_used_at:moment",
        _LINES,
    ),
    _table(
        "memories", "memory",
        "id:text reach:text type:text priority:text content:text title:text keywords:text context:text scope:text? "
        "tags:words trust:text source:text claim:text? reinforcement_count:whole created_at:moment updated_at:moment "
        "accessed_at:moment valid_from:moment valid_to:moment? quarantined_at:moment? quarantine_reason:text? "
        "archived_at:moment? superseded_by:text? folded_into:text?",
        f"strength fingerprint follows tag_terms scope_terms context_terms {_LINES}",
    ),
    _table(
        "memory_versions", "memory_version", "memory:text was:object until:moment actor:text",
        twin="memory until was",
    ),
    _table(
        "episodes", "episode",
        "id:text event:text outcome:text? tags:words session:text? trust:text source:text created_at:moment", _LINES,
    ),
    _table(
        "passages", "passage", "id:text text:text source:text trust:text created_at:moment", f"fingerprint {_LINES}"
    ),
    _table(
        "procedures", "procedure",
        "id:text name:text context:text steps:words success_count:whole failure_count:whole trust:text source:text "
        "created_at:moment updated_at:moment",
        _LINES,
    ),
    _table(
        "runs", "run",
        "id:text session:text host:text started_at:moment archived_at:moment? experience:text?",
    ),
    _table(
        "turns", "turn",
        "id:text session:text role:text content:text created_at:moment run:text? kind:text tool:text? ok:whole?",
        _LINES,
    ),
    _table("sessions", "session", "id:text started_at:moment last_at:moment archived_at:moment?", "turns", "id"),
    _table(
        "injections", "injection",
        "id:text session:text prompt:text path:text? budget:whole tokens:whole text:text candidates:trace "
        "position:whole created_at:moment",
        "hash",
    ),
    _table(
        "outcomes", "outcome",
        "id:text subject:text score:number channel:text verified:whole evidence:json created_at:moment",
    ),
    _table("links", "link", "made:text source:text", order="made source"),
    _table(
        "reviews", "review",
        "id:text kind:text subject:text other:text detail:object state:text created_at:moment decided_at:moment? "
        "decided_by:text?",
    ),
    _table(
        "retired", "retired", "id:text kind:text was:object reason:text into_id:text? run:text at:moment", order="id"
    ),
    _table(
        "items", "item",
        "namespace:words name:text value:json created_at:moment updated_at:moment ttl_minutes:number? "
        "expires_at:moment?",
    ),
    _table("imported", "imported", "digest:text at:moment", order="digest"),
)  # fmt: skip
BY_KIND = {table.kind: table for table in TABLES}
_JSON = ("json", "object", "trace", "words")
# A session comes to be with its first turn; what only its row knows is that it was put aside.
_SESSIONS = """
    on conflict (project, id) do update set started_at = min(started_at, excluded.started_at),
        last_at = max(last_at, excluded.last_at),
        archived_at = case when last_at <= excluded.last_at then coalesce(archived_at, excluded.archived_at)
            else archived_at end
"""


class Canon:
    """The canonical rows of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def rows(self, table: Table, page: int = 500) -> Iterator[Fields]:
        """Every row of a table by column, JSON read, in the order they came; few at a time in memory."""
        order, names = ", ".join(table.order), ", ".join(table.columns)
        last: list[Column] = [0 if name == "key" else "" for name in table.order]
        marks = ", ".join("?" * len(last))
        while found := self._store.query(
            f"select {order}, {names} from {table.name} where project = ? and ({order}) > ({marks}) "
            f"order by {order} limit ?",
            self._project, *last, page,
        ):  # fmt: skip
            yield from (_read(table, row[len(last) :]) for row in found)
            last = list(found[-1][: len(last)])

    def insert(self, table: Table, fields: Mapping[str, Any], derived: Mapping[str, Column]) -> bool:
        """Put a row back, unless it is there already; tells whether it was not."""
        carried = {name: _written(kind, fields[name]) for name, kind in table.columns.items()}
        row: dict[str, Column] = {"project": self._project, **carried, **derived}
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        if table.twin:
            twin = ("project", *table.twin)
            there = f"select 1 from {table.name} where {' and '.join(f'{name} = ?' for name in twin)}"
            sql = f"insert into {table.name} ({names}) select {marks} where not exists ({there})"
            return self._store.execute(sql, *row.values(), *(row[name] for name in twin)) > 0
        rule = _SESSIONS if table.name == "sessions" else "on conflict do nothing"
        return bool(
            self._store.query(f"insert into {table.name} ({names}) values ({marks}) {rule} returning 1", *row.values())
        )

    def tie_injected(self, injection: str, subjects: Sequence[str]) -> None:
        """Say which things stood in a block."""
        self._store.execute_many(
            "insert into injected (injection, subject, project) values (?, ?, ?) on conflict do nothing",
            [(injection, subject, self._project) for subject in subjects],
        )


def _read(table: Table, row: Sequence[Column]) -> Fields:
    pairs = zip(table.columns.items(), row, strict=True)
    return {name: json.loads(str(value)) if kind in _JSON else value for (name, kind), value in pairs}


def _written(kind: str, value: Any) -> Column:
    """A value as its column holds it; lists of words are written as everywhere else."""
    if kind == "words":
        return listed(tuple(value))
    if kind in _JSON:
        return _encode(value)
    column: Column = value
    return column
