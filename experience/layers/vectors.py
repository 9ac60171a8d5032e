"""Vectors: what texts mean, by the row they belong to; derived, and fed to every live index in the order they came.

Also passages: any text somebody wants to find again by what it means.
"""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import whole
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.db import Store
    from experience.db import Value as Column

    Texts: TypeAlias = dict[int, str]

CANDIDATE = "key, project, terms, length, created_at"  # of passages
TEXTS = {  # what is embedded of each table's rows
    "experiences": "intent", "memories": "content", "episodes": "event || coalesce(': ' || outcome, '')",
    "passages": "text", "chunks": "text",
}  # fmt: skip
TOLD = {  # when a row was told, where that matters
    "experiences": "created_at", "memories": "created_at", "episodes": "created_at", "passages": "created_at",
}  # fmt: skip
AT_ONCE = 500  # parameters in one statement


class Passage(Value):
    """A text that is found again by what it means."""

    id: str
    text: str
    source: str
    trust: str
    created_at: datetime


class Vectors:
    """The vectors of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store, self._project = store, project

    def put(self, kind: str, model: str, rows: Sequence[tuple[int, str, int, bytes]]) -> None:
        """Keep vectors by the key of their row: key, hash, dimension, vector. One that is there already stays."""
        self._store.execute_many(
            """
            insert into vectors (project, kind, model, subject, hash, dimension, vector) values (?, ?, ?, ?, ?, ?, ?)
            on conflict (kind, subject, model) do nothing
            """,
            [(self._project, kind, model, *row) for row in rows],
        )

    def since(self, kind: str, model: str, seq: int, page: int = 20_000) -> Sequence[tuple[int, int, bytes]]:
        """What was kept after a position, in order (+ keeps other indexes out of it): position, key, vector."""
        rows = self._store.query(
            """
            select seq, subject, vector from vectors
            where seq > ? and +project = ? and +kind = ? and +model = ? order by seq limit ?
            """,
            seq, self._project, kind, model, page,
        )  # fmt: skip
        return [(whole(seq), whole(key), bytes(vector)) for seq, key, vector in rows]  # type: ignore[arg-type]

    def gone(self, kind: str, seq: int) -> tuple[int, Sequence[int]]:
        """The newest position among what went, and the keys of a kind that lost their vector after *seq*."""
        last = self._store.query("select coalesce(max(seq), 0) from vectors_gone")[0][0]
        rows = self._store.query("select subject from vectors_gone where kind = ? and seq > ?", kind, seq)
        return whole(last), [whole(key) for (key,) in rows]

    def missing(self, kind: str, model: str, after: int, most: int, *, newest: bool) -> Texts:
        """Rows after a key that have no vector yet, and their texts."""
        rows = self._store.query(
            f"""
            select key, {TEXTS[kind]} from {kind} as t where project = ? and key > ? and not exists (
                select 1 from vectors where kind = ? and model = ? and subject = t.key
            ) order by key {"desc" if newest else "asc"} limit ?
            """,
            self._project, after, kind, model, most,
        )  # fmt: skip
        return {whole(key): str(text) for key, text in rows}

    def texts(self, kind: str, keys: Sequence[int]) -> Texts:
        """What these rows say now."""
        rows = self._by_keys(f"select key, {TEXTS[kind]} from {kind} where key in", keys)
        return {whole(key): str(text) for key, text in rows}

    def told(self, kind: str, keys: Sequence[int]) -> dict[int, tuple[str, str, datetime | None]]:
        """The id, text and time of these rows, if they are this project's."""
        columns = f"key, id, {TEXTS[kind]}, {TOLD.get(kind, 'null')}"
        shown = "and hidden = 0" if kind == "memories" else ""
        rows = self._by_keys(f"select {columns} from {kind} where project = ? {shown} and key in", keys, self._project)
        return {whole(key): (str(id), str(text), from_text(str(at)) if at else None) for key, id, text, at in rows}

    def known(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """The vectors of texts that were embedded before, by their hash."""
        rows = self._by_keys("select hash, vector from vectors where model = ? and hash in", hashes, model)
        return {str(hash): bytes(vector) for hash, vector in rows}  # type: ignore[arg-type]

    def allowed(self, kind: str, keys: Sequence[int], only: str, params: Sequence[Column]) -> set[int]:
        """Those of these rows that meet a condition on the table's columns."""
        rows = self._by_keys(f"select key from {kind} where {only} and key in", keys, *params)
        return {whole(key) for (key,) in rows}

    def meeting(self, kind: str, only: str, params: Sequence[Column], most: int) -> list[int]:
        """The newest rows that meet a condition."""
        rows = self._store.query(
            f"select key from {kind} where project = ? and {only} order by key desc limit ?",
            self._project, *params, most,
        )  # fmt: skip
        return [whole(key) for (key,) in rows]

    def count(self, kind: str, model: str) -> int:
        """How many rows of a kind have their vector."""
        return whole(
            self._store.query(
                "select count(*) from vectors where project = ? and kind = ? and model = ?", self._project, kind, model
            )[0][0]
        )

    def clear(self) -> None:
        """Drop every vector of the store, of every model: they are made again when they are needed."""
        self._store.execute("delete from vectors")

    def keep(self, new: Passage, terms: Sequence[str], fingerprint: str) -> Passage:
        """Store a passage; the same text again is the same passage."""
        self._store.execute(
            """
            insert into passages (id, project, text, source, trust, fingerprint, created_at, terms, length)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (project, fingerprint) do nothing
            """,
            new.id, self._project, new.text, new.source, new.trust, fingerprint, to_text(new.created_at),
            " ".join(terms), len(terms),
        )  # fmt: skip
        return self._passages("fingerprint = ?", fingerprint)[0]

    def passage(self, id: str) -> Passage | None:
        """The passage with this id, if this project has it."""
        return next(iter(self._passages("id = ?", id)), None)

    def key_of(self, id: str) -> int:
        """The key of a passage."""
        return whole(self._store.query("select key from passages where id = ?", id)[0][0])

    def forget(self, id: str) -> bool:
        """Remove a passage and its vector; whether there was one."""
        rows = self._store.query("delete from passages where id = ? and project = ? returning key", id, self._project)
        return bool(rows)

    def _passages(self, condition: str, *params: Column) -> Sequence[Passage]:
        rows = self._store.query(
            f"select id, text, source, trust, created_at from passages where project = ? and {condition}",
            self._project, *params,
        )  # fmt: skip
        return [
            Passage(id=str(id), text=str(text), source=str(source), trust=str(trust), created_at=from_text(str(at)))
            for id, text, source, trust, at in rows
        ]

    def _by_keys(self, sql: str, keys: Sequence[int] | Sequence[str], *params: Column) -> list[tuple[Column, ...]]:
        found: list[tuple[Column, ...]] = []
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            found += self._store.query(f"{sql} ({', '.join('?' * len(some))})", *params, *some)
        return found
