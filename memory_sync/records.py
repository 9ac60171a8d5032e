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
TERMS, NAME_TERMS = 10, 11  # their places in NEW
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

    def files(self, places: Sequence[Place]) -> dict[Place, tuple[int, str, str]]:
        """The key, hash and recipe of those files that are known."""
        found: dict[Place, tuple[int, str, str]] = {}
        for start in range(0, len(places), ROWS):
            some = places[start : start + ROWS]
            marks = ", ".join(["(?, ?)"] * len(some))
            rows = self._store.query(
                "select root, path, key, hash, recipe from files "
                f"where project = ? and (root, path) in (values {marks})",
                self._project, *(name for place in some for name in place),
            )  # fmt: skip
            found |= {
                (str(root), str(path)): (whole(key), str(hash), str(recipe)) for root, path, key, hash, recipe in rows
            }
        return found

    def put(self, files: Iterable[tuple[Place, Read]], recipe: str, at: datetime) -> None:
        """Write down files as they were read."""
        moment = to_text(at)
        self._store.execute_many(
            """
            insert into files (project, root, path, size, mtime_ns, hash, lines, skipped, recipe, synced_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (project, root, path) do update set size = excluded.size, mtime_ns = excluded.mtime_ns,
                hash = excluded.hash, lines = excluded.lines, skipped = excluded.skipped, recipe = excluded.recipe,
                synced_at = excluded.synced_at
            """,
            [
                (self._project, *place, one.size, one.mtime_ns, one.hash, one.lines, one.skipped, recipe, moment)
                for place, one in files
            ],
        )

    def touch(self, files: Iterable[tuple[Place, Read]]) -> None:
        """The same words under another time."""
        self._store.execute_many(
            "update files set size = ?, mtime_ns = ? where project = ? and root = ? and path = ? and hash = ?",
            [(one.size, one.mtime_ns, self._project, *place, one.hash) for place, one in files],
        )

    def distrust(self) -> None:
        """Make the index anew from the rows, and let the next sync make the rows anew from the files."""
        self.index.rebuild()
        self._store.execute("update files set recipe = '' where project = ?", self._project)

    def delete_files(self, keys: Sequence[int]) -> None:
        """Forget files, their chunks being gone."""
        self._store.execute_many("delete from files where key = ?", [(key,) for key in keys])

    def chunks_of(self, files: Sequence[int]) -> list[Row]:
        """File, key, hash, lines and heading of every chunk of these files, in order."""
        found: list[Row] = []
        for start in range(0, len(files), ROWS):
            some = files[start : start + ROWS]
            marks = ", ".join("?" * len(some))
            found += self._store.query(
                f"""
                select file, key, hash, start_line, end_line, heading from chunks
                where project = ? and file in ({marks}) order by file, start_line, key
                """,
                self._project, *some,
            )  # fmt: skip
        return found

    def insert(self, rows: Sequence[Sequence[Column]]) -> None:
        """Index new chunks, each with the columns of NEW. Inside a transaction: the keys are given here."""
        if not rows:
            return
        marks = ", ".join("?" * (len(NEW.split(",")) + 1))
        keyed = list(enumerate(rows, self.index.last_key() + 1))
        self._store.execute_many(
            f"insert into chunks (key, {NEW}) values ({marks})", [(key, *row) for key, row in keyed]
        )
        # row by row: a statement of many rows makes FTS5 write to disk before it
        self._store.execute_many(
            "insert into chunks_fts (rowid, terms, name_terms) values (?, ?, ?)",
            [(key, row[TERMS], row[NAME_TERMS]) for key, row in keyed],
        )
        self._count(len(rows), sum(row[-1] for row in rows))  # type: ignore[misc]  # the last column is a length

    def move(self, rows: Sequence[Sequence[Column]]) -> None:
        """Give chunks other lines and headings, their words as they were; each row ends with the key."""
        if not rows:
            return
        self._store.execute_many(
            "update chunks set start_line = ?, end_line = ?, heading = ?, heading_terms = ? where key = ?", rows
        )

    def delete(self, keys: Sequence[int]) -> int:
        """Take chunks out; returns how many there were."""
        if not keys:
            return 0
        gone: list[Row] = []
        for start in range(0, len(keys), ROWS):
            some = keys[start : start + ROWS]
            marks = ", ".join("?" * len(some))
            gone += self._store.query(
                f"delete from chunks where key in ({marks}) returning key, terms, name_terms, length", *some
            )
        self._store.execute_many(
            "insert into chunks_fts (chunks_fts, rowid, terms, name_terms) values ('delete', ?, ?, ?)",
            [row[:3] for row in gone],
        )
        self._count(-len(gone), -sum(whole(row[3]) for row in gone))
        return len(gone)

    def _count(self, rows: int, terms: int) -> None:
        self._store.execute("update corpora set rows = rows + ?, terms = terms + ? where name = 'chunks'", rows, terms)

    def among(self, keys: Sequence[int], only: tuple[str, Sequence[Column]]) -> list[int]:
        """Those of these chunks that are this project's and meet a condition on their columns, in the same order."""
        if not keys:
            return []
        marks, more = ", ".join("?" * len(keys)), f" and {only[0]}" if only[0] else ""
        rows = self._store.query(
            f"select key from chunks where key in ({marks}) and +project = ?{more}", *keys, self._project, *only[1]
        )
        held = {whole(key) for (key,) in rows}
        return [key for key in keys if key in held]

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
