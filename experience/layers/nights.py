"""Runs of the night: their reports, every change they made, what they took out of its table; for the way back."""

from __future__ import annotations

import json

from experience.clock import from_text, to_text
from experience.columns import number, optional, whole
from experience.errors import NotFound
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from experience.db import Row, Store
    from experience.models import Json

RUN = "id, job, state, holder, token, step, progress, report, before, after, started_at, finished_at"
CHANGE = "key, step, action, kind, subject, was, became, undone_at"
TOGETHER = 200
LAST = 2**63 - 1  # beyond every key

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Run(Value):
    """One run of the night."""

    id: str
    job: str
    state: str
    holder: str
    token: int
    step: str | None
    progress: float
    report: tuple[dict[str, Json], ...]  # one entry a step
    before: dict[str, Json]
    after: dict[str, Json]
    started_at: datetime
    finished_at: datetime | None


class Change(Value):
    """One change that a run made to one thing, with what was there before."""

    step: str
    action: str
    kind: str
    subject: str
    was: dict[str, Json]
    became: dict[str, Json]
    key: int = 0
    undone_at: datetime | None = None


class Nights:
    """The runs of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def begin(self, id: str, job: str, holder: str, token: int, at: datetime, before: dict[str, Json]) -> None:
        """Write down that a run has begun; one that never ended was interrupted."""
        self._store.execute(
            "update job_runs set state = 'interrupted', finished_at = ? where project = ? and job = ? "
            "and state = 'running'",
            to_text(at), self._project, job,
        )  # fmt: skip
        self._store.execute(
            "insert into job_runs (id, project, job, state, holder, token, before, started_at) "
            "values (?, ?, ?, 'running', ?, ?, ?, ?)",
            id, self._project, job, holder, token, _encode(before), to_text(at),
        )  # fmt: skip

    def advance(self, id: str, step: str, progress: float, report: Sequence[dict[str, Json]]) -> None:
        """Where a run stands."""
        self._store.execute(
            "update job_runs set step = ?, progress = ?, report = ? where id = ?",
            step, min(1.0, progress), _encode(list(report)), id,
        )  # fmt: skip

    def finish(
        self, id: str, state: str, at: datetime, report: Sequence[dict[str, Json]], after: dict[str, Json]
    ) -> None:
        """How a run ended."""
        self._store.execute(
            "update job_runs set state = ?, step = null, progress = 1, report = ?, after = ?, finished_at = ? "
            "where id = ?",
            state, _encode(list(report)), _encode(after), to_text(at), id,
        )  # fmt: skip

    def mark_undone(self, id: str) -> None:
        """Say that everything a run did was undone."""
        self._store.execute("update job_runs set state = 'undone' where id = ?", id)

    def get(self, id: str) -> Run:
        """The run with this id."""
        rows = self._store.query(f"select {RUN} from job_runs where id = ? and project = ?", id, self._project)
        if not rows:
            raise NotFound("run", id)
        return run(rows[0])

    def list(self, job: str | None = None, limit: int = 50) -> Sequence[Run]:
        """The newest runs first."""
        rows = self._store.query(
            f"select {RUN} from job_runs where project = ? and (? is null or job = ?) order by key desc limit ?",
            self._project, job, job, limit,
        )  # fmt: skip
        return [run(row) for row in rows]

    def last_step(self, job: str, step: str, *, least: int = 0) -> datetime | None:
        """When a step last came to its end and changed at least so much."""
        rows = self._store.query(
            """
            select max(started_at) from job_runs as r
            where project = ? and job = ? and exists (
                select 1 from json_each(r.report) where json_extract(value, '$.step') = ?
                and json_extract(value, '$.state') = 'done' and json_extract(value, '$.changed') >= ?
            )
            """,
            self._project, job, step, least,
        )  # fmt: skip
        return from_text(str(rows[0][0])) if rows[0][0] is not None else None

    def keep(self, run: str, changes: Iterable[Change]) -> None:
        """Write down what was changed, in the transaction of the change."""
        rows = [
            (run, self._project, one.step, one.action, one.kind, one.subject, _encode(one.was), _encode(one.became))
            for one in changes
        ]
        for some in (rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER)):
            marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?, ?)"] * len(some))
            self._store.execute(
                f"insert into job_changes (run, project, step, action, kind, subject, was, became) values {marks}",
                *(value for row in some for value in row),
            )

    def changes(self, run: str, *, newest_first: bool = False, page: int = 5_000) -> Iterator[Change]:
        """Everything a run changed and nobody has undone."""
        order, beyond, last = ("desc", "<", LAST) if newest_first else ("asc", ">", 0)
        while rows := self._store.query(
            f"select {CHANGE} from job_changes where run = ? and project = ? and undone_at is null "
            f"and key {beyond} ? order by key {order} limit ?",
            run, self._project, last, page,
        ):  # fmt: skip
            yield from map(change, rows)
            last = whole(rows[-1][0])

    def undone(self, keys: Sequence[int], at: datetime) -> None:
        """Mark changes as undone."""
        marks = ", ".join("?" * len(keys))
        self._store.execute(f"update job_changes set undone_at = ? where key in ({marks})", to_text(at), *keys)

    def retire(
        self, run: str, kind: str, rows: Iterable[tuple[str, dict[str, Any], str | None]], reason: str, at: datetime
    ) -> None:
        """Keep rows that are taken out of their table: id, the whole row, and what each was folded into."""
        self._store.execute_many(
            """
            insert into retired (id, project, kind, was, reason, into_id, run, at) values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (id) do update set was = excluded.was, reason = excluded.reason, into_id = excluded.into_id,
                run = excluded.run, at = excluded.at
            """,
            [(id, self._project, kind, _encode(was), reason, into, run, to_text(at)) for id, was, into in rows],
        )

    def retired(self, id: str) -> tuple[str, dict[str, Any], str, str | None] | None:
        """The kind, the row, the reason and the target of what was taken out under this id."""
        rows = self._store.query(
            "select kind, was, reason, into_id from retired where id = ? and project = ?", id, self._project
        )
        if not rows:
            return None
        kind, was, reason, into = rows[0]
        return str(kind), json.loads(str(was)), str(reason), optional(into)

    def outdated(self, before: datetime) -> int:
        """How many rows were taken out before a time."""
        rows = self._store.query(
            "select count(*) from retired where project = ? and at < ?", self._project, to_text(before)
        )
        return whole(rows[0][0])

    def purge(self, before: datetime) -> int:
        """Let go for good of what was taken out before a time; returns how much that was."""
        return self._store.execute("delete from retired where project = ? and at < ?", self._project, to_text(before))

    def bring_back(self, id: str) -> None:
        """Forget that something was taken out: it is back, or its words must go."""
        self._store.execute("delete from retired where id = ? and project = ?", id, self._project)

    def erase(self, subject: str) -> None:
        """Remove every word that was kept of one thing."""
        self.bring_back(subject)
        self._store.execute(
            "update job_changes set was = '{}', became = '{}', undone_at = coalesce(undone_at, '') "
            "where subject = ? and project = ?",
            subject, self._project,
        )  # fmt: skip


def run(row: Row) -> Run:
    """A row with RUN as a value."""
    id, job, state, holder, token, step, progress, report, before, after, started, finished = row
    return Run(
        id=str(id), job=str(job), state=str(state), holder=str(holder), token=whole(token), step=optional(step),
        progress=number(progress), report=tuple(json.loads(str(report))), before=json.loads(str(before)),
        after=json.loads(str(after)), started_at=from_text(str(started)),
        finished_at=None if finished is None else from_text(str(finished)),
    )  # fmt: skip


def change(row: Row) -> Change:
    """A row with CHANGE as a value."""
    key, step, action, kind, subject, was, became, undone = row
    return Change(
        key=whole(key), step=str(step), action=str(action), kind=str(kind), subject=str(subject),
        was=json.loads(str(was)), became=json.loads(str(became)),
        undone_at=None if undone is None else from_text(str(undone)),
    )  # fmt: skip
