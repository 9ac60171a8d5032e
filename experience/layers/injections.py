"""Injections: every block handed to an agent, with what was considered and why it was taken or left out."""

from __future__ import annotations

import json

from experience.clock import from_text, to_text
from experience.columns import optional, whole
from experience.errors import ExperienceError, NotFound
from experience.models import Considered, Injection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from experience.db import Row, Store

COLUMNS = "id, session, prompt, path, budget, tokens, text, hash, candidates, position, created_at"

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Injections:
    """The injections of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(self, new: Injection) -> None:
        """Write down one block and everything that was considered for it."""
        trace = [[one.id, one.kind, one.layer, int(one.taken), one.reason, one.score, one.parts, one.tokens]
                 for one in new.trace]  # fmt: skip
        self._store.execute(
            f"insert into injections (project, {COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self._project, new.id, new.session, new.prompt, new.path, new.budget, new.tokens, new.text,
            digest(new.text), _encode(trace), new.position, to_text(new.created_at),
        )  # fmt: skip
        if new.items:
            marks = ", ".join(["(?, ?, ?)"] * len(new.items))
            self._store.execute(
                f"insert into injected (injection, subject, project) values {marks}",
                *(value for item in new.items for value in (new.id, item, self._project)),
            )

    def get(self, id: str) -> Injection:
        """The injection with this id, its text exactly as it was handed out."""
        rows = self._store.query(f"select {COLUMNS} from injections where id = ? and project = ?", id, self._project)
        if not rows:
            raise NotFound("injection", id)
        return injection(rows[0])

    def last(self, session: str) -> Injection | None:
        """The newest injection of a session."""
        rows = self._store.query(
            f"select {COLUMNS} from injections where project = ? and session = ? order by key desc limit 1",
            self._project, session,
        )  # fmt: skip
        return injection(rows[0]) if rows else None

    def list(self, *, session: str | None = None, subject: str | None = None, limit: int = 50) -> Sequence[Injection]:
        """The newest injections first: of one session, or those in which one thing stood."""
        rows = self._store.query(
            f"""
            select {COLUMNS} from injections
            where project = ? and (? is null or session = ?)
            and (? is null or id in (select injection from injected where subject = ?))
            order by key desc limit ?
            """,
            self._project, session, session, subject, subject, limit,
        )  # fmt: skip
        return [injection(row) for row in rows]

    def texts(self, page: int = 2_000) -> Iterator[tuple[str, str]]:
        """Every id with the prompt and the block."""
        last = 0
        while rows := self._store.query(
            "select key, id, prompt, text from injections where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from ((str(id), f"{prompt!s}\n{text!s}") for _, id, prompt, text in rows)
            last = whole(rows[-1][0])

    def redact(self, subject: str) -> None:
        """Blank every block in which one thing stood: its words go, that it was handed out stays."""
        self._store.execute(
            """
            update injections set text = '', hash = ?
            where project = ? and id in (select injection from injected where subject = ?)
            """,
            digest(""), self._project, subject,
        )  # fmt: skip

    def count(self) -> int:
        """How many blocks were handed out in this project."""
        return whole(self._store.query("select count(*) from injections where project = ?", self._project)[0][0])


def digest(text: str) -> str:
    """What proves that a block is still the one that was handed out."""
    from zlib import crc32  # guards against a damaged row; the event log guards against a changed one

    return f"{crc32(text.encode()):08x}"


def injection(row: Row) -> Injection:
    """A row with COLUMNS as a value."""
    id, session, prompt, path, budget, tokens, text, hash, candidates, position, created = row
    if digest(str(text)) != hash:
        raise ExperienceError(f"the injection {id!s} is no longer what was handed out: its text does not fit its hash")
    trace = tuple(
        Considered(
            id=one, kind=kind, layer=layer, taken=bool(taken), reason=reason, score=score, parts=parts, tokens=cost
        )
        for one, kind, layer, taken, reason, score, parts, cost in json.loads(str(candidates))
    )
    return Injection(
        id=str(id), session=str(session), prompt=str(prompt), path=optional(path), budget=whole(budget),
        tokens=whole(tokens), text=str(text), items=tuple(one.id for one in trace if one.taken), trace=trace,
        position=whole(position), created_at=from_text(str(created)),
    )  # fmt: skip
