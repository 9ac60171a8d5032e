"""Backups: whole, durable and rotated, or not there at all; and the way back from one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

import experience
from experience import Conflict, InvalidInput, Memory, NotFound, StoreUnavailable
from experience.clock import StillClock
from experience.db import FileStore, open_store
from experience.db.migrate import SCHEMA, statements
from experience.layers import soundness
from jobs.lease import Lease
from jobs.night import Night
from jobs.restore import replace, restore
from jobs.steps import backup
from tests.conftest import Server
from tests.nights import assert_sound, contents, dump, step

# A night on a disk with little space left: the copy cannot be written, the store's own pages can.
FULL = """
import os, resource, signal, sys, experience
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
memory = experience.open(sys.argv[1])
memory.record_many([{"intent": f"task {number}", "solution": "x" * 1000} for number in range(500)])
memory.store.sweep()
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
report = memory.consolidate(only="backup")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(report.steps[0].state, report.steps[0].error)
print(sorted(os.listdir(os.path.join(sys.argv[1], ".experience", "backups"))), memory.verify().whole)
print(memory.consolidate(only="backup").steps[0].state)
"""
# Another process that has the store open before it is restored, and goes on after.
BESIDE = """
import sys, experience
memory = experience.open(sys.argv[1])
memory.warm()
print(sorted(hit.experience.intent for hit in memory.find("deploy")), flush=True)
sys.stdin.readline()
print(sorted(hit.experience.intent for hit in memory.find("deploy")), flush=True)
memory.record("deploy from beside", 1)
print(sorted(hit.experience.intent for hit in memory.find("deploy")), memory.verify().whole, flush=True)
"""


def back_up(memory: Memory) -> str:
    """One backup of the project's store; its path."""
    report = step(memory.consolidate(only="backup"), "backup")
    assert report.state in ("done", "skipped"), report.error
    return str(Path(memory.root, ".experience", "backups", backups(memory)[-1]))


def backups(memory: Memory) -> list[str]:
    return sorted(os.listdir(Path(memory.root, ".experience", "backups")))


def test_a_backup_holds_every_row_and_is_sound(memory: Memory, clock: StillClock) -> None:
    memory.record("deploy the site", 1)
    memory.learn("The build runs on four cores")

    path = back_up(memory)

    assert backups(memory) == ["project-20260101-120000.db"]
    opened = FileStore(path)
    assert soundness.damage(opened) is None
    without = frozenset(("job_runs", "job_changes", "leases", "events", "sqlite_sequence"))
    assert dump(opened, without=without) == contents(memory)
    opened.close()


def test_the_user_s_own_store_is_backed_up_beside_itself(memory: Memory, clock: StillClock) -> None:
    memory.learn("I like tea", "preference", reach="user")

    memory.consolidate(only="backup")

    assert os.listdir(Path(memory.home, "backups")) == ["user-20260101-120000.db"]


def test_one_backup_a_night(memory: Memory, clock: StillClock) -> None:
    """A second run right after makes none; the next night does."""
    back_up(memory)
    clock.advance(hours=11)
    back_up(memory)
    assert len(backups(memory)) == 1
    clock.advance(hours=13)

    back_up(memory)

    assert backups(memory) == ["project-20260101-120000.db", "project-20260102-120000.db"]


def test_the_oldest_backups_leave_and_nothing_else(memory: Memory, clock: StillClock) -> None:
    memory.settings.write("night_keep_backups", "3")
    back_up(memory)
    others = ["project-20250101-000000.db.gz", "notes.txt", "user-20200101-000000.db", "project-20209999-000000.db"]
    for other in others:
        Path(memory.root, ".experience", "backups", other).touch()
    for _ in range(4):
        clock.advance(days=1)
        back_up(memory)

    kept = [f"project-2026010{day}-120000.db" for day in (3, 4, 5)]
    assert backups(memory) == sorted([*kept, *others])


def test_a_backup_holds_what_was_committed_and_no_half_written_change(memory: Memory, clock: StillClock) -> None:
    """Copied while another connection is in the middle of a write."""
    memory.record("deploy the site", 1)
    with memory.store.transaction():
        memory.record("deploy the half", 1)
        backup.copy(memory.store, str(Path(memory.root, "copy.db")))  # type: ignore[arg-type]

    opened = FileStore(str(Path(memory.root, "copy.db")))
    assert opened.query("select intent from experiences") == [("deploy the site",)]
    opened.close()


def test_a_full_disk_fails_the_backup_with_a_sentence_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """The store stays whole, and once there is space the backup is made."""
    done = subprocess.run([sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True, check=True)

    first, left, again = done.stdout.splitlines()
    assert first.startswith("failed StoreUnavailable: the disk under ")
    assert first.endswith("free some space and try again")
    assert (left, again) == ("[] True", "done")


def test_a_directory_that_cannot_be_made_fails_the_backup_and_the_night_goes_on(
    memory: Memory, clock: StillClock
) -> None:
    """The other steps do their work; the next night catches up."""
    memory.record("deploy the site", 1)
    clock.advance(days=400)
    blocked = Path(memory.root, ".experience", "backups")
    blocked.write_text("in the way")

    report = memory.consolidate()

    assert report.state == "failed"
    failed = step(report, "backup")
    assert (failed.state, failed.changed) == ("failed", 0)
    assert "backups" in str(failed.error)
    assert "check the directory" in str(failed.error)
    assert {one.state for one in report.steps if one.step != "backup"} == {"done"}
    assert step(report, "prune").changed == 1
    assert blocked.read_text() == "in the way"
    blocked.unlink()
    assert memory.consolidate().state == "done"
    assert len(backups(memory)) == 1


def test_a_store_on_a_server_is_backed_up_by_whoever_runs_it(
    tmp_path: Path, clock: StillClock, start_server: Callable[..., Server]
) -> None:
    """The step has nothing to do and says why; a restore is refused."""
    with experience.open(tmp_path, url=start_server().url, clock=clock) as memory:
        night = Night(memory=memory, shelf=memory.shelf, now=clock.now, run="run_test", dry_run=True)
        assert "is a server; whoever runs it keeps its backups" in str(backup.idle(night))
        assert memory.consolidate(only="backup").state == "done"
        with pytest.raises(InvalidInput, match="is a server"):
            restore(memory, str(tmp_path / "x.db"))
    assert not (tmp_path / ".experience" / "backups").exists()


def test_a_restore_brings_everything_back_and_keeps_what_was_there(memory: Memory, clock: StillClock) -> None:
    first = memory.record("deploy the site", 1)
    memory.learn("The build runs on four cores")
    path, then = back_up(memory), contents(memory)
    memory.erase(first.id)
    late = memory.record("deploy the app", 2)
    memory.warm()
    clock.advance(days=1)

    restored = restore(memory, path)

    assert contents(memory) == then
    assert [hit.id for hit in memory.find("deploy")] == [first.id]
    assert_sound(memory)
    assert memory.events.list(type="job.restored")[0].subject == os.path.basename(path)
    assert restored.before.endswith("project.before-restore-20260102-120000.db")
    before = FileStore(restored.before)
    assert before.query("select id from experiences") == [(late.id,)]
    before.close()
    assert sorted(os.listdir(Path(memory.root, ".experience"))) == sorted(
        [".gitignore", "backups", *(f"project.db{end}" for end in ("", "-shm", "-wal")), Path(restored.before).name]
    )


def test_after_a_restore_life_goes_on(memory: Memory, clock: StillClock) -> None:
    path = back_up(memory)
    memory.record("deploy the app", 2)
    restore(memory, path)

    one = memory.record("deploy the site", 1)

    assert [hit.id for hit in memory.find("deploy")] == [one.id]
    clock.advance(days=1)
    assert memory.consolidate().state == "done"
    assert_sound(memory)


def test_a_process_beside_goes_on_with_what_was_restored(tmp_path: Path) -> None:
    """Nobody is left with a file that is no more; what it writes from then on counts."""
    with experience.open(tmp_path) as memory:
        memory.record("deploy the site", 1)
        path = back_up(memory)
        for number in range(5):
            memory.record(f"deploy the app {number}", 2)
        beside = subprocess.Popen(
            [sys.executable, "-c", BESIDE, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert beside.stdin is not None
        assert beside.stdout is not None
        assert beside.stdout.readline().count("deploy") == 6

        restore(memory, path)
        out, _ = beside.communicate("\n", timeout=60)

        assert out.splitlines() == ["['deploy the site']", "['deploy from beside', 'deploy the site'] True"]
        assert {one.intent for one in memory.list()} == {"deploy the site", "deploy from beside"}
        assert_sound(memory)


def newer(path: Path) -> None:
    open_store(str(path)).close()
    with sqlite3.connect(path) as raw:
        raw.execute("pragma user_version = 9999")


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("create table cookies (name text)")


def damaged(path: Path) -> None:
    store = open_store(str(path))
    store.execute_many("insert into facts_about_store values (?, ?)", [(f"{n}", "x" * 500) for n in range(200)])
    store.close()
    pages = bytearray(path.read_bytes())
    pages[len(pages) // 2 :] = b"\xff" * (len(pages) - len(pages) // 2)
    path.write_bytes(pages)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (newer, "upgrade experience-memory"),
        (foreign, "belongs to another program"),
        (damaged, "damaged|not a readable database"),
        (lambda path: path.write_text("just some text, long enough to be read as a header" * 30), "not a readable"),
        (lambda path: path.mkdir(), "is no file"),
        (lambda path: None, "is no file"),
    ],
    ids=["newer", "another program's", "damaged", "no database", "a directory", "nothing"],
)
def test_what_cannot_be_restored_is_refused_and_nothing_is_touched(
    memory: Memory, tmp_path: Path, make: Callable[[Path], object], why: str
) -> None:
    memory.record("deploy the site", 1)
    path = tmp_path / "given.db"
    make(path)
    was = path.read_bytes() if path.is_file() else None
    before = dump(memory.store, without=frozenset(("leases",)))

    with pytest.raises((InvalidInput, StoreUnavailable), match=why):
        restore(memory, str(path))

    assert dump(memory.store, without=frozenset(("leases",))) == before
    assert (path.read_bytes() if path.is_file() else None) == was
    assert not any("restor" in name for name in os.listdir(Path(memory.root, ".experience")))


def test_nobody_restores_in_the_middle_of_a_night(memory: Memory, clock: StillClock) -> None:
    path = back_up(memory)
    memory.record("deploy the site", 1)

    with Lease(memory.shelf, clock), pytest.raises(Conflict, match="under way already"):
        restore(memory, path)

    assert len(memory.list()) == 1


def test_a_restore_never_takes_a_lease_back_to_an_older_token(memory: Memory, clock: StillClock) -> None:
    """Otherwise a runner that was paused before it could write again after it."""
    path = back_up(memory)
    for _ in range(3):
        clock.advance(days=1)
        memory.consolidate(only="health")
    with Lease(memory.shelf, clock) as lease:
        token = lease.token

    restore(memory, path)

    with Lease(memory.shelf, clock) as lease:
        assert lease.token > token


def test_a_backup_of_an_older_version_is_brought_up_to_date(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    store = FileStore(str(path))
    for name in ("0001_foundation.sql", "0002_memories.sql"):
        for statement in statements(os.path.join(SCHEMA, name)):
            store.execute(statement)
    store.execute("insert into facts_about_store values ('project', ?)", memory.project)
    store.execute("pragma user_version = 2")
    store.close()
    memory.record("deploy the site", 1)

    restore(memory, str(path))

    assert memory.list() == []
    assert memory.consolidate().state == "done"


def test_the_user_s_own_store_is_restored_by_itself(memory: Memory, clock: StillClock) -> None:
    with pytest.raises(NotFound, match="store of the user's own"):
        restore(memory, "x.db", user=True)
    memory.learn("I like tea", "preference", reach="user")
    memory.consolidate(only="backup")
    memory.learn("I like coffee, too", "preference", reach="user")
    memory.record("deploy the site", 1)

    restore(memory, str(Path(memory.home, "backups", "user-20260101-120000.db")), user=True)

    assert [one.content for one in memory.memories()] == ["I like tea"]
    assert len(memory.list()) == 1


def test_a_file_that_cannot_be_opened_any_more_is_moved_aside(tmp_path: Path, clock: StillClock) -> None:
    """What is left of it is kept."""
    with experience.open(tmp_path, clock=clock) as memory:
        one = memory.record("deploy the site", 1)
        path, where = back_up(memory), memory.store.where
    Path(where).write_bytes(b"\xff" * 10_000)
    with pytest.raises(StoreUnavailable, match="restore a backup"):
        experience.open(tmp_path, clock=clock)

    restored = replace(where, path, clock.now + timedelta(hours=1))

    assert Path(restored.before).read_bytes() == b"\xff" * 10_000
    with experience.open(tmp_path, clock=clock) as memory:
        assert [found.id for found in memory.list()] == [one.id]
        assert_sound(memory)
