"""The promises of the store's port, kept by a file and by a server alike."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from experience.db import FileStore, open_store
from experience.db.server import ServerStore
from experience.errors import Conflict, ExperienceError, InvalidInput, StoreUnavailable
from tests.conftest import Server

if TYPE_CHECKING:
    from experience.db import Store

INSERT = "insert into things (name, n) values (?, ?)"
HOLD = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('begin immediate'); print(flush=True); input()"
SCHEMA = "select type, name, sql from sqlite_master where name not like 'sqlite_%' order by type, name"


@pytest.fixture
def things(store: Store) -> Store:
    """A store with a small table to play with."""
    store.execute("create table things (key integer primary key, name text unique, n integer check (n >= 0)) strict")
    return store


def names(store: Store) -> list[object]:
    return [name for (name,) in store.query("select name from things order by key")]


def test_a_query_yields_rows_as_tuples(things: Store) -> None:
    things.execute(INSERT, "a", 1)

    assert things.query("select name, n from things where n = ?", 1) == [("a", 1)]
    assert things.query("select name from things where n = ?", 2) == []


def test_execute_tells_how_many_rows_it_changed(things: Store) -> None:
    assert things.execute("create table other (a integer)") == 0
    assert things.execute("insert into things (name, n) values ('a', 1), ('b', 1), ('c', 2)") == 3
    assert things.execute("update things set n = 5 where n = ?", 1) == 2
    assert things.execute("delete from things where n = 99") == 0
    assert things.execute("select * from things") == 0


def test_a_write_can_tell_what_it_wrote(things: Store) -> None:
    assert things.query(f"{INSERT} returning key, name", "a", 1) == [(1, "a")]
    assert things.query("update things set n = n + 1 returning n") == [(2,)]
    assert things.query("select n from things") == [(2,)]


@pytest.mark.parametrize(
    "value",
    [
        None, 0, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 0.0, 3.0, 0.1, -1.5e300, 5e-324,
        "", "plain", "ünïcödé", "日本語", "👩‍👩‍👧", "a\nb\t'\"\\", b"", b"\x00\xff", bytes(range(256)),
    ],
)  # fmt: skip
def test_a_value_comes_back_as_it_went(plain: Store, value: str | int | float | bytes | None) -> None:
    [(found, kind)] = plain.query("select value, typeof(value) from (select ? as value)", value)

    assert (found, type(found)) == (value, type(value))
    assert kind == {str: "text", int: "integer", float: "real", bytes: "blob", type(None): "null"}[type(value)]


@pytest.fixture(scope="module", params=["file", "server"])
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for the many tests that only read what they bind."""
    directory = tmp_path_factory.mktemp("plain")
    server = Server(directory) if request.param == "server" else None
    opened: Store = ServerStore(server.url) if server else FileStore(str(directory / "plain.db"))
    yield opened
    opened.close()
    if server:
        server.kill()


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, "\ud800"])
def test_a_value_no_database_can_hold_is_refused(plain: Store, value: str | int) -> None:
    with pytest.raises(InvalidInput, match="parameter"):
        plain.query("select ?", value)

    assert plain.query("select 1") == [(1,)]


def test_a_server_knows_power_and_so_does_a_file(plain: Store) -> None:
    assert plain.query("select power(0.5, 2)") == [(0.25,)]


def test_foreign_keys_are_guarded(things: Store) -> None:
    things.execute("create table parts (thing integer references things (key))")

    with pytest.raises(Conflict):
        things.execute("insert into parts values (7)")


def test_execute_many_writes_every_row(things: Store) -> None:
    things.execute_many(INSERT, ((f"name {n}", n) for n in range(1000)))

    assert things.query("select count(*), sum(n) from things") == [(1000, 499500)]


def test_execute_many_writes_all_rows_or_none(things: Store) -> None:
    with pytest.raises(Conflict):
        things.execute_many(INSERT, [*((f"name {n}", n) for n in range(700)), ("bad", -1)])

    assert names(things) == []


def test_execute_many_without_rows_is_harmless(things: Store) -> None:
    things.execute_many(INSERT, [])

    assert names(things) == []


def test_a_batch_yields_the_rows_of_each_statement(things: Store) -> None:
    rows = things.batch([(INSERT, ("a", 1)), (f"{INSERT} returning key", ("b", 2)), ("select n from things", ())])

    assert rows == [[], [(2,)], [(1,), (2,)]]
    assert things.batch([]) == []


def test_a_batch_happens_wholly_or_not_at_all(things: Store) -> None:
    with pytest.raises(Conflict):
        things.batch([(INSERT, ("a", 1)), (INSERT, ("a", 2)), (INSERT, ("b", 3))])

    assert names(things) == []


def test_a_batch_that_fails_leaves_the_transaction_around_it_whole(things: Store) -> None:
    with things.transaction():
        things.execute(INSERT, "before", 1)
        with pytest.raises(Conflict):
            things.batch([(INSERT, ("inside", 1)), (INSERT, ("before", 2)), (INSERT, ("inside too", 3))])
        things.batch([(INSERT, ("next", 1))])
        things.execute(INSERT, "after", 1)

    assert names(things) == ["before", "next", "after"]


def test_a_transaction_is_seen_by_others_once_it_is_over(things: Store, target: str) -> None:
    with closing(open_store(target)) as other:
        with things.transaction():
            things.execute(INSERT, "a", 1)
            assert names(things) == ["a"]
            assert names(other) == []
        assert names(other) == ["a"]


def test_a_transaction_that_fails_leaves_nothing(things: Store) -> None:
    def write() -> None:
        with things.transaction():
            things.execute(INSERT, "a", 1)
            things.execute_many(INSERT, [("b", 1), ("c", 1)])
            things.batch([(INSERT, ("d", 1))])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()

    assert names(things) == []
    with things.transaction():
        things.execute(INSERT, "next", 1)
    assert names(things) == ["next"]


def test_an_inner_transaction_joins_the_outer_one(things: Store) -> None:
    def write(after: Callable[[], object]) -> None:
        with things.transaction():
            things.execute(INSERT, "outer", 1)
            with things.transaction():
                things.execute(INSERT, "inner", 1)
            after()

    with pytest.raises(ZeroDivisionError):
        write(lambda: 1 / 0)
    assert names(things) == []

    write(lambda: None)
    assert names(things) == ["outer", "inner"]


def test_a_broken_promise_of_the_schema_is_a_conflict(things: Store) -> None:
    things.execute(INSERT, "a", 1)

    for name, n in (("a", 2), ("b", -1), ("c", "not a number")):
        with pytest.raises(Conflict, match="refused the write"):
            things.execute(INSERT, name, n)
    assert names(things) == ["a"]


def test_what_a_trigger_forbids_is_a_conflict(things: Store) -> None:
    things.execute("create trigger t before delete on things begin select raise(abort, 'things are kept'); end")
    things.execute(INSERT, "a", 1)

    with pytest.raises(Conflict, match="things are kept"):
        things.execute("delete from things")


def test_a_mistake_in_the_sql_is_told_and_harms_nobody(things: Store) -> None:
    """A value's fault is not the file's: `malformed JSON` is no corrupt database."""
    for sql in ("select nonsense", "select json_extract('{', '$.a')", "select ?"):
        with pytest.raises(ExperienceError, match="could not do that") as caught:
            things.query(sql)
        assert type(caught.value) is ExperienceError

    assert names(things) == []


def test_a_closed_store_says_so(things: Store) -> None:
    things.close()
    things.close()

    for use in (
        lambda: things.query("select 1"),
        lambda: things.execute("select 1"),
        lambda: things.execute_many(INSERT, [("a", 1)]),
        lambda: things.batch([("select 1", ())]),
        lambda: things.transaction().__enter__(),
    ):
        with pytest.raises(StoreUnavailable, match="closed; open it again"):
            use()


def test_the_version_differs_once_anyone_committed(things: Store, target: str) -> None:
    before = things.version()
    with closing(open_store(target)) as other:
        other.execute(INSERT, "a", 1)
    after = things.version()
    things.execute(INSERT, "b", 1)

    assert len({before, after, things.version()}) == 3


def test_the_version_of_one_thread_never_passes_for_that_of_another(things: Store) -> None:
    """Each connection counts from the same start, so a bare count would call a stale cache fresh."""
    with ThreadPoolExecutor(1) as one:
        before = one.submit(things.version).result()
    things.execute(INSERT, "a", 1)
    with ThreadPoolExecutor(1) as another:
        after = another.submit(things.version).result()

    assert before != after


def test_the_version_of_a_file_stays_while_nobody_writes(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "store.db"))) as store:
        before = store.version()
        store.query("select 1")

        assert store.version() == before


def test_threads_that_write_at_once_lose_nothing(things: Store) -> None:
    """C033: writers serialise; the second waits."""
    things.execute(INSERT, "counter", 0)

    def count(_: int) -> None:
        for _ in range(25):
            with things.transaction():
                [(n,)] = things.query("select n from things")
                things.execute("update things set n = ?", int(str(n)) + 1)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count, range(8)))

    assert things.query("select n from things") == [(200,)]


def test_a_thread_does_not_see_the_transaction_of_another(things: Store) -> None:
    with ThreadPoolExecutor(1) as thread, things.transaction():
        things.execute(INSERT, "a", 1)

        assert thread.submit(names, things).result() == []


def test_opening_again_changes_nothing(store: Store, target: str) -> None:
    schema, version = store.query(SCHEMA), store.query("pragma user_version")
    with closing(open_store(target)) as again:
        assert again.query(SCHEMA) == schema
        assert again.query("pragma user_version") == version != [(0,)]
        assert again.query("select count(*) from corpora where name = 'experiences'") == [(1,)]


def test_a_fresh_store_can_be_opened_by_many_at_once(target: str) -> None:
    with ThreadPoolExecutor(8) as threads:
        stores = list(threads.map(open_store, [target] * 8))

    assert len({tuple(store.query(SCHEMA)) for store in stores}) == 1
    for store in stores:
        store.close()


def test_a_file_and_a_server_have_the_same_tables(tmp_path: Path, start_server: Callable[..., Server]) -> None:
    with closing(open_store(str(tmp_path / "a.db"))) as file, closing(open_store(start_server().url)) as served:
        assert file.query(SCHEMA) == served.query(SCHEMA)
        assert file.query("pragma user_version") == served.query("pragma user_version")


@pytest.mark.parametrize(
    "statements",
    [
        ["create table events (a)"],
        ["create table recipes (a)", "pragma user_version = 1"],
        ["create table recipes (a)", "pragma user_version = 999"],
    ],
)
def test_the_database_of_another_program_is_refused(target: str, statements: list[str]) -> None:
    with closing(ServerStore(target) if "://" in target else sqlite3.connect(target)) as foreign:
        for statement in statements:
            foreign.execute(statement)
    before = bytes_of(target)

    with pytest.raises(StoreUnavailable, match="belongs to another program; it was left as it is"):
        open_store(target)

    assert bytes_of(target) == before


def test_a_newer_schema_is_refused(target: str) -> None:
    with closing(open_store(target)) as store:
        store.execute("pragma user_version = 999")
    before = bytes_of(target)

    with pytest.raises(StoreUnavailable, match=r"has schema 999, .* upgrade experience-memory"):
        open_store(target)

    assert bytes_of(target) == before


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 500)
    before = bytes_of(str(path))

    with pytest.raises(StoreUnavailable, match=r"not a readable database .* it was left as it is"):
        open_store(str(path))

    assert bytes_of(str(path)) == before


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"no/store\.db cannot be opened .* check that its directory exists"):
        open_store(str(tmp_path / "no" / "store.db"))


def test_a_busy_file_is_called_locked_and_never_corrupt(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    open_store(path).close()
    with held(path), closing(open_store(path, timeout_s=0.1)) as store:
        with pytest.raises(StoreUnavailable, match="stays locked by another process; try again"):
            store.execute("insert into facts_about_store values ('a', 'b')")
        with pytest.raises(StoreUnavailable, match="stays locked"), store.transaction():
            pass
        assert store.query("select count(*) from facts_about_store") == [(0,)]


def test_a_fresh_file_that_is_busy_is_called_locked(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    with held(path), pytest.raises(StoreUnavailable, match="stays locked by another process; try again"):
        open_store(path, timeout_s=0.1)

    open_store(path).close()


def test_a_backup_is_a_store_of_its_own(tmp_path: Path) -> None:
    path, copy = str(tmp_path / "store.db"), str(tmp_path / "copy.db")
    with closing(FileStore(path)) as store:
        store.execute("create table things (name text)")
        store.execute("insert into things values ('kept')")
        store.backup(copy)
        store.execute("insert into things values ('later')")

    with closing(FileStore(copy)) as opened:
        assert opened.query("select name from things") == [("kept",)]


def bytes_of(target: str) -> dict[str, bytes]:
    """Every file next to a path, byte by byte; nothing for a server."""
    return {} if "://" in target else {file.name: file.read_bytes() for file in Path(target).parent.iterdir()}


@contextmanager
def held(path: str) -> Iterator[None]:
    """Another process that is in the middle of a write."""
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin
        assert holder.stdout
        holder.stdout.readline()
        yield
        holder.stdin.write(b"\n")
