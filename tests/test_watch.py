"""The watcher: what people save is found without a command, and what changes meanwhile is not lost."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import experience
import memory_sync
from experience import Memory
from memory_sync.state import desk
from memory_sync.watch import Watcher, system
from tests.files import found, stored, until, write

QUICK = 100  # milliseconds
WATCH = """
import sys, experience, memory_sync
with experience.open(sys.argv[1]) as memory, memory_sync.watch(memory, debounce_ms=50):
    print("watching", flush=True)
    sys.stdin.read()
"""


def here(memory: Memory, query: str, **more: object) -> list[str]:
    """What a search finds that syncs nothing by itself."""
    return found(memory, query, fresh=False, **more)


@pytest.fixture
def watched(memory: Memory) -> Iterator[Memory]:
    write(memory.root, {"a.md": "walrus", "docs/b.md": "penguin"})
    with memory_sync.watch(memory, debounce_ms=QUICK):
        yield memory


def test_files_are_found_without_a_command(watched: Memory) -> None:
    """C120: add, edit, delete, a new directory, a renamed one."""
    root = Path(watched.root)
    assert here(watched, "walrus") == ["a.md"]
    write(root, {"c.md": "heron"})
    until(lambda: here(watched, "heron") == ["c.md"])
    write(root, {"a.md": "okapi"})
    until(lambda: here(watched, "okapi") == ["a.md"] and not here(watched, "walrus"))
    os.remove(root / "c.md")
    until(lambda: not here(watched, "heron"))
    write(root, {"new/deep/d.md": "quagga"})
    until(lambda: here(watched, "quagga") == ["new/deep/d.md"])
    write(root, {"new/deep/d.md": "tapir"})
    until(lambda: here(watched, "tapir") == ["new/deep/d.md"])
    os.rename(root / "docs", root / "manual")
    until(lambda: here(watched, "penguin") == ["manual/b.md"])
    write(root, {"manual/b.md": "ibis"})
    until(lambda: here(watched, "ibis") == ["manual/b.md"])


def test_an_atomic_save_as_editors_make_it_is_found(watched: Memory) -> None:
    root = Path(watched.root)
    write(root, {"a.md~": "gannet"})
    os.replace(root / "a.md~", root / "a.md")

    until(lambda: here(watched, "gannet") == ["a.md"])


def test_a_change_makes_the_state_dirty_before_it_is_synced(memory: Memory) -> None:
    """C121: dirty at once, clean after the debounce; other processes see the same."""
    write(memory.root, {"a.md": "walrus"})
    with memory_sync.watch(memory, debounce_ms=60_000), experience.open(memory.root) as other:
        state = memory_sync.state(other)
        assert (state.dirty, state.watching, state.watched_files, state.polling) == (False, True, 1, None)
        write(memory.root, {"a.md": "penguin"})
        until(lambda: memory_sync.state(other).dirty)
        assert here(other, "penguin") == []
        result = memory_sync.search(other, "penguin")
        assert ([chunk.path for chunk in result.chunks], result.auto_synced) == (["a.md"], True)
        assert memory_sync.state(memory).dirty is False
    assert memory_sync.state(memory).watching is False


def test_the_state_tells_when_the_last_sync_was(memory: Memory) -> None:
    assert memory_sync.state(memory).last_sync_at is None
    memory_sync.sync(memory)

    assert memory_sync.state(memory).last_sync_at == memory.now()
    assert memory_sync.state(memory).syncing is False


def test_a_change_during_a_sync_is_not_lost(memory: Memory) -> None:
    """A file that is saved while it, or its neighbour, is being synced."""
    write(memory.root, {f"{number:03}.md": "before" for number in range(100)})
    seen: list[memory_sync.SyncState] = []

    def meddle(done: int, total: int, path: str) -> None:
        if not seen:
            seen.append(memory_sync.state(memory))
            write(memory.root, {"000.md": "walrus", "099.md": "penguin", "new.md": "heron"})

    memory_sync.sync(memory, progress=meddle)
    assert seen[0].syncing is True
    for word, path in (("walrus", "000.md"), ("penguin", "099.md"), ("heron", "new.md")):
        assert found(memory, word) == [path]


def test_what_was_noticed_during_a_sync_leaves_the_state_dirty(memory: Memory) -> None:
    """Only what was noticed before a sync began is covered by it."""
    write(memory.root, {f"{number}.md": "x" for number in range(100)})
    memory_sync.sync(memory)
    write(memory.root, {"0.md": "y"})
    notice = desk(memory).state.notice
    memory_sync.sync(memory, progress=lambda done, total, path: notice())

    assert memory_sync.state(memory).dirty is True
    memory_sync.sync(memory)
    assert memory_sync.state(memory).dirty is False


def test_changes_that_never_end_are_synced_all_the_same(memory: Memory) -> None:
    stop = threading.Event()

    def chatter() -> None:
        number = 0
        while not stop.wait(0.02):
            number += 1
            write(memory.root, {"busy.md": f"walrus {number}"})

    with memory_sync.watch(memory, debounce_ms=QUICK):
        thread = threading.Thread(target=chatter)
        thread.start()
        try:
            until(lambda: here(memory, "walrus") == ["busy.md"])
        finally:
            stop.set()
            thread.join()


def test_a_crowd_of_changes_is_synced_to_the_last(watched: Memory) -> None:
    """Ten thousand changes within moments: written, written again, some removed."""
    root = Path(watched.root)
    for turn in range(5):
        for number in range(2000):
            (root / f"{number}.md").write_text(f"turn{turn} bird{number}")
    for number in range(0, 2000, 2):
        (root / f"{number}.md").unlink()

    until(lambda: here(watched, "turn4 bird1999", limit=1) == ["1999.md"], within_s=120)
    until(lambda: len(stored(watched)) == 1002 and not memory_sync.state(watched).dirty, within_s=120)
    assert sorted(stored(watched)) == sorted(str(path.relative_to(root)) for path in root.rglob("*.md"))


def test_what_is_not_read_wakes_nobody(watched: Memory) -> None:
    """Other files, excluded directories and our own database."""
    root = Path(watched.root)
    noticed = desk(watched).state.noticed()
    write(root, {"a.py": "x", "node_modules/b.md": "x", ".git/c.md": "x", ".experience/d.md": "x"})
    watched.record("something", 1)
    write(root, {"z.md": "walrus again"})  # what comes after them
    until(lambda: "z.md" in here(watched, "walrus again"))

    assert desk(watched).state.noticed() == noticed + 1


def test_a_watcher_in_another_process_serves_this_one(memory: Memory) -> None:
    """C120; one that died is no watcher any more."""
    write(memory.root, {"a.md": "walrus"})
    child = subprocess.Popen(
        [sys.executable, "-c", WATCH, memory.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    write(memory.root, {"a.md": "penguin"})
    until(lambda: here(memory, "penguin") == ["a.md"])
    assert memory_sync.state(memory).watching is True
    child.kill()
    child.communicate()

    assert memory_sync.state(memory).watching is False


def test_a_system_that_cannot_watch_is_polled_and_said_so(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    """The limit of watches is reached, as the system says it; polling is the real one."""

    def limited(directories: Sequence[str], polling: bool, stop: threading.Event) -> Iterator[set[str]]:
        if not polling:
            raise OSError(28, "OS file watch limit reached.")
        return system(directories, polling, stop)

    write(memory.root, {"a.md": "walrus"})
    with caplog.at_level(logging.WARNING, "experience.watch"), Watcher(memory, debounce_ms=QUICK, source=limited):
        assert "OS file watch limit reached" in str(memory_sync.state(memory).polling)
        write(memory.root, {"a.md": "penguin", "new/b.md": "heron"})
        until(lambda: here(memory, "penguin") == ["a.md"])
        until(lambda: here(memory, "heron") == ["new/b.md"])
    assert "polling" in caplog.text


def test_a_watcher_stops_and_stopping_twice_is_harmless(memory: Memory) -> None:
    before = threading.active_count()
    watcher = memory_sync.watch(memory, debounce_ms=QUICK).start()
    assert threading.active_count() == before + 2
    watcher.stop()
    watcher.stop()

    assert threading.active_count() == before
    write(memory.root, {"a.md": "walrus"})
    assert here(memory, "walrus") == []


def test_notes_are_watched_from_the_first_one_on(memory: Memory) -> None:
    """C085: a note that a person writes is found, though there was no directory for notes before."""
    with memory_sync.watch(memory, debounce_ms=QUICK):
        write(memory.root, {".experience/notes/ideas.md": "walrus"})
        until(lambda: here(memory, "walrus") == [".experience/notes/ideas.md"])
