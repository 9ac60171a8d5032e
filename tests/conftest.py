"""Real parts for every test: a database file, a libSQL server, a clock that stands still."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import experience
from experience.clock import StillClock
from experience.db import open_store
from tests.provide import SQLD

if TYPE_CHECKING:
    from experience.db import Store


def need(what: str, present: bool) -> None:
    """Skip a test, loudly, where a machine cannot provide something; under CI nothing may be skipped."""
    if not present:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"MISSING: {what}; see tests/provide.py")


@pytest.fixture(autouse=True)
def _empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings or the stores of whoever runs it."""
    monkeypatch.setenv("EXPERIENCE_HOME", str(tmp_path_factory.mktemp("home")))
    for name in ("EXPERIENCE_URL", "EXPERIENCE_TOKEN", "EXPERIENCE_API_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EXPERIENCE_EMBEDDER", "none")  # vectors are asked for by name


class Server:
    """A real libSQL server on a free port, with its data in a directory; it can be killed and started again."""

    def __init__(self, directory: Path, *options: str) -> None:
        need("sqld, the libSQL server", SQLD.exists())
        self.directory, self.options, self.port = directory, options, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [SQLD, "--http-listen-addr", f"127.0.0.1:{self.port}", "--no-welcome", "-d", self.directory, *self.options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(200):
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=1):
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the libSQL server did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts fresh libSQL servers and ends them after the test."""
    servers: list[Server] = []

    def start(*options: str) -> Server:
        servers.append(Server(tmp_path / f"server-{len(servers)}", *options))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


@pytest.fixture(params=["file", "server"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a fresh, empty database may be opened: a path, then a URL."""
    if request.param == "file":
        return str(tmp_path / "store.db")
    start: Callable[..., Server] = request.getfixturevalue("start_server")
    return start().url


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    """An open store with the newest schema, on a file and on a server."""
    opened = open_store(target)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def memory(tmp_path: Path, clock: StillClock) -> Iterator[experience.Memory]:
    """A fresh project on a file."""
    with experience.open(tmp_path / "project", clock=clock) as opened:
        yield opened


@pytest.fixture
def shared(target: str, tmp_path: Path, clock: StillClock) -> Iterator[experience.Memory]:
    """A fresh project on a file, then on a server."""
    url = target if "://" in target else None
    with experience.open(tmp_path / "project", url=url, clock=clock) as opened:
        yield opened
