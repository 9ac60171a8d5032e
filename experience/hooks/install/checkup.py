"""What `doctor` looks at: each check says what it found, whether that is well, and what to do about it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from importlib import metadata

from experience.errors import ExperienceError
from experience.hooks import trouble
from experience.hooks.hosts import NAMES, host
from experience.hooks.install import places
from experience.hooks.install.carrying import read
from experience.hooks.install.edits import JsonEdit, commands
from experience.layers import soundness
from experience.memory import Memory
from experience.neighbours import check_ours
from experience.settings import home_directory
from experience.values import Value
from experience.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ROOM = 200_000_000  # bytes that should be free
SKEW = timedelta(minutes=5)
HOOK_S = 10.0
SHOWN = 5
TABLES = ("experiences", "memories", "episodes", "procedures", "turns")


class Finding(Value):
    """One thing that was looked at."""

    name: str
    well: bool
    words: str
    todo: str = ""


def look(root: str, url: str | None) -> Iterator[Finding]:
    """Everything, one after the other."""
    yield _versions()
    yield from _store(root, url)
    yield from _hooks(root)
    yield _disk(root)
    yield _log()


def _versions() -> Finding:
    beside = ", ".join(f"{name} {metadata.version(name)}" for name in ("regex", "PyStemmer", "numpy", "bm25s"))
    words = f"experience {__version__}, Python {sys.version.split()[0]}, {beside}"
    try:
        for package in ("jobs", "dashboard", "memory_sync"):
            check_ours(package)
    except ExperienceError as error:
        return Finding(name="versions", well=False, words=words, todo=str(error))
    return Finding(name="versions", well=True, words=words)


def _store(root: str, url: str | None) -> Iterator[Finding]:
    inside = os.path.join(root, ".experience", "project.db")
    if not (url or os.environ.get("EXPERIENCE_URL") or os.path.exists(inside)):
        yield Finding(
            name="store", well=False, words=f"there is no memory in {root}", todo="run `experience init` there"
        )
        return
    try:
        with Memory(root, url=url, actor="cli") as memory:
            yield _sound(memory)
            yield _index(memory)
            yield _clock(memory)
            yield _service(memory)
    except ExperienceError as error:
        yield Finding(name="store", well=False, words=str(error), todo="do what it says, then run this again")


def _sound(memory: Memory) -> Finding:
    where = f"{memory.store.where}, {soundness.size(memory.store) / 1e6:,.1f} MB"
    if flaw := soundness.damage(memory.store):
        return Finding(name="store", well=False, words=f"{where}: {flaw}", todo="`experience restore` a backup")
    found = memory.verify()
    if not found.whole:
        return Finding(name="store", well=False, words=f"event {found.seq}: {found.reason}", todo="ask who edited it")
    return Finding(name="store", well=True, words=f"{where}, {found.checked:,} events as they were written")


def _index(memory: Memory) -> Finding:
    flaws = [
        f"{table}: {flaw}" for shelf in memory.shelves() for table in TABLES if (flaw := shelf.index(table).flaw())
    ]
    if flaws:
        return Finding(name="index", well=False, words="; ".join(flaws), todo="run `experience reindex`")
    return Finding(name="index", well=True, words="every row is indexed")


def _clock(memory: Memory) -> Finding:
    now, newest = memory.now(), memory.events.list(newest_first=True, limit=1)
    if newest and newest[0].at > now + SKEW:
        ahead = f"the newest event is of {newest[0].at:%Y-%m-%d %H:%M}, it is {now:%Y-%m-%d %H:%M} here"
        return Finding(name="clock", well=False, words=ahead, todo="set this machine's clock")
    return Finding(name="clock", well=True, words=f"{now:%Y-%m-%d %H:%M} UTC")


def _service(memory: Memory) -> Finding:
    address = (str(memory.settings["host"]), int(memory.settings["port"]))
    try:
        with socket.create_connection(address, timeout=1):
            return Finding(name="service", well=True, words=f"up at {address[0]}:{address[1]}")
    except OSError:
        return Finding(name="service", well=True, words="not running; `experience up` starts it, hooks do without")


def _hooks(root: str) -> Iterator[Finding]:
    """Each hook that is installed, run in a project of its own."""
    found = False
    for name in NAMES:
        for user in (False, True):
            try:
                installed = _installed(name, root, user=user)
            except ExperienceError as error:
                yield Finding(name=name, well=False, words=str(error), todo=f"then `experience install {name}`")
                continue
            if installed:
                found = True
                yield _tried(name, installed, user=user)
    if not found:
        words = "no host is connected"
        yield Finding(name="hooks", well=True, words=f"{words}; `experience install HOST` connects {', '.join(NAMES)}")


def _installed(name: str, root: str, *, user: bool) -> list[tuple[str, list[str]]]:
    """The commands a host would run: those in its settings, or those its plugin starts."""
    where = places.place(root, user=user)
    for edit in places.edits(name, where):
        text = read(edit.path)
        if text is not None and isinstance(edit, JsonEdit) and edit.lists:
            return commands(text)
        if text is not None and edit.path.endswith(".js") and edit.clean(text) is None:
            line = next(line for line in text.splitlines() if line.startswith("const COMMAND = "))
            words = json.loads(line.removeprefix("const COMMAND = "))
            return [(event, [*words, event]) for event in host(name).EVENTS]
    return []


def _tried(name: str, installed: list[tuple[str, list[str]]], *, user: bool) -> Finding:
    label, again = f"{name} ({'user' if user else 'project'})", f"experience install {name}{' --user' if user else ''}"
    with tempfile.TemporaryDirectory() as scratch:
        with Memory(scratch, home=os.path.join(scratch, "home"), actor="cli") as memory:
            memory.learn("always run the tests before a push", type="policy")
        silent = [event for event, command in installed if not _answers(name, event, command, scratch)]
    words = f"{len(installed)} hooks tried"
    if silent:
        todo = f"run `{again}` again; the interpreter or the packages they start may have moved"
        return Finding(name=label, well=False, words=f"{words}, no answer from {', '.join(silent)}", todo=todo)
    return Finding(name=label, well=True, words=f"{words}, all answer as {host(name).TITLE} wants it")


def _answers(name: str, event: str, command: list[str], scratch: str) -> bool:
    """Whether a hook ends well, and where something is to be told, tells it."""
    known: Any = host(name)
    env = {**os.environ, "EXPERIENCE_HOME": os.path.join(scratch, "home")}
    env.pop("EXPERIENCE_URL", None)
    try:
        done = subprocess.run(  # noqa: S603  # the very command that the host would run
            command, input=json.dumps(known.sample(event, scratch)), capture_output=True, text=True, env=env,
            timeout=HOOK_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    if done.returncode or done.stderr:
        return False
    if known.EVENTS.get(event) not in ("start", "prompt"):
        return True
    try:
        return isinstance(json.loads(done.stdout), dict)
    except ValueError:
        return False


def _disk(root: str) -> Finding:
    for directory in (os.path.join(root, ".experience"), home_directory()):
        there = directory
        while not os.path.exists(there):
            there = os.path.dirname(there)
        if not os.access(there, os.W_OK):
            return Finding(
                name="disk", well=False, words=f"{there} may not be written to", todo="check its permissions"
            )
        if shutil.disk_usage(there).free < ROOM:
            return Finding(name="disk", well=False, words=f"{there} is nearly full", todo="free some space")
    return Finding(name="disk", well=True, words=f"{shutil.disk_usage(root).free / 1e9:,.1f} GB free")


def _log() -> Finding:
    home = home_directory()
    place, recent = os.path.join(home, trouble.FILE), trouble.since(home, datetime.now(UTC) - timedelta(days=1))
    if recent:
        shown = "".join(f"\n  {line}" for line in recent[-SHOWN:])
        todo = f"read {place}; remove it once the cause is gone"
        return Finding(
            name="hook log", well=False, words=f"{len(recent)} hooks failed since yesterday{shown}", todo=todo
        )
    return Finding(name="hook log", well=True, words="no hook failed since yesterday")
