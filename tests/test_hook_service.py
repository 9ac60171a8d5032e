"""A hook asks the service that is up first; whatever is not its business, the hook answers itself."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

import experience
from experience.hooks import resident, service, trouble
from tests.payloads import Hooks


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hooks:
    """The hooks of Claude Code in a project with one policy."""
    monkeypatch.setenv("EXPERIENCE_HOME", str(tmp_path / "home"))
    project = tmp_path / "project"
    with experience.open(project) as memory:
        memory.learn("Never push to main without a review.", type="policy")
    return Hooks("claude-code", tmp_path, project, tmp_path / "home")


def actors(memory: experience.Memory) -> list[str]:
    return [event.actor for event in memory.events.list(type="message.user")]


def test_a_service_that_is_up_answers_for_the_hook_and_the_same(hooks: Hooks) -> None:
    alone = hooks.prompt("s", "may I push to main?")
    with experience.Memory(hooks.project, actor="service") as memory, service.listening(memory):
        asked = hooks.prompt("s", "may I push to main?")

        assert asked == alone
        assert actors(memory) == ["hook", "service"]
    hooks.prompt("s", "may I push to main?")

    with experience.open(hooks.project) as memory:
        assert actors(memory) == ["hook", "service", "hook"]
    assert not Path(resident.place(str(hooks.project))).exists()


def test_an_event_of_another_project_is_answered_by_the_hook_itself(hooks: Hooks, tmp_path: Path) -> None:
    with experience.open(tmp_path / "other") as other:
        other.learn("Always paint it green.", type="policy")
    told = hooks.payload("UserPromptSubmit", "s", prompt="which colour?") | {"cwd": str(tmp_path / "other")}
    with experience.open(hooks.project) as memory, service.listening(memory):
        done = hooks.raw("UserPromptSubmit", json.dumps(told).encode())

    assert b"paint it green" in done.stdout
    assert b"without a review" not in done.stdout


def test_what_a_service_that_died_left_behind_is_no_obstacle(hooks: Hooks) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for left in (f"{port} hello secret\n", "nonsense", ""):
        place = Path(resident.place(str(hooks.project)))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(left)
        assert hooks.prompt("s", "may I push to main?") is not None


def a_stranger(hooks: Hooks, line: socket.socket) -> None:
    """Make hooks believe that the project's service listens there."""
    place = Path(resident.place(str(hooks.project)))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{line.getsockname()[1]} hello secret\n")


def test_somebody_else_on_the_port_hears_nothing_of_what_was_said(hooks: Hooks) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        a_stranger(hooks, stranger)
        assert hooks.prompt("s", "may I push to main?") is not None
        other, _ = stranger.accept()
        with other:
            assert other.recv(1) == b""


def test_a_service_that_never_answers_is_left_at_the_deadline(hooks: Hooks) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        a_stranger(hooks, deaf)
        held: list[socket.socket] = []

        def greet() -> None:
            held.append(deaf.accept()[0])
            held[0].sendall(b"hello")

        greeter = Thread(target=greet)
        greeter.start()
        assert hooks.prompt("s", "may I push to main?") is None
        greeter.join()
        held[0].close()
    assert "TimeoutError" in trouble.lines(str(hooks.home))[-1]


def test_nobody_without_the_secret_is_heard(hooks: Hooks) -> None:
    event = json.dumps(hooks.payload("UserPromptSubmit", "s", prompt="may I push to main?"))
    with experience.open(hooks.project) as memory, service.listening(memory) as port:
        greeting = Path(resident.place(str(hooks.project))).read_text().split()[1]
        for given in (f"wrong\nclaude-code\nUserPromptSubmit\n{event}", "GET / HTTP/1.1\r\n\r\n", "", "x" * 100_000):
            with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
                try:
                    line.sendall(given.encode())
                    line.shutdown(socket.SHUT_WR)
                    assert resident.received(line).decode() == greeting
                except ConnectionError:
                    pass  # hung up before all of it was sent
        assert actors(memory) == []
        assert hooks.prompt("s", "may I push to main?") is not None  # and the door is still open

    place = Path(resident.place(str(hooks.project)))
    assert not place.exists()


def test_only_the_user_may_read_the_secret(hooks: Hooks) -> None:
    with experience.open(hooks.project) as memory, service.listening(memory):
        assert Path(resident.place(str(hooks.project))).stat().st_mode & 0o777 == 0o600


def test_an_event_that_fails_in_the_service_is_noted_and_the_next_one_answered(hooks: Hooks) -> None:
    with experience.open(hooks.project) as memory, service.listening(memory):
        assert hooks.raw("UserPromptSubmit", b"{").stdout == b""
        assert "the event is not JSON" in trouble.lines(str(hooks.home))[-1]
        assert hooks.prompt("s", "may I push to main?") is not None


def test_asking_the_service_loads_next_to_nothing(hooks: Hooks) -> None:
    """Neither json nor re nor sqlite3: what makes asking worth it."""
    code = (
        "import sys; sys.path.extend(PATHS)\n"
        "from experience.hooks import resident\n"
        "told = resident.ask('claude-code', 'UserPromptSubmit', sys.stdin.buffer.read())\n"
        "print(bool(told), *sorted({'json', 're', 'sqlite3', 'datetime', 'experience.memory'} & set(sys.modules)))"
    ).replace("PATHS", repr([path for path in sys.path if path]))
    event = json.dumps(hooks.payload("UserPromptSubmit", "s", prompt="may I push to main?")).encode()
    with experience.open(hooks.project) as memory, service.listening(memory):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code], input=event, capture_output=True, cwd=hooks.project, check=True
        )

    assert done.stdout.split() == [b"True"]
