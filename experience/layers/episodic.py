"""The episodic log: what was said in a session, in order, its secrets taken out."""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import whole
from experience.models import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from experience.db import Row, Store

CANDIDATE = "key, project, terms, length, created_at"
COLUMNS = "id, session, role, content, created_at"


class Episodic:
    """The turns of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(self, turn: Turn, terms: Sequence[str]) -> None:
        """Write down one message."""
        self._store.execute(
            f"insert into turns (project, {COLUMNS}, terms, length) values (?, ?, ?, ?, ?, ?, ?, ?)",
            self._project, turn.id, turn.session, turn.role, turn.content, to_text(turn.created_at), " ".join(terms),
            len(terms),
        )  # fmt: skip

    def last(self, session: str, *, role: str | None = None, limit: int = 10) -> Sequence[Turn]:
        """The last messages of a session, oldest first."""
        rows = self._store.query(
            f"""
            select {COLUMNS} from turns where project = ? and session = ? and (? is null or role = ?)
            order by key desc limit ?
            """,
            self._project, session, role, role, limit,
        )  # fmt: skip
        return [turn(row) for row in reversed(rows)]

    def texts(self, page: int = 5_000) -> Iterator[tuple[str, str]]:
        """Every id with what was said."""
        last = 0
        while rows := self._store.query(
            "select key, id, content from turns where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from ((str(id), str(content)) for _, id, content in rows)
            last = whole(rows[-1][0])

    def count(self) -> int:
        """How many messages this project logged."""
        return whole(self._store.query("select count(*) from turns where project = ?", self._project)[0][0])


def turn(row: Row) -> Turn:
    """A row with COLUMNS as a value."""
    id, session, role, content, created = row
    return Turn(
        id=str(id), session=str(session), role=str(role), content=str(content), created_at=from_text(str(created))
    )
