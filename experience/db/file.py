"""A libSQL file, opened with the standard library: write-ahead log, one connection per thread, immediate writes."""

from __future__ import annotations

import os
import sqlite3
from _thread import allocate_lock, get_ident  # `threading` costs a start-up every hook would pay
from time import monotonic, sleep

from experience.errors import Conflict, ExperienceError, InvalidInput, StoreUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from experience.db.port import Row, Statement, Value

_REFUSALS = (sqlite3.Error, OverflowError, UnicodeEncodeError)  # too large a number, half a character
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_LOCKED = "the store {where} stays locked by another process; try again when it has finished"
_UNREADABLE = "{where} is not a readable database ({error}); it was left as it is; move it away or restore a backup"
_DISK = "the disk under {where} is full or failing ({error}); nothing was written; free some space and try again"
_ADVICE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_CORRUPT: _UNREADABLE,
    sqlite3.SQLITE_NOTADB: _UNREADABLE,
    sqlite3.SQLITE_FULL: _DISK,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_READONLY: "the store {where} may not be written to ({error}); check the permissions of the file "
    "and its directory",
    sqlite3.SQLITE_CANTOPEN: "the store {where} cannot be opened ({error}); check that its directory exists and may "
    "be written to",
}


class FileStore:
    """One database file. Each thread of each process gets its own connection."""

    def __init__(self, path: str, *, timeout_s: float = 10.0) -> None:
        self.where = os.path.abspath(path)
        self._timeout_s = timeout_s
        self._connections: dict[tuple[int, int], _Connection] = {}
        self._lock = allocate_lock()
        self._closed = False
        self._connection()

    def query(self, sql: str, *params: Value) -> list[Row]:
        try:
            return self._connection().raw.execute(sql, params).fetchall()
        except _REFUSALS as error:
            raise translated(error, self.where) from error

    def execute(self, sql: str, *params: Value) -> int:
        try:
            return max(0, self._connection().raw.execute(sql, params).rowcount)  # -1 where nothing can change
        except _REFUSALS as error:
            raise translated(error, self.where) from error

    def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        with self.transaction():
            try:
                self._connection().raw.executemany(sql, rows)
            except _REFUSALS as error:
                raise translated(error, self.where) from error

    def batch(self, statements: Sequence[Statement]) -> list[list[Row]]:
        with self.transaction():
            self.execute("savepoint batch")  # so that it is all or nothing inside a longer transaction, too
            try:
                results = [self.query(sql, *params) for sql, params in statements]
            except ExperienceError:
                if self._connection().raw.in_transaction:  # SQLite itself rolls back on a full disk
                    self.execute("rollback to batch")
                raise
            self.execute("release batch")
            return results

    def transaction(self) -> _Block:
        return _Block(self._connection(), self.where)

    def version(self) -> object:
        """Differs once another connection committed, or this one changed a row."""
        connection = self._connection()
        if connection.depth:
            return None
        seen = connection.raw.execute("pragma data_version").fetchone()[0]
        return connection, seen, connection.raw.total_changes  # each connection counts for itself, from the same start

    def sweep(self) -> None:
        """Empty the write-ahead log, so that what was erased stands nowhere any more."""
        self.query("pragma wal_checkpoint(truncate)")

    def backup(self, path: str) -> None:
        """Copy the whole database to *path* while others go on using it."""
        copy = _open(path, self._timeout_s)
        try:
            self._connection().raw.backup(copy)
        except sqlite3.Error as error:
            raise translated(error, path) from error
        finally:
            copy.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            mine = [c for (pid, _), c in self._connections.items() if pid == os.getpid()]
            self._connections.clear()
        for connection in mine:
            connection.raw.close()

    def _connection(self) -> _Connection:
        # A connection carried over a fork would corrupt the file: the process is part of its name.
        owner = (os.getpid(), get_ident())
        found = self._connections.get(owner)
        if found is not None:
            return found
        if self._closed:
            raise StoreUnavailable(f"the store {self.where} is closed; open it again")
        fresh = _Connection(_connect(self.where, self._timeout_s))
        with self._lock:
            self._connections[owner] = fresh
        return fresh


class _Connection:
    """A driver connection and how many blocks deep its transaction is."""

    __slots__ = ("depth", "raw")

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self.depth = 0


class _Block:
    """`begin immediate … commit`; an inner block joins the outer one."""

    __slots__ = ("_connection", "_where")

    def __init__(self, connection: _Connection, where: str) -> None:
        self._connection = connection
        self._where = where

    def __enter__(self) -> None:
        if self._connection.depth == 0:
            self._run("begin immediate")
        self._connection.depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.depth -= 1
        if self._connection.depth:
            return
        if kind is not None:
            self._roll_back()
            return
        try:
            self._run("commit")
        except ExperienceError:
            self._roll_back()
            raise

    def _run(self, sql: str) -> None:
        try:
            self._connection.raw.execute(sql)
        except sqlite3.Error as error:
            raise translated(error, self._where) from error

    def _roll_back(self) -> None:
        if self._connection.raw.in_transaction:  # SQLite itself rolls back on a full disk
            self._connection.raw.rollback()


def _open(path: str, timeout_s: float) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=timeout_s, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise translated(error, path) from error


def _connect(path: str, timeout_s: float) -> sqlite3.Connection:
    raw = _open(path, timeout_s)
    try:
        if raw.execute("pragma journal_mode").fetchone()[0] != "wal" and _is_ours_to_change(raw):
            _write_ahead(raw, timeout_s)
        raw.execute("pragma synchronous = full")  # an acknowledged write survives a power cut, not only a crash
        raw.execute("pragma cache_size = -16000")  # a large write stays in memory until it is committed
        raw.execute("pragma foreign_keys = on")
        raw.execute("pragma secure_delete = on")  # what is erased is overwritten, not only unlinked
        _ensure_power(raw)
    except sqlite3.Error as error:
        raw.close()
        raise translated(error, path) from error
    return raw


def _write_ahead(raw: sqlite3.Connection, timeout_s: float) -> None:
    """Switch to the write-ahead log; SQLite does not wait by itself while others open the fresh file, too."""
    end = monotonic() + timeout_s
    while True:
        try:
            raw.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _BUSY or monotonic() >= end:
                raise
            sleep(0.005)


def _is_ours_to_change(raw: sqlite3.Connection) -> bool:
    """Only an empty database or one of ours gets its journal mode changed."""
    tables = {name for (name,) in raw.execute("select name from sqlite_master where type = 'table'")}
    return not tables or "facts_about_store" in tables


def _ensure_power(raw: sqlite3.Connection) -> None:
    """Some builds of SQLite come without the mathematical functions that decay is computed with."""
    try:
        raw.execute("select power(2, 2)")
    except sqlite3.OperationalError:
        raw.create_function("power", 2, pow, deterministic=True)


def translated(error: Exception, where: str) -> ExperienceError:
    """A driver's error as one of ours, in a sentence that says what to do."""
    if not isinstance(error, sqlite3.Error):
        return InvalidInput(f"parameter: the store {where} cannot hold it: {error}")
    if isinstance(error, sqlite3.IntegrityError):
        return Conflict(f"the store {where} refused the write: {error}")
    # the code, not the words: `malformed JSON` is a value's fault, not the file's
    if advice := _ADVICE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF):
        return StoreUnavailable(advice.format(where=where, error=error))
    if "closed database" in str(error):
        return StoreUnavailable(f"the store {where} is closed; open it again")
    return ExperienceError(f"the store {where} could not do that: {error}")
