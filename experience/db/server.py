"""The driver for a team's libSQL server: the store port spoken over libsql-client's websocket.

Each connection is lent to one call or one transaction at a time, so that a statement that hangs harms nobody else.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import socket
import ssl
import threading
import time
import weakref
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, urlsplit

from experience.errors import Conflict, ExperienceError, InvalidInput, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    from experience.db.port import Row, Statement, Transaction, Value

_log = logging.getLogger("experience.db")

_CHUNK = 300  # rows sent before waiting for their answers
_IDLE_S = 10.0  # sqld ends a transaction after 5 s once another writer waits, Turso one that idles for 10 s
_PAUSE_S = 0.02  # before a busy database is asked again
_BRIEF_S = 1.0  # for goodbyes, and for asking why the server hung up
_TLS = {"libsql": "s", "https": "s", "wss": "s", "http": "", "ws": ""}
_EXPIRED = {"TRANSACTION_TIMEOUT", "TRANSACTION_CLOSED", "STREAM_CLOSED", "STREAM_EXPIRED"}
_DROPPED = {"HRANA_WEBSOCKET_ERROR", "HRANA_PROTO_ERROR", "CLIENT_CLOSED"}
_BUSY = {"SQLITE_BUSY", "SQLITE_LOCKED"}
_IN_DOUBT = "; it is not known whether the write was kept"
_NOT_KEPT = "; nothing of the transaction was kept"


class ServerStore:
    """A database on a libSQL server, shared by a team."""

    def __init__(self, url: str, token: str | None = None, *, timeout_s: float = 10.0) -> None:
        self.where, address, hidden = _parse(url)
        self._timeout_s = timeout_s
        self._access = address, token or hidden
        self._connect()

    def query(self, sql: str, *params: Value) -> list[Row]:
        return _rows(self._run(sql, params))

    def execute(self, sql: str, *params: Value) -> int:
        return int(self._run(sql, params).rows_affected)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        left = iter(rows)
        with self.transaction():
            while chunk := list(islice(left, _CHUNK)):
                self.batch([(sql, row) for row in chunk])

    def batch(self, statements: Sequence[Statement]) -> list[list[Row]]:
        bound = [_bound(sql, params) for sql, params in statements]
        harmless = all(_reads(sql) for sql, _ in bound)
        if current := self._current():
            results = self._inside(current, lambda: _together(current.handle, bound))
        else:
            results = self._alone(lambda client: client.batch(bound), harmless)
        return [_rows(result) for result in results]

    def transaction(self) -> Transaction:
        return cast("Transaction", self._block())  # a generator's exit could swallow errors; this one never does

    def version(self) -> object:
        """A value that differs every time: anyone may have written, and asking costs as much as reading."""
        return None if self._current() else object()

    def sweep(self) -> None:
        """Nothing to do: the server empties its own log."""

    def close(self) -> None:
        self._end()

    def _connect(self) -> None:
        self._opened = _Wire(*self._access)
        self._end = weakref.finalize(self, self._opened.close)  # runs at exit too, when nobody called close()

    @property
    def _wire(self) -> _Wire:
        if not self._end.alive:
            raise StoreUnavailable(f"the store {self.where} is closed; open it again")
        if self._opened.process != os.getpid():
            self._connect()  # connections carried over a fork belong to the parent
        return self._opened

    def _current(self) -> _Open | None:
        return getattr(self._wire.mine, "open", None)

    def _run(self, sql: str, params: Sequence[Value]) -> Any:
        bound = _bound(sql, params)
        if current := self._current():
            return self._inside(current, lambda: current.handle.execute(bound))
        return self._alone(lambda client: client.execute(bound), _reads(sql))

    def _alone(self, work: Callable[[Any], Awaitable[Any]], harmless: bool) -> Any:
        with self._wire.lend() as client:
            return self._patiently(lambda: work(client), harmless)

    def _patiently(self, work: Callable[[], Awaitable[Any]], harmless: bool) -> Any:
        """Repeat *work* while the database is busy, and once after any other failure if it is *harmless*."""
        until, tries = time.monotonic() + self._timeout_s, 2 if harmless else 1
        while True:
            try:
                return self._call(work, until - time.monotonic(), "" if harmless else _IN_DOUBT)
            except StoreUnavailable as failure:
                tries -= _code(failure.__cause__) not in _BUSY
                if not tries or time.monotonic() + 0.1 > until:
                    raise
            time.sleep(_PAUSE_S)

    def _inside(self, current: _Open, work: Callable[[], Awaitable[Any]]) -> Any:
        """Run *work* in this thread's transaction: never twice, and never once the transaction is lost."""
        self._check(current)
        try:
            return self._call(work, self._timeout_s, _NOT_KEPT)
        except StoreUnavailable as failure:
            current.lost = failure  # from now on the server would keep each statement by itself
            raise
        finally:
            current.used_at = time.monotonic()

    def _check(self, current: _Open) -> None:
        if not current.lost and time.monotonic() - current.used_at > _IDLE_S:
            current.lost = self._expired()
        if current.lost:
            raise current.lost

    @contextmanager
    def _block(self) -> Iterator[None]:
        if outer := self._current():
            self._check(outer)
            yield
            return
        wire = self._wire
        with wire.lend() as client:
            handle = self._patiently(lambda: _begin(client), harmless=True)
            wire.mine.open = current = _Open(handle, time.monotonic())
            try:
                yield
                self._check(current)
                self._call(handle.commit, self._timeout_s, _IN_DOUBT)
            finally:
                wire.mine.open = None
                wire.post(handle.close)  # the server rolls back what was not committed

    def _call(self, work: Callable[[], Awaitable[Any]], timeout_s: float, outcome: str) -> Any:
        try:
            return self._wire.run(work, timeout_s)
        except ExperienceError:
            raise
        except Exception as error:  # the driver's errors have no common root; each is translated, none swallowed
            raise self._failure(error, outcome) from error

    def _failure(self, error: Exception, outcome: str) -> ExperienceError:
        """The error of this package that says what happened and what to do."""
        code, server = _code(error), f"the libSQL server at {self.where}"
        message = str(getattr(error, "explanation", error)).removeprefix("SQLite error: ")
        if code.startswith("SQLITE_CONSTRAINT"):
            return Conflict(f"{server} refused the write: {message}")
        if code in _EXPIRED:
            return self._expired()
        if code in _BUSY:
            return StoreUnavailable(f"{server} stayed locked for {self._timeout_s:g} s; try again later")
        if code.startswith("AUTH_") or (_dropped(error) and self._wire.refused()):
            return StoreUnavailable(f"{server} refused the token; set EXPERIENCE_TOKEN to a valid one")
        if isinstance(error, TimeoutError):
            reason = f"no answer within {self._timeout_s:g} s; check that it runs and that no other writer holds it"
        elif _dropped(error):
            reason = _reason(error)
        else:
            return ExperienceError(f"{server} could not do that: {message}")
        sent = not (hasattr(error, "os_error") or hasattr(error, "status"))  # else it failed while connecting
        return StoreUnavailable(f"cannot reach {server}: {reason}{outcome if sent else ''}")

    def _expired(self) -> StoreUnavailable:
        return StoreUnavailable(
            f"the transaction at {self.where} lasted too long and was ended{_NOT_KEPT}; run it again, shorter"
        )


@dataclass(slots=True)
class _Open:
    """The open transaction of one thread."""

    handle: Any
    used_at: float
    lost: StoreUnavailable | None = None


class _Wire:
    """The connections, and the event loop they need: in a daemon thread, so that a process never waits for it."""

    def __init__(self, address: str, token: str | None) -> None:
        self._driver, self._address, self._token = _driver(), address, token
        self.process, self.mine = os.getpid(), threading.local()  # each thread's open transaction
        self._idle: list[Any] = []
        self._clients: set[Any] = set()
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _, context: _log.debug("libsql-client: %s", context))
        self._thread = threading.Thread(target=self._loop.run_forever, name="experience-libsql", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[], Awaitable[Any]], timeout_s: float) -> Any:
        """What *work* yields on the loop, or TimeoutError."""

        async def call() -> Any:
            return await asyncio.wait_for(work(), timeout_s)

        future = asyncio.run_coroutine_threadsafe(call(), self._loop)
        try:
            return future.result(timeout_s + _BRIEF_S)
        finally:
            future.cancel()  # an interrupted caller leaves no work behind

    @contextmanager
    def lend(self) -> Iterator[Any]:
        """A connection nobody else uses; hung up when the block leaves it in an unknown state."""
        client, sound = self._take(), False
        try:
            yield client
            sound = True
        except ExperienceError as error:
            sound = not isinstance(error, StoreUnavailable)
            raise
        finally:
            if sound:
                self._idle.append(client)
            else:
                self.post(lambda: asyncio.ensure_future(self._part(client)))

    def _take(self) -> Any:
        try:
            return self._idle.pop()  # it reconnects by itself
        except IndexError:
            return self.run(self._fresh, _BRIEF_S)

    async def _fresh(self) -> Any:
        client = self._connect("ws")
        self._clients.add(client)
        return client

    def post(self, work: Callable[[], Any]) -> None:
        """Have the loop do something that needs no answer."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(work)

    def refused(self) -> bool:
        """Whether the server refuses the token: a websocket it just drops, over http it says why."""
        try:
            self.run(self._ask, _BRIEF_S)
        except Exception as error:  # any other answer, or none, says nothing about the token
            return "HTTP status 401" in str(error)
        return False

    async def _ask(self) -> None:
        async with self._connect("http") as client:
            await client.execute("select 1")

    def _connect(self, scheme: str) -> Any:
        return self._driver.create_client(scheme + self._address, auth_token=self._token)

    def close(self) -> None:
        """Hang up everywhere and end the loop, without waiting for a server that does not answer."""
        if self.process != os.getpid():
            return
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop)
        if threading.current_thread() is not self._thread:  # garbage may be collected anywhere
            self._thread.join(3 * _BRIEF_S)
            self._loop.close()

    async def _hang_up(self) -> None:
        try:
            await asyncio.gather(*map(self._part, list(self._clients)), return_exceptions=True)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        finally:
            self._loop.stop()

    async def _part(self, client: Any) -> None:
        """Close a connection: politely, then without the goodbye of a server that does not answer."""
        try:
            await asyncio.wait_for(client.close(), _BRIEF_S / 2)
        except TimeoutError:
            await client.close()  # the driver waits for a goodbye only the first time
        self._clients.discard(client)


def _driver() -> Any:
    try:
        import libsql_client  # slow, so only where a server is used
    except ImportError as error:
        raise StoreUnavailable(
            "a libSQL server needs the package libsql-client; run: pip install 'experience-memory[team]'"
        ) from error
    return libsql_client


def _parse(url: str) -> tuple[str, str, str | None]:
    """How messages name the server, its address with the tls letter, and a token hidden in the url."""
    try:
        parts, options = urlsplit(url), parse_qs(urlsplit(url).query)
        secure = {"0": "", "1": "s", "": _TLS[parts.scheme]}[options.get("tls", [""])[0]]
        address = parts.netloc.rpartition("@")[2] + parts.path.rstrip("/")
        if not parts.hostname or parts.port == 0:
            raise ValueError("no host")
    except (KeyError, ValueError) as error:
        raise InvalidInput("url: want libsql://host, https://host or http://host:port, with ?tls=0 or 1") from error
    hidden = options.get("authToken", [parts.password])[0]
    return f"{parts.scheme}://{address}", f"{secure}://{address}", hidden


def _reason(error: Exception) -> str:
    """Why the connection failed, and what to do."""
    root = error.__cause__ or error
    if status := getattr(error, "status", None):
        return f"it answered with the http status {status}; check the url"
    if getattr(error, "code", None) == 1009:  # the websocket's code for a message above aiohttp's 4 MiB
        return "its answer is longer than 4 MiB; ask for fewer rows at once"
    if isinstance(root, ssl.SSLError):
        return f"tls failed ({root.reason or root}); check its certificate, and that it speaks tls at all".lower()
    if isinstance(root, socket.gaierror):
        return "unknown host; check the url"
    if isinstance(root, OSError) and root.errno:
        return f"{os.strerror(root.errno).lower()}; check that it runs and that the url is right"
    return "it hung up; check that it runs and that the token may write"


def _bound(sql: str, params: Sequence[Value]) -> tuple[str, list[Value]]:
    for value in params:
        if not _storable(value):
            raise InvalidInput(f"parameter: a libSQL server cannot store {value!r:.80}")
    return sql, list(params)


def _storable(value: Value) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)
    return value is None or isinstance(value, bytes)


def _rows(result: Any) -> list[Row]:
    return [row.astuple() for row in result.rows]


def _reads(sql: str) -> bool:
    return sql.lstrip()[:6].lower() == "select"


def _code(error: BaseException | None) -> str:
    return str(getattr(error, "code", "")) if hasattr(error, "explanation") else ""


def _dropped(error: Exception) -> bool:
    """Whether the connection failed, rather than the statement."""
    return _code(error) in _DROPPED if _code(error) else not isinstance(error, TimeoutError | TypeError)


async def _begin(client: Any) -> Any:
    handle = client.transaction()
    try:
        # the driver only knows the plain `begin`, which lets two writers read the same past
        await asyncio.gather(handle.execute("rollback"), handle.execute("begin immediate"))
    except BaseException:
        handle.close()
        raise
    return handle


async def _together(handle: Any, statements: list[tuple[str, list[Value]]]) -> list[Any]:
    """Run statements inside an open transaction in one go: all of them or none.

    The driver offers this only outside a transaction; here its `begin … commit` becomes a savepoint. Each step waits
    for the one before: once the server ended the transaction, it would keep every later statement by itself.
    """
    convert = _driver().hrana.convert
    batch = convert._batch_to_proto(statements)
    for step, sql in ((0, "savepoint batch"), (-2, "release batch"), (-1, "rollback to batch")):
        batch["steps"][step]["stmt"]["sql"] = sql
    answer = await handle._stream.batch(batch)
    return list(convert._batch_results_from_proto(answer, len(statements)))
