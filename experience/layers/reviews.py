"""Reviews: what only a person can decide, and what was decided, by whom."""

from __future__ import annotations

import json

from experience.clock import from_text, to_text
from experience.columns import optional
from experience.errors import Conflict, NotFound
from experience.ids import new_id
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from experience.db import Row, Store
    from experience.models import Json

COLUMNS = "id, kind, subject, other, detail, state, created_at, decided_at, decided_by"
DECISIONS = ("approved", "rejected", "expired")


class Review(Value):
    """One question to a person."""

    id: str
    kind: str
    subject: str
    other: str
    detail: dict[str, Json]
    state: str
    created_at: datetime
    decided_at: datetime | None
    decided_by: str | None


class Reviews:
    """The review queue of one store, as one project sees it."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def ask(self, kind: str, subject: str, other: str, detail: dict[str, Json], at: datetime) -> str | None:
        """Put a question into the queue; one that was asked before, whatever the answer, is not asked again."""
        rows = self._store.query(
            """
            insert into reviews (id, project, kind, subject, other, detail, created_at) values (?, ?, ?, ?, ?, ?, ?)
            on conflict do nothing returning id
            """,
            new_id("rev_"), self._project, kind, subject, other, json.dumps(detail, ensure_ascii=False), to_text(at),
        )  # fmt: skip
        return str(rows[0][0]) if rows else None

    def asked(self, kind: str) -> set[tuple[str, str]]:
        """Every pair that a question of this kind was ever asked about."""
        rows = self._store.query(
            "select subject, other from reviews where project = ? and kind = ?", self._project, kind
        )
        return {(str(subject), str(other)) for subject, other in rows}

    def of(self, kind: str, subject: str, other: str) -> Review | None:
        """What was asked about a pair, if anything was."""
        rows = self._store.query(
            f"select {COLUMNS} from reviews where project = ? and kind = ? and subject = ? and other = ?",
            self._project, kind, subject, other,
        )  # fmt: skip
        return review(rows[0]) if rows else None

    def get(self, id: str) -> Review:
        """The review with this id."""
        rows = self._store.query(f"select {COLUMNS} from reviews where id = ? and project = ?", id, self._project)
        if not rows:
            raise NotFound("review", id)
        return review(rows[0])

    def list(self, *, state: str | None = "open", kind: str | None = None, limit: int = 200) -> Sequence[Review]:
        """Questions in one state, the oldest first."""
        rows = self._store.query(
            f"""
            select {COLUMNS} from reviews where project = ? and (? is null or state = ?) and (? is null or kind = ?)
            order by key limit ?
            """,
            self._project, state, state, kind, kind, limit,
        )  # fmt: skip
        return [review(row) for row in rows]

    def decide(self, id: str, state: str, by: str, at: datetime) -> Review:
        """Answer a question once; who comes second is told."""
        rows = self._store.query(
            f"""
            update reviews set state = ?, decided_at = ?, decided_by = ?
            where id = ? and project = ? and state = 'open' returning {COLUMNS}
            """,
            state, to_text(at), by, id, self._project,
        )  # fmt: skip
        if not rows:
            was = self.get(id)
            raise Conflict(f"the review {id} was {was.state} already by {was.decided_by}; nothing was changed")
        return review(rows[0])

    def withdraw(self, id: str) -> None:
        """Take a question back as if it had never been asked."""
        self._store.execute("delete from reviews where id = ? and project = ?", id, self._project)

    def erase(self, subject: str) -> None:
        """Remove every question about a thing: its detail may quote it."""
        self._store.execute("delete from reviews where subject = ? and project = ?", subject, self._project)


def review(row: Row) -> Review:
    """A row with COLUMNS as a value."""
    id, kind, subject, other, detail, state, created, decided, by = row
    return Review(
        id=str(id), kind=str(kind), subject=str(subject), other=str(other), detail=json.loads(str(detail)),
        state=str(state), created_at=from_text(str(created)),
        decided_at=None if decided is None else from_text(str(decided)), decided_by=optional(by),
    )  # fmt: skip
