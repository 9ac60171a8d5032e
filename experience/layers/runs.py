"""Runs: when each began, whether it is over, and what was learned from it."""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import optional, whole
from experience.errors import NotFound
from experience.models import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from experience.db import Row, Store

COLUMNS = "id, session, host, started_at, archived_at, experience"
_COUNTED = f"{COLUMNS}, (select count(*) from turns where turns.run = runs.id)"


class Runs:
    """The runs of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(self, new: Run) -> None:
        """Write down that a run began."""
        self._store.execute(
            f"insert into runs (project, {COLUMNS}) values (?, ?, ?, ?, ?, null, null)",
            self._project, new.id, new.session, new.host, to_text(new.started_at),
        )  # fmt: skip

    def get(self, id: str) -> Run:
        """The run with this id."""
        rows = self._store.query(f"select {_COUNTED} from runs where id = ? and project = ?", id, self._project)
        if not rows:
            raise NotFound("run", id)
        return run(rows[0])

    def newest(self, session: str) -> Run | None:
        """The newest run of a session, whether it is over or not."""
        rows = self._store.query(
            f"select {_COUNTED} from runs where project = ? and session = ? order by key desc limit 1",
            self._project, session,
        )  # fmt: skip
        return run(rows[0]) if rows else None

    def list(self, *, session: str | None = None, limit: int = 50) -> Sequence[Run]:
        """The newest runs first, of one session or of all."""
        rows = self._store.query(
            f"""
            select {_COUNTED} from runs where project = ? and (? is null or session = ?) order by key desc limit ?
            """,
            self._project, session, session, limit,
        )  # fmt: skip
        return [run(row) for row in rows]

    def open(self, *, session: str | None = None, limit: int = 50) -> Sequence[Run]:
        """The runs that are not over, the oldest first."""
        rows = self._store.query(
            f"""
            select {_COUNTED} from runs
            where project = ? and archived_at is null and (? is null or session = ?) order by key limit ?
            """,
            self._project, session, session, limit,
        )  # fmt: skip
        return [run(row) for row in rows]

    def last_turn_at(self, id: str) -> datetime | None:
        """When something was last said or done in a run."""
        rows = self._store.query(
            "select created_at from turns where run = ? and project = ? order by key desc limit 1", id, self._project
        )
        return from_text(str(rows[0][0])) if rows else None

    def archive(self, id: str, at: datetime) -> bool:
        """Put a run aside with its log; tells whether it was still open."""
        rows = self._store.query(
            "update runs set archived_at = ? where id = ? and project = ? and archived_at is null returning id",
            to_text(at), id, self._project,
        )  # fmt: skip
        return bool(rows)

    def taught(self, id: str, experience: str) -> None:
        """Remember which experience was made of a run."""
        self._store.execute(
            "update runs set experience = ? where id = ? and project = ?", experience, id, self._project
        )


def run(row: Row) -> Run:
    """A row with COLUMNS and the number of turns as a value."""
    id, session, host, started, archived, experience, turns = row
    return Run(
        id=str(id), session=str(session), host=str(host), started_at=from_text(str(started)),
        archived_at=None if archived is None else from_text(str(archived)), experience=optional(experience),
        turns=whole(turns),
    )  # fmt: skip
