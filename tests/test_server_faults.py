"""What a team's server may do to us: die, hang, refuse, forget. Every test runs a real one."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from experience.db import open_store
from experience.errors import InvalidInput, StoreUnavailable
from tests.conftest import Server, free_port

if TYPE_CHECKING:
    from experience.db import Store

INSERT = "insert into facts_about_store (name, value) values (?, '')"

# A public key and tokens signed with its private half, which nobody kept: they open nothing but these tests' servers.
KEY = "LJ1kP_A3IZua6uET638k5Vw74-JFGXF3fITDAdwePuA"
HEAD = "eyJhbGciOiJFZERTQSJ9"
FULL = f"{HEAD}.e30.PsYkjkhgOhExgEulO9kPaBtaN7_WaXSi7_cL5nK3-wdh_vAPgKBKPusA93dO6hUb-zOQGn6p-KuUFrB9vvzACQ"
READ_ONLY = (
    f"{HEAD}.eyJhIjoicm8ifQ.s_SfwZkmsoIoKOljGtWUpsVSdEGEK2yBViUtgvrifE7Dv0j7DA4-Lfc_ahGITb-l0F0jdrSpxOy-MzW3fgKXAQ"
)
EXPIRED = f"{HEAD}.eyJleHAiOjF9.nIYjTKHNqhr7kCNMIdXuNW-fHzdacxO0t63tyo2czTDmeJjpU-GFlAdH1beGfzBzcHW_AYr6ffGTFOo_b-LaAg"


@pytest.fixture
def server(start_server: Callable[..., Server]) -> Server:
    return start_server()


@pytest.fixture
def remote(server: Server) -> Iterator[Store]:
    """An open store on the server."""
    with closing(open_store(server.url, timeout_s=8)) as opened:
        yield opened


def names(store: Store) -> list[object]:
    return [name for (name,) in store.query("select name from facts_about_store order by name")]


def test_a_dead_server_is_named_and_needs_no_reopening_once_it_is_back(server: Server, remote: Store) -> None:
    remote.execute(INSERT, "before")
    server.kill()

    for use in (
        lambda: names(remote),
        lambda: remote.execute(INSERT, "lost"),
        lambda: remote.transaction().__enter__(),
    ):
        with pytest.raises(StoreUnavailable, match=f"{server.url}: connection refused; check that it runs"):
            use()

    server.start()
    assert names(remote) == ["before"]
    remote.execute(INSERT, "since")
    assert names(remote) == ["before", "since"]


def test_the_first_call_after_a_restart_may_be_a_write(server: Server, remote: Store) -> None:
    server.kill()
    server.start()
    remote.execute(INSERT, "since")

    assert names(remote) == ["since"]


def test_a_transaction_whose_server_dies_keeps_nothing(server: Server, remote: Store) -> None:
    def write() -> None:
        with remote.transaction():
            remote.execute(INSERT, "first")
            server.kill()
            server.start()
            with pytest.raises(StoreUnavailable, match="nothing of the transaction was kept"):
                remote.execute(INSERT, "second")
            remote.execute(INSERT, "third")  # a caller who goes on regardless must not write by halves

    with pytest.raises(StoreUnavailable, match=server.url):
        write()

    assert names(remote) == []
    with remote.transaction():
        remote.execute(INSERT, "again")
    assert names(remote) == ["again"]


def test_twelve_idle_seconds_end_a_transaction_and_harm_nothing_else(server: Server, remote: Store) -> None:
    def write() -> None:
        with remote.transaction():
            remote.execute(INSERT, "slow")
            time.sleep(12)
            remote.execute(INSERT, "slower")

    with closing(open_store(server.url)) as other:
        with pytest.raises(StoreUnavailable, match=r"lasted too long and was ended; nothing .* run it again, shorter"):
            write()
        assert names(other) == []
        other.execute(INSERT, "idle outside")
    remote.execute(INSERT, "after")

    assert names(remote) == ["after", "idle outside"]


@pytest.mark.parametrize("way", ["execute", "batch", "commit"])
def test_a_transaction_the_server_gave_away_keeps_nothing(server: Server, remote: Store, way: str) -> None:
    """After 5 s sqld hands the lock to a writer who waits, and would keep each later statement by itself."""
    late = {
        "execute": lambda: remote.execute(INSERT, "late"),
        "batch": lambda: remote.batch([(INSERT, ("late",)), (INSERT, ("later",))]),
        "commit": lambda: None,
    }[way]

    def write(other: Store) -> None:
        waiting = threading.Thread(target=other.execute, args=(INSERT, "other"))
        with remote.transaction():
            remote.execute(INSERT, "early")
            waiting.start()
            waiting.join()
            late()

    with closing(open_store(server.url)) as other, pytest.raises(StoreUnavailable, match="lasted too long"):
        write(other)

    assert names(remote) == ["other"]


@pytest.fixture
def guarded(start_server: Callable[..., Server], tmp_path: Path) -> Server:
    """A server that asks for a token."""
    (tmp_path / "key").write_text(KEY)
    return start_server("--auth-jwt-key-file", str(tmp_path / "key"))


@pytest.mark.parametrize("token", [None, "wrong", FULL[:-8] + "AAAAAAAA", EXPIRED])
def test_a_token_that_does_not_open_the_server_is_called_refused(guarded: Server, token: str | None) -> None:
    with pytest.raises(StoreUnavailable, match="refused the token; set EXPERIENCE_TOKEN") as caught:
        open_store(guarded.url, token=token)

    assert guarded.url in str(caught.value)
    assert not token or token not in str(caught.value)


def test_a_valid_token_opens_the_server_and_is_never_shown(guarded: Server) -> None:
    for target, token in ((guarded.url, FULL), (f"{guarded.url}?authToken={FULL}", None)):
        with closing(open_store(target, token=token)) as store:
            assert names(store) == []
            assert store.where == guarded.url


def test_a_token_that_may_only_read_reads(guarded: Server) -> None:
    open_store(guarded.url, token=FULL).close()
    with closing(open_store(guarded.url, token=READ_ONLY)) as store:
        with pytest.raises(StoreUnavailable, match=r"check that .* the token may write"):
            store.execute(INSERT, "a")

        assert names(store) == []


def test_no_server_at_all_is_told_with_the_url() -> None:
    url = f"http://127.0.0.1:{free_port()}"

    with pytest.raises(StoreUnavailable, match=f"cannot reach .* {url}: connection refused; check that it runs"):
        open_store(url)


def test_an_unknown_host_is_told() -> None:
    with pytest.raises(StoreUnavailable, match=r"libsql://nowhere\.invalid"):
        open_store("libsql://nowhere.invalid", timeout_s=5)


@pytest.mark.parametrize("url", ["ftp://host", "http://", "http://host:99999", "libsql://host?tls=maybe"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="url: want libsql://host"):
        open_store(url)


def test_a_server_that_accepts_and_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"

        with pytest.raises(StoreUnavailable, match=f"{url}: no answer within 0.5 s; check that it runs"):
            open_store(url, timeout_s=0.5)


def test_a_server_that_speaks_something_else_is_told(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as web:
        try:
            wait_for(port)
            with pytest.raises(StoreUnavailable, match="http status 200; check the url"):
                open_store(f"http://127.0.0.1:{port}")
        finally:
            web.kill()


def test_a_server_that_hangs_for_a_while_is_told_and_used_again(server: Server) -> None:
    with closing(open_store(server.url, timeout_s=0.5)) as store:
        server.process.send_signal(signal.SIGSTOP)
        with pytest.raises(StoreUnavailable, match=r"no answer within 0\.5 s"):
            names(store)
        with pytest.raises(StoreUnavailable, match="not known whether the write was kept"):
            store.execute("delete from facts_about_store")
        server.process.send_signal(signal.SIGCONT)

        assert names(store) == []


def test_an_answer_too_long_for_the_wire_is_told(remote: Store) -> None:
    with pytest.raises(StoreUnavailable, match="longer than 4 MiB; ask for fewer rows"):
        remote.query("select hex(zeroblob(500000)) from json_each('[1, 2, 3, 4, 5]')")

    assert names(remote) == []


@pytest.mark.parametrize("fate", ["alive", "dead", "hanging"])
def test_a_process_that_never_closed_its_store_ends_cleanly(server: Server, fate: str) -> None:
    code = """
        import sys
        from experience.db import open_store
        store = open_store(sys.argv[1])
        print(flush=True)
        input()
    """
    with python(code, server.url) as process:
        assert process.stdout
        process.stdout.readline()
        if fate == "dead":
            server.kill()
        elif fate == "hanging":
            server.process.send_signal(signal.SIGSTOP)
        _, stderr = process.communicate("\n", timeout=5)

    assert (process.returncode, stderr) == (0, "")


def test_a_process_that_never_reached_its_server_ends_cleanly() -> None:
    code = """
        import sys
        from experience.db.server import ServerStore
        from experience.errors import StoreUnavailable
        store = ServerStore(sys.argv[1])
        try:
            store.query("select 1")
        except StoreUnavailable:
            print("unavailable")
    """
    with python(code, f"http://127.0.0.1:{free_port()}") as process:
        stdout, stderr = process.communicate(timeout=5)

    assert (process.returncode, stdout, stderr) == (0, "unavailable\n", "")


def test_a_forked_process_has_connections_of_its_own(server: Server) -> None:
    code = """
        import os, sys, warnings
        from experience.db import open_store
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any fork beside threads
        store = open_store(sys.argv[1])
        child = os.fork()
        store.execute("insert into facts_about_store (name, value) values (?, '')", "parent" if child else "child")
        if child:
            os.waitpid(child, 0)
            print(store.query("select name from facts_about_store order by name"))
    """
    with python(code, server.url) as process:
        stdout, stderr = process.communicate(timeout=20)

    assert (process.returncode, stdout, stderr) == (0, "[('child',), ('parent',)]\n", "")


def test_processes_that_write_at_once_lose_nothing(server: Server, remote: Store) -> None:
    """C034: no loss from simultaneous updates, also across processes."""
    remote.execute("insert into facts_about_store (name, value) values ('counter', '0')")
    code = """
        import sys
        from experience.db import open_store
        store = open_store(sys.argv[1])
        for _ in range(50):
            with store.transaction():
                [(count,)] = store.query("select value from facts_about_store")
                store.execute("update facts_about_store set value = ?", str(int(count) + 1))
        store.close()
    """
    writers = [python(code, server.url) for _ in range(4)]
    ends = [(writer.communicate(timeout=50)[1], writer.returncode) for writer in writers]

    assert ends == [("", 0)] * 4
    assert remote.query("select value from facts_about_store") == [("200",)]


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A process that shows every warning."""
    command = [sys.executable, "-W", "default", "-c", cleandoc(code), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")
