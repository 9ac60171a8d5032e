"""The episodic log: what was said and done in a session and its runs, in order, its secrets taken out."""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import optional, whole
from experience.models import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from experience.db import Row, Store

CANDIDATE = "key, project, terms, length, created_at"
COLUMNS = "id, session, role, content, created_at, run, kind, tool, ok"
KINDS = {"user": "user_message", "assistant": "model_response", "tool": "tool_result"}  # what a role says


class Episodic:
    """The turns of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(self, turn: Turn, terms: Sequence[str]) -> None:
        """Write down one turn; without a run of its own it belongs to the open run of its session, if there is one."""
        kind = KINDS.get(turn.role, "message") if turn.kind == "message" else turn.kind
        self._store.execute(
            f"""
            insert into turns (project, {COLUMNS}, terms, length)
            values (?, ?, ?, ?, ?, ?, coalesce(?, (
                select id from runs where project = ? and session = ? and archived_at is null order by key desc limit 1
            )), ?, ?, ?, ?, ?)
            """,
            self._project, turn.id, turn.session, turn.role, turn.content, to_text(turn.created_at), turn.run,
            self._project, turn.session, kind, turn.tool, None if turn.ok is None else int(turn.ok), " ".join(terms),
            len(terms),
        )  # fmt: skip

    def last(self, session: str, *, role: str | None = None, limit: int = 10) -> Sequence[Turn]:
        """The last messages of a session, oldest first; calls of tools, which carry the tool's name, are none."""
        rows = self._store.query(
            f"""
            select {COLUMNS} from turns
            where project = ? and session = ? and (? is null or role = ?) and tool is null
            order by key desc limit ?
            """,
            self._project, session, role, role, limit,
        )  # fmt: skip
        return [turn(row) for row in reversed(rows)]

    def search(self, terms: Sequence[str], *, limit: int = 20) -> Sequence[Turn]:
        """The messages that hold any of the terms, of archived sessions, too; the best match first."""
        if not terms:
            return []
        rows = self._store.query(
            f"""
            select {', '.join(f't.{name}' for name in COLUMNS.split(', '))}
            from turns_fts join turns as t on t.key = turns_fts.rowid
            where turns_fts match ? and t.project = ? order by bm25(turns_fts), t.key desc limit ?
            """,
            " OR ".join(f'"{term}"' for term in terms), self._project, limit,
        )  # fmt: skip
        return [turn(row) for row in rows]

    def of_run(self, run: str, *, limit: int | None = None, before: int = 0) -> Sequence[Turn]:
        """The turns of a run, oldest first: all, or the last so many before the last *before*."""
        rows = self._store.query(
            f"select {COLUMNS} from turns where project = ? and run = ? order by key desc limit ? offset ?",
            self._project, run, -1 if limit is None else limit, before,
        )  # fmt: skip
        return [turn(row) for row in reversed(rows)]

    def idle(self, before: datetime) -> Sequence[str]:
        """The sessions nobody has spoken in since a time, the longest silent first."""
        rows = self._store.query(
            """
            select id from sessions where project = ? and archived_at is null and last_at < ? order by last_at, key
            """,
            self._project, to_text(before),
        )  # fmt: skip
        return [str(id) for (id,) in rows]

    def archive(self, sessions: Sequence[str], at: datetime, *, idle_since: datetime) -> set[str]:
        """Put aside those of the sessions that are idle still; a new message brings one back by itself."""
        marks = ", ".join("?" * len(sessions))
        rows = self._store.query(
            f"""
            update sessions set archived_at = ?
            where id in ({marks}) and project = ? and archived_at is null and last_at < ? returning id
            """,
            to_text(at), *sessions, self._project, to_text(idle_since),
        )  # fmt: skip
        return {str(id) for (id,) in rows}

    def unarchive(self, session: str, archived_at: datetime) -> bool:
        """Take a session out of the archive again, if it was put there at that time."""
        rows = self._store.query(
            "update sessions set archived_at = null where id = ? and project = ? and archived_at = ? returning id",
            session, self._project, to_text(archived_at),
        )  # fmt: skip
        return bool(rows)

    def archived(self) -> dict[str, datetime]:
        """The sessions that were put aside, and when."""
        rows = self._store.query(
            "select id, archived_at from sessions where project = ? and archived_at is not null order by key",
            self._project,
        )
        return {str(id): from_text(str(at)) for id, at in rows}

    def saying(self, words: str) -> Sequence[Turn]:
        """The messages that hold these very words."""
        rows = self._store.query(
            f"select {COLUMNS} from turns where project = ? and instr(content, ?) order by key", self._project, words
        )
        return [turn(row) for row in rows]

    def rewrite(self, id: str, content: str, terms: Sequence[str]) -> None:
        """Put other words in the place of a message."""
        self._store.execute(
            "update turns set content = ?, terms = ?, length = ? where id = ? and project = ?",
            content, " ".join(terms), len(terms), id, self._project,
        )  # fmt: skip

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
    id, session, role, content, created, run, kind, tool, ok = row
    return Turn(
        id=str(id), session=str(session), role=str(role), content=str(content), created_at=from_text(str(created)),
        run=optional(run), kind=str(kind), tool=optional(tool), ok=None if ok is None else bool(ok),
    )  # fmt: skip
