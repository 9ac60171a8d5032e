"""The rows of files and chunks: the only SQL about them."""

from __future__ import annotations

import json

from experience.clock import to_text
from experience.columns import optional, whole
from experience.layers.keyword import KeywordIndex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.db import Row, Store
    from experience.db import Value as Column
    from memory_sync.plan import Known
    from memory_sync.read import Read
    from memory_sync.roots import Place

    Params: TypeAlias = list[Column]

CANDIDATE = "key, project, terms, name_terms, heading_terms, length"
CHUNK = "key, id, root, path, start_line, end_line, heading, text, hash"
NEW = (
    "id, project, file, root, path, start_line, end_line, heading, text, hash, terms, name_terms, heading_terms, length"
)
ROWS = 500  # in one statement


class Records:
    """The files and chunks of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store, self._project = store, project
        self.index = KeywordIndex(store, project, "chunks", CANDIDATE)

    def known(self, recipe: str) -> dict[Place, Known]:
        """Every file with its size and time; one that was read by another recipe has none."""
        rows = self._store.query(
            "select root, path, size, iif(recipe = ?, mtime_ns, -1), skipped from files where project = ?",
            recipe, self._project,
        )  # fmt: skip
        return {(root, path): (size, mtime_ns, skipped) for root, path, size, mtime_ns, skipped in rows}  # type: ignore[misc]

    def file(self, place: Place) -> tuple[int, str, str] | None:
        """The key, hash and recipe of a file."""
        rows = self._store.query(
            "select key, hash, recipe from files where project = ? and root = ? and path = ?", self._project, *place
        )
        return (whole(rows[0][0]), str(rows[0][1]), str(rows[0][2])) if rows else None

    def put_file(self, place: Place, found: Read, recipe: str, at: datetime) -> int:
        """Write down a file as it was read; returns its key."""
        rows = self._store.query(
            """
            insert into files (project, root, path, size, mtime_ns, hash, lines, skipped, recipe, synced_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (project, root, path) do update set size = excluded.size, mtime_ns = excluded.mtime_ns,
                hash = excluded.hash, lines = excluded.lines, skipped = excluded.skipped, recipe = excluded.recipe,
                synced_at = excluded.synced_at
            returning key
            """,
            self._project, *place, found.size, found.mtime_ns, found.hash, found.text.count("\n") + 1 if found.text else 0, found.skipped, recipe,
            to_text(at),
        )  # fmt: skip
        return whole(rows[0][0])

    def touch_file(self, key: int, found: Read) -> None:
        """The same words under another time."""
        self._store.execute("update files set size = ?, mtime_ns = ? where key = ?", found.size, found.mtime_ns, key)

    def delete_file(self, place: Place) -> int | None:
        """Forget a file and its chunks; returns how many they were, or None where it was not known."""
        rows = self._store.query(
            "delete from files where project = ? and root = ? and path = ? returning key", self._project, *place
        )
        if not rows:
            return None
        return self._store.execute("delete from chunks where project = ? and file = ?", self._project, rows[0][0])

    def chunks_of(self, file: int) -> list[Row]:
        """Key, hash, lines and heading of every chunk of a file, in order."""
        return self._store.query(
            "select key, hash, start_line, end_line, heading from chunks where project = ? and file = ? "
            "order by start_line, key",
            self._project, file,
        )  # fmt: skip

    def insert(self, rows: Sequence[Sequence[Column]]) -> None:
        """Index new chunks, each with the columns of NEW."""
        marks = ", ".join("?" * len(NEW.split(",")))
        self._store.execute_many(f"insert into chunks ({NEW}) values ({marks})", rows)

    def move(self, rows: Sequence[Sequence[Column]]) -> None:
        """Give chunks other lines and headings, their words as they were; each row ends with the key."""
        self._store.execute_many(
            "update chunks set start_line = ?, end_line = ?, heading = ?, heading_terms = ? where key = ?", rows
        )

    def delete(self, keys: Sequence[int]) -> None:
        """Take chunks out."""
        self._store.execute_many("delete from chunks where key = ?", [(key,) for key in keys])

    def by_keys(self, keys: Sequence[int]) -> dict[int, Row]:
        """Whole chunks by their keys, with the columns of CHUNK."""
        marks = ", ".join("?" * len(keys))
        rows = self._store.query(
            f"select {CHUNK} from chunks where key in ({marks}) and project = ?", *keys, self._project
        )
        return {whole(row[0]): row for row in rows}

    def by_ids(self, ids: Sequence[str]) -> dict[str, Row]:
        """Whole chunks by their ids, with the columns of CHUNK."""
        found: dict[str, Row] = {}
        for start in range(0, len(ids), ROWS):
            some = ids[start : start + ROWS]
            marks = ", ".join("?" * len(some))
            rows = self._store.query(
                f"select {CHUNK} from chunks where id in ({marks}) and project = ?", *some, self._project
            )
            found |= {str(row[1]): row for row in rows}
        return found

    def hashes(self) -> dict[Place, str]:
        """The hash of every file that is in memory."""
        rows = self._store.query(
            "select root, path, hash from files where project = ? and skipped is null order by root, path",
            self._project,
        )
        return {(str(root), str(path)): str(hash) for root, path, hash in rows}

    def counts(self) -> Mapping[str, int]:
        """How many files and chunks there are."""
        rows = self._store.query(
            """
            select (select count(*) from files where project = ? and skipped is null),
                (select count(*) from chunks where project = ?)
            """,
            self._project, self._project,
        )  # fmt: skip
        return {"files": whole(rows[0][0]), "chunks": whole(rows[0][1])}


class State:
    """How fresh the files of one project are, for every process that asks."""

    def __init__(self, store: Store, project: str) -> None:
        self._store, self._project = store, project

    def row(self) -> Row:
        """Roots, noticed, synced, last_sync_at, watched_files, watcher, polling."""
        rows = self._store.query(
            """
            select roots, noticed, synced, last_sync_at, watched_files, watcher, polling
            from sync_state where project = ?
            """,
            self._project,
        )
        return rows[0] if rows else ("[]", 0, 0, None, 0, None, None)

    def roots(self) -> list[str]:
        """The roots that were named to a sync."""
        return [str(name) for name in json.loads(str(self.row()[0]))]

    def noticed(self) -> int:
        """How many changes were noticed so far; a sync covers those noticed before it began."""
        return whole(self.row()[1])

    def dirty(self) -> bool:
        """Whether a change was noticed that no sync has covered."""
        row = self.row()
        return whole(row[1]) > whole(row[2])

    def notice(self) -> None:
        """Something changed."""
        self._store.execute(
            "insert into sync_state (project, noticed) values (?, 1) "
            "on conflict (project) do update set noticed = noticed + 1",
            self._project,
        )  # fmt: skip

    def settle(self, noticed: int, roots: Iterable[str], at: datetime) -> None:
        """A sync of everything noticed up to *noticed* is done."""
        named = json.dumps(list(roots), ensure_ascii=False)
        self._store.execute(
            """
            insert into sync_state (project, roots, noticed, synced, last_sync_at) values (?, ?, ?, ?, ?)
            on conflict (project) do update set roots = excluded.roots, synced = max(synced, excluded.synced),
                last_sync_at = excluded.last_sync_at
            """,
            self._project, named, noticed, noticed, to_text(at),
        )  # fmt: skip

    def watch(self, watcher: str | None, files: int = 0, polling: str | None = None) -> None:
        """Somebody watches now, or nobody."""
        self._store.execute(
            """
            insert into sync_state (project, watcher, watched_files, polling) values (?, ?, ?, ?)
            on conflict (project) do update set watcher = excluded.watcher, polling = excluded.polling,
                watched_files = excluded.watched_files
            """,
            self._project, watcher, files, polling,
        )  # fmt: skip

    def last_sync_at(self) -> str | None:
        """When the last sync ended."""
        return optional(self.row()[3])
