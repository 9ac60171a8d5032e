"""What goes wrong in real life: crowds of writers, sudden death, a full disk, a directory that is read-only."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import experience
from experience import Memory, StoreUnavailable

# A writer prints the id of every record once it is acknowledged.
WRITER = """
import sys, experience
with experience.open(sys.argv[1]) as memory:
    for number in range(int(sys.argv[2])):
        print(memory.record(f"task {number} of {sys.argv[3]}", {"number": number}).id, flush=True)
"""
FULL = """
import resource, signal, sys, experience
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
memory = experience.open(sys.argv[1])
memory.record("before the disk was full", 1)
size = max(__import__("os").path.getsize(memory.store.where + end) for end in ("", "-wal"))
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, resource.RLIM_INFINITY))
try:
    memory.record_many([{"intent": f"too much {number}", "solution": "x" * 1000} for number in range(500)])
except experience.StoreUnavailable as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
memory.record("after space was made", 1)
print(sorted(one.intent for one in memory.list()), memory.verify().whole)
"""
# Every connection attempt of this process or a child of the interpreter's own making is reported.
WATCHED = """
import sys
seen = []
sys.addaudithook(lambda name, args: seen.append((name, args[1:])) if name.startswith("socket.") else None)
import experience
with experience.open(sys.argv[1]) as memory:
    one = memory.record("deploy the site", {"run": "make"}, tags=["web"])
    memory.find("deploy")
    memory.warm()
    memory.find("deploy")
    memory.outcome(one.id, 1.0, "test")
    memory.apply_decay()
    memory.prune_expired()
    memory.stats(), memory.verify(), memory.reindex()
    memory.erase(one.id)
print(seen)
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    patient = {**os.environ, "EXPERIENCE_TIMEOUT_S": "60"}  # SQLite's lock is not fair: a crowd may keep one waiting
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True, env=patient
    )


def ask(code: str, *arguments: object) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=True
    ).stdout


def assert_sound(memory: Memory) -> None:
    """The file, the keyword index and the chain of events are whole, and every row has its event."""
    assert memory.store.query("pragma integrity_check") == [("ok",)]
    memory.store.execute("insert into experiences_fts (experiences_fts, rank) values ('integrity-check', 1)")
    assert memory.verify().whole
    missing = memory.store.query("select id from experiences where id not in (select subject from events)")
    assert missing == []


def test_what_one_process_wrote_the_next_one_reads(tmp_path: Path) -> None:
    """C001: written in A, which ends; read in B: the same entry."""
    written = ask(WRITER, tmp_path, 1, "A").strip()

    read = ask("import sys, experience; print(experience.open(sys.argv[1]).get(sys.argv[2]))", tmp_path, written)

    with experience.open(tmp_path) as memory:
        assert read.strip() == repr(memory.get(written))
        assert memory.get(written).intent == "task 0 of A"


def test_four_processes_record_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    """C034: 4 × 250, all acknowledged, all there."""
    writers = [start(WRITER, tmp_path, 250, name) for name in "ABCD"]
    acknowledged = [line for writer in writers for line in writer.communicate(timeout=120)[0].split()]

    assert [writer.returncode for writer in writers] == [0] * 4
    with experience.open(tmp_path) as memory:
        assert len(acknowledged) == 1000
        assert {one.id for one in memory.list(limit=2000)} == set(acknowledged)
        assert_sound(memory)


def test_a_hundred_threads_record_at_once_and_nothing_is_lost(memory: Memory) -> None:
    """C033: the second writer waits for the first."""
    with ThreadPoolExecutor(100) as crowd:
        written = list(crowd.map(lambda number: memory.record(f"task {number}", number).id, range(100)))

    assert {one.id for one in memory.list()} == set(written)
    assert_sound(memory)


def test_outcomes_told_at_once_all_count(memory: Memory) -> None:
    """C034: no update is lost to another one."""
    one = memory.record("deploy the site", 1, success_score=0.0)

    with ThreadPoolExecutor(20) as crowd:
        list(crowd.map(lambda _: memory.outcome(one.id, 1.0, "test"), range(40)))

    after = memory.get(one.id)
    assert (after.use_count, after.verified_count) == (40, 40)
    assert after.success_score == pytest.approx(40 / 40.5)


def test_a_writer_killed_at_any_moment_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    """C032: 200 kills at random moments; the store opens, is whole, and has every acknowledged record."""
    moments, acknowledged = random.Random(32), set()
    for round in range(50):
        writers = [start(WRITER, tmp_path, 10_000, f"{round}-{name}") for name in "ABCD"]
        for writer in writers:
            assert writer.stdout is not None
            acknowledged.add(writer.stdout.readline().strip())  # it is writing now
        time.sleep(moments.uniform(0, 0.05))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            lines = writer.communicate()[0].split("\n")[:-1]  # the last may be cut off
            acknowledged.update(lines)
        if round % 10 == 9:
            with experience.open(tmp_path) as memory:
                there = {str(id) for (id,) in memory.store.query("select id from experiences")}
                assert acknowledged <= there
                assert_sound(memory)
    assert len(acknowledged) > 200


def test_an_acknowledged_write_waits_for_the_disk(memory: Memory) -> None:
    """C032: a power cut cannot be played in a test, so the settings that survive one are asked for."""
    assert memory.store.query("pragma journal_mode") == [("wal",)]
    assert memory.store.query("pragma synchronous") == [(2,)]  # full: the log is on the disk before a commit returns


def test_a_full_disk_is_an_error_and_nothing_is_half_written(tmp_path: Path) -> None:
    """C032: a limit on the size of files stands for the disk; once there is space, the same process goes on."""
    told, left = ask(FULL, tmp_path).splitlines()

    assert "project.db is full or failing" in told
    assert "nothing was written; free some space and try again" in told
    assert left == "['after space was made', 'before the disk was full'] True"


# Root may write anywhere, so the child gives that up once everything it needs is loaded.
OPENED = """
import os, sys, experience
with experience.open(sys.argv[2], home=sys.argv[2]) as memory:
    memory.record("load every module", 1)
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    with experience.open(sys.argv[1], home=sys.argv[1]) as memory:
        memory.record("deploy", 1)
except experience.ExperienceError as error:
    print(type(error).__name__, error)
"""


def test_a_directory_that_may_not_be_written_to_is_an_error(tmp_path: Path) -> None:
    """C032: named, with what to do; nothing appears in it."""
    place, elsewhere = tmp_path / "read-only", tmp_path / "elsewhere"
    place.mkdir()
    elsewhere.mkdir()
    place.chmod(0o555)
    for parent in (tmp_path, tmp_path.parent, tmp_path.parent.parent):  # pytest's own directories, closed to others
        parent.chmod(0o755)

    told = ask(OPENED, place, elsewhere)

    assert told.startswith(f"StoreUnavailable {place}")
    assert "check its permissions" in told
    assert list(place.iterdir()) == []


def test_a_file_that_may_not_be_written_to_is_read_and_refuses_writes(tmp_path: Path) -> None:
    """C032: what is there can still be found; a write is refused with a sentence."""
    with experience.open(tmp_path) as memory:
        memory.record("deploy the site", 1)
        memory.store.execute("pragma query_only = on")

        assert [hit.experience.intent for hit in memory.find("deploy")] == ["deploy the site"]
        with pytest.raises(StoreUnavailable, match="may not be written to"):
            memory.record("never", 1)
        memory.store.execute("pragma query_only = off")
        assert len(memory.list()) == 1


def test_a_busy_store_is_waited_for_and_never_taken_for_a_broken_one(tmp_path: Path) -> None:
    """C033: the sentence speaks of a lock, and the record works once it is gone."""
    (tmp_path / ".experience").mkdir()
    (tmp_path / ".experience" / "settings.json").write_text('{"timeout_s": 0.2}')
    with experience.open(tmp_path) as memory:
        other = sqlite3.connect(memory.store.where, isolation_level=None)
        other.execute("begin immediate")
        with pytest.raises(StoreUnavailable, match="stays locked by another process; try again"):
            memory.record("deploy", 1)
        other.execute("rollback")
        other.close()

        assert memory.record("deploy", 1).intent == "deploy"
        assert_sound(memory)


def test_an_embedded_memory_never_touches_the_network(tmp_path: Path) -> None:
    """C002: every socket call is an audit event; there is none."""
    assert ask(WATCHED, tmp_path).strip() == "[]"
