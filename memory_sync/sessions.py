"""Memory sessions: which files a conversation had in memory, what it was shown of them, and what changed since."""

from __future__ import annotations

import json
from hashlib import sha256
from weakref import WeakValueDictionary

from experience import checks
from experience.capture.secrets import scrub
from experience.clock import from_text, to_text
from experience.columns import listed, optional, whole, words
from experience.errors import Conflict, InvalidInput, NotFound
from experience.ids import new_id
from experience.memory import Memory
from experience.values import Value
from memory_sync import roots as places
from memory_sync.state import desk
from memory_sync.syncing import refreshed, sync

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.db import Row
    from experience.db import Value as Column
    from memory_sync.search import FoundChunk, SearchResult
    from memory_sync.syncing import Roots

    Conditions: TypeAlias = tuple[list[str], list[Column]]

STATUSES = ("active", "archived")
COLUMNS = "s.id, s.name, s.status, s.roots, s.created_at, s.archived_at, f.files"
SHOWN = "c.chunk, c.root, c.path, c.start_line, c.end_line, c.heading, c.hash, c.score, t.text"
_opened: WeakValueDictionary[str, Memory] = WeakValueDictionary()  # which memory a session or response belongs to


class KnownFile(Value):
    """A file as it was."""

    path: str
    hash: str


class MemorySession(Value):
    """A conversation and the knowledge it was given."""

    id: str
    name: str
    status: str  # active, archived
    roots: tuple[str, ...]
    files: tuple[KnownFile, ...]
    created_at: datetime
    archived_at: datetime | None


class ShownChunk(Value):
    """A chunk as it was shown, and whether it is still so."""

    id: str
    path: str
    start_line: int
    end_line: int
    heading: str
    text: str
    hash: str
    score: float
    state: (
        str  # same, moved (other lines now), changed (the file says something else there), removed (the file is gone)
    )


class Replay(Value):
    """A session again: the chunks it was shown, and what is different now."""

    session: MemorySession
    chunks: tuple[ShownChunk, ...]
    changed: tuple[str, ...]  # files that say something else than when the session began
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether a search now would see the very same files."""
        return not (self.changed or self.removed or self.added)


class Influence(Value):
    """Lines of a file that were shown for a response."""

    path: str
    start_line: int
    end_line: int
    chunk: str
    hash: str
    score: float
    query: str
    session: str | None
    at: datetime


def create_memory_session(memory: Memory, name: str = "", roots: Roots | None = None) -> MemorySession:
    """Begin a session: its files are synced, and written down with their hashes; *roots* are all it will ever see."""
    title = scrub(checks.text("name", name, most=500)).text if name else ""
    refreshed(memory)  # first: a session looks at some roots, it does not become what the project keeps in memory
    report = sync(memory, roots)
    seen = places.several(memory.root, report.roots)
    files = [
        [*place, hash]
        for place, hash in desk(memory).records.hashes().items()
        if any(one.covers(place) for one in seen)
    ]
    written = json.dumps(files, ensure_ascii=False, separators=(",", ":"))
    snapshot, id, now = sha256(written.encode()).hexdigest(), new_id("msess_"), memory.now()
    with memory.store.transaction():
        memory.store.execute(
            "insert into file_snapshots (project, hash, files) values (?, ?, ?) on conflict do nothing",
            memory.project, snapshot, written,
        )  # fmt: skip
        memory.store.execute(
            "insert into memory_sessions (id, project, name, roots, snapshot, created_at) values (?, ?, ?, ?, ?, ?)",
            id, memory.project, title, listed(report.roots), snapshot, to_text(now),
        )  # fmt: skip
        memory.events.append("memory.session_created", id, now, actor="sync", files=len(files), snapshot=snapshot)
    _opened[id] = memory
    return memory_session(memory, id)


def memory_session(memory: Memory, id: str) -> MemorySession:
    """The session with this id."""
    rows = memory.store.query(
        f"""
        select {COLUMNS} from memory_sessions as s
        join file_snapshots as f on f.project = s.project and f.hash = s.snapshot
        where s.project = ? and s.id = ?
        """,
        memory.project, checks.text("session", id, most=200),
    )  # fmt: skip
    if not rows:
        raise NotFound("memory session", id)
    return _session(rows[0])


def list_memory_sessions(memory: Memory, status: str | None = None, limit: int = 100) -> list[MemorySession]:
    """The newest sessions first; *status* is active or archived."""
    if status is not None:
        checks.one_of("status", status, STATUSES)
    rows = memory.store.query(
        f"""
        select {COLUMNS} from memory_sessions as s
        join file_snapshots as f on f.project = s.project and f.hash = s.snapshot
        where s.project = ? and (? is null or s.status = ?) order by s.key desc limit ?
        """,
        memory.project, status, status, checks.count("limit", limit),
    )  # fmt: skip
    return [_session(row) for row in rows]


def archive_session(session: str | MemorySession | Memory, memory: Memory | str | None = None) -> MemorySession:
    """End a session: it is kept and replayed, but searches no more. Archiving twice is harmless."""
    id, hall = _both(session, memory)
    now = hall.now()
    with hall.store.transaction():
        rows = hall.store.query(
            "update memory_sessions set status = 'archived', archived_at = ? "
            "where project = ? and id = ? and status = 'active' returning id",
            to_text(now), hall.project, id,
        )  # fmt: skip
        if rows:
            hall.events.append("memory.session_archived", id, now, actor="sync")
    return memory_session(hall, id)


def replay_session(session: str | MemorySession | Memory, memory: Memory | str | None = None) -> Replay:
    """Every chunk a session was shown, word for word and in order, and what changed on disk or in memory since."""
    id, hall = _both(session, memory)
    opened = memory_session(hall, id)
    rows = hall.store.query(
        f"""
        select {SHOWN} from file_searches as s join shown_chunks as c on c.search = s.id
        join shown_texts as t on t.project = s.project and t.hash = c.hash
        where s.project = ? and s.session = ? order by s.key, c.position
        """,
        hall.project, id,
    )  # fmt: skip
    refreshed(hall)
    records = desk(hall).records
    now = {_named(place): hash for place, hash in records.hashes().items() if _sees(hall, opened, place)}
    then = {file.path: file.hash for file in opened.files}
    current = records.by_ids(list({str(row[0]) for row in rows}))
    distinct: dict[object, Row] = {}
    for row in rows:
        distinct.setdefault((row[0], row[6]), row)
    chunks = [_shown(row, current.get(str(row[0])), now) for row in distinct.values()]
    return Replay(
        session=opened, chunks=tuple(chunks),
        changed=tuple(path for path in sorted(then) if path in now and now[path] != then[path]),
        removed=tuple(sorted(then.keys() - now.keys())), added=tuple(sorted(now.keys() - then.keys())),
    )  # fmt: skip


def audit(response: str | Memory, memory: Memory | str | None = None) -> list[Influence]:
    """The files and lines that were shown for a response, best first."""
    id, hall = _both(response, memory)
    rows = hall.store.query(
        """
        select c.root, c.path, c.start_line, c.end_line, c.chunk, c.hash, c.score, s.query, s.session, s.created_at
        from file_searches as s join shown_chunks as c on c.search = s.id
        where s.project = ? and (s.response = ? or s.id = ?) order by c.score desc, s.key, c.position
        """,
        hall.project, id, id,
    )  # fmt: skip
    return [
        Influence(
            path=_named((str(root), str(path))), start_line=whole(first), end_line=whole(last), chunk=str(chunk),
            hash=str(hash), score=float(str(score)), query=str(query), session=optional(session),
            at=from_text(str(at)),
        )
        for root, path, first, last, chunk, hash, score, query, session, at in rows
    ]  # fmt: skip


def credit_response(session: str | MemorySession, response_id: str, memory: Memory | None = None) -> int:
    """Say that a response came of the searches of a session that no response was named for; returns how many."""
    id, hall = _both(session, memory)
    named = checks.text("response_id", response_id, most=200)
    _opened[named] = hall
    return hall.store.execute(
        "update file_searches set response = ? where project = ? and session = ? and response is null",
        named, hall.project, id,
    )  # fmt: skip


def active(memory: Memory, session: str | MemorySession) -> MemorySession:
    """A session that may still search."""
    found = memory_session(memory, session if isinstance(session, str) else session.id)
    if found.status != "active":
        raise Conflict(f"the memory session {found.id} is archived; replay it, or create another to search")
    return found


def within(memory: Memory, opened: MemorySession | None) -> Conditions:
    """The files a session may see, as conditions on the columns of chunks."""
    conditions: list[str] = []
    params: list[Column] = []
    for root in places.several(memory.root, opened.roots) if opened else ():
        conditions.append("(root = ? and (? = '' or path = ? or substr(path, 1, ?) = ?))")
        params += [root.label, root.prefix, root.prefix, len(root.prefix) + 1, f"{root.prefix}/"]
    return [f"({' or '.join(conditions)})"] if conditions else [], params


def log(memory: Memory, opened: MemorySession | None, query: str, result: SearchResult) -> str:
    """Write down what a search showed; returns the id of the search."""
    id, response = new_id("fsearch_"), result.response_id
    if response is not None:
        _opened[checks.text("response_id", response, most=200)] = memory
    _opened[id] = memory
    with memory.store.transaction():
        memory.store.execute(
            "insert into file_searches (id, project, session, response, query, method, created_at) "
            "values (?, ?, ?, ?, ?, ?, ?)",
            id, memory.project, opened.id if opened else None, response, scrub(query[:2_000]).text, result.method,
            to_text(memory.now()),
        )  # fmt: skip
        memory.store.execute_many(
            "insert into shown_texts (project, hash, text) values (?, ?, ?) on conflict do nothing",
            [(memory.project, chunk.hash, chunk.text) for chunk in result.chunks],
        )
        memory.store.execute_many(
            """
            insert into shown_chunks
                (search, position, project, chunk, root, path, start_line, end_line, heading, hash, score)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [_row(id, at, memory.project, chunk) for at, chunk in enumerate(result.chunks, 1)],
        )
    return id


def _row(search: str, at: int, project: str, chunk: FoundChunk) -> Sequence[Column]:
    return (search, at, project, chunk.id, chunk.root, chunk.path, chunk.start_line, chunk.end_line, chunk.heading,
            chunk.hash, chunk.score)  # fmt: skip


def _shown(row: Row, current: Row | None, files: dict[str, str]) -> ShownChunk:
    id, root, path, first, last, heading, hash, score, text = row
    name = _named((str(root), str(path)))
    if current is not None:
        state = "same" if tuple(current[4:6]) == (first, last) else "moved"
    else:
        state = "changed" if name in files else "removed"
    return ShownChunk(
        id=str(id), path=name, start_line=whole(first), end_line=whole(last), heading=str(heading), text=str(text),
        hash=str(hash), score=float(str(score)), state=state,
    )  # fmt: skip


def _session(row: Row) -> MemorySession:
    id, name, status, roots, created, archived, files = row
    return MemorySession(
        id=str(id), name=str(name), status=str(status), roots=words(roots),
        files=tuple(KnownFile(path=_named((root, path)), hash=hash) for root, path, hash in json.loads(str(files))),
        created_at=from_text(str(created)), archived_at=None if archived is None else from_text(str(archived)),
    )  # fmt: skip


def _sees(memory: Memory, opened: MemorySession, place: places.Place) -> bool:
    return any(root.covers(place) for root in places.several(memory.root, opened.roots))


def _named(place: places.Place) -> str:
    return "/".join(filter(None, place))


def _both(one: object, other: object) -> tuple[str, Memory]:
    """An id and its memory, in whichever order they came; a memory this process has open need not be named."""
    if isinstance(one, Memory):
        one, other = other, one
    id = one.id if isinstance(one, MemorySession) else checks.text("id", one, most=200)
    memory = other if other is not None else _opened.get(id)
    if not isinstance(memory, Memory):
        raise InvalidInput(f"which memory {id!r} belongs to is not known in this process; say memory=…")
    return id, memory
