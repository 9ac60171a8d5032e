"""Procedures: named workflows with ordered steps, and how often they worked."""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import listed, whole, words
from experience.errors import NotFound
from experience.models import Procedure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from experience.db import Row, Store

COLUMNS = "id, name, context, steps, success_count, failure_count, trust, source, created_at, updated_at"
CANDIDATE = "key, project, terms, length, success_count, failure_count, trust, created_at"


class Procedures:
    """The procedures of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def put(self, new: Procedure, terms: Sequence[str]) -> tuple[int, Procedure]:
        """Store a procedure, or give the one of this name its new steps; its counts stay. Returns its key, too."""
        rows = self._store.query(
            f"""
            insert into procedures (project, {COLUMNS}, terms, length) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (project, name) do update set context = excluded.context, steps = excluded.steps,
                trust = excluded.trust, source = excluded.source, updated_at = excluded.updated_at,
                terms = excluded.terms, length = excluded.length
            returning key, {COLUMNS}
            """,
            self._project, new.id, new.name, new.context, listed(new.steps), new.success_count, new.failure_count,
            new.trust, new.source, to_text(new.created_at), to_text(new.updated_at), " ".join(terms), len(terms),
        )  # fmt: skip
        return whole(rows[0][0]), procedure(rows[0][1:])

    def find(self, id_or_name: str) -> Procedure | None:
        """The procedure with this id or this name, if this project has it."""
        rows = self._store.query(
            f"select {COLUMNS} from procedures where (id = ? or name = ?) and project = ?",
            id_or_name, id_or_name, self._project,
        )  # fmt: skip
        return procedure(rows[0]) if rows else None

    def by_keys(self, keys: Sequence[int]) -> dict[int, Procedure]:
        """Whole procedures by their keys."""
        marks = ", ".join("?" * len(keys))
        rows = self._store.query(
            f"select key, {COLUMNS} from procedures where key in ({marks}) and +project = ?", *keys, self._project
        )
        return {whole(row[0]): procedure(row[1:]) for row in rows}

    def list(self, limit: int = 100) -> Sequence[Procedure]:
        """Procedures by name."""
        rows = self._store.query(
            f"select {COLUMNS} from procedures where project = ? order by name limit ?", self._project, limit
        )
        return [procedure(row) for row in rows]

    def tally(self, id: str, *, worked: bool, at: datetime) -> int:
        """Count one success or one failure; returns the key."""
        column = "success_count" if worked else "failure_count"
        rows = self._store.query(
            f"update procedures set {column} = {column} + 1, updated_at = ? where id = ? and project = ? returning key",
            to_text(at), id, self._project,
        )  # fmt: skip
        if not rows:
            raise NotFound("procedure", id)
        return whole(rows[0][0])

    def delete(self, id: str) -> int | None:
        """Remove one procedure; returns its key where there was one."""
        rows = self._store.query("delete from procedures where id = ? and project = ? returning key", id, self._project)
        return whole(rows[0][0]) if rows else None

    def count(self) -> int:
        """How many procedures this project has."""
        return whole(self._store.query("select count(*) from procedures where project = ?", self._project)[0][0])


def procedure(row: Row) -> Procedure:
    """A row with COLUMNS as a value."""
    id, name, context, steps, successes, failures, trust, source, created, updated = row
    return Procedure(
        id=str(id), name=str(name), context=str(context), steps=words(steps), success_count=whole(successes),
        failure_count=whole(failures), trust=str(trust), source=str(source), created_at=from_text(str(created)),
        updated_at=from_text(str(updated)),
    )  # fmt: skip
