"""`experience up`, as a browser and a monitor see it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import experience
from tests.conftest import need
from tests.provide import chromium
from tests.test_cli import SCRIPT, WATCH, run


class Service:
    """The running service and its address."""

    def __init__(self, where: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [SCRIPT, "up", "--port", "0", *options],
            cwd=where,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        assert self.process.stdout
        self.line = self.process.stdout.readline()
        self.address = self.line.split()[-1]

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(how)
        _, words = self.process.communicate(timeout=20)
        return self.process.returncode, words


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    started = Service(tmp_path)
    yield started
    if started.process.poll() is None:
        started.end()


def test_up_prints_its_address_and_answers(service: Service, tmp_path: Path) -> None:
    run(tmp_path, "record", "deploy", "x")

    with urllib.request.urlopen(service.address + "api/health") as answer:
        found = json.load(answer)

    assert service.line.startswith("experience is up at http://127.0.0.1:")
    assert (found["status"], found["experiences"], found["version"]) == ("ok", 1, experience.__version__)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(service: Service, how: signal.Signals) -> None:
    code, words = service.end(how)

    assert code == 0
    assert "Traceback" not in words


def test_a_busy_port_gets_a_sentence(service: Service, tmp_path: Path) -> None:
    done = run(tmp_path, "up", "--port", service.address.rstrip("/").rsplit(":", 1)[1])

    assert done.returncode == 1
    assert "perhaps experience is up already" in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org"])
def test_it_listens_to_this_machine_alone(tmp_path: Path, host: str) -> None:
    done = run(tmp_path, "up", "--host", host)

    assert done.returncode == 1
    assert "use 127.0.0.1" in done.stderr


def test_it_connects_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C002: serving a page and the health of the store touches no address but its own."""
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    started = Service(tmp_path)
    for page in ("", "api/health"):
        with urllib.request.urlopen(started.address + page) as answer:
            assert answer.status == 200
    started.end()

    reached = [line for line in (tmp_path / "seen").read_text().splitlines() if "'127.0.0.1'" not in line]
    assert reached == []
    assert "bind [('127.0.0.1', 0)]" in (tmp_path / "seen").read_text()


def test_a_strange_host_is_refused_and_pages_are_guarded(service: Service) -> None:
    """A page elsewhere cannot read the memory by pointing its own name at this machine."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.request.Request(service.address, headers={"Host": "evil.example"}))
    refused.value.close()

    assert refused.value.code == 403
    with urllib.request.urlopen(service.address) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_package_of_the_same_name_in_the_way_is_named(tmp_path: Path) -> None:
    """`dashboard` is a common name in other people's repositories."""
    (tmp_path / "dashboard").mkdir()
    (tmp_path / "dashboard" / "__init__.py").write_text("")
    code = "import sys; sys.argv = ['experience', 'up', '--port', '0']\nfrom experience.cli import main\nmain()"

    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=30)

    assert done.returncode == 1
    assert "the package 'dashboard' is loaded from" in done.stderr


def test_the_health_page_in_a_browser(service: Service, tmp_path: Path) -> None:
    path = chromium()
    need("Chromium", path is not None)
    run(tmp_path, "record", "deploy", "x")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.goto(service.address)
        shown = page.inner_text("main")
        browser.close()

    assert f"{tmp_path.name} is up" in shown
    assert problems == []
