"""The tiers under a memory: store, index, cache and plain files; in step with each other, whoever writes and dies."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import Memory, StoreUnavailable, analyzer
from experience.desks import reanalysis
from experience.desks.reanalysis import ANALYZER
from experience.files import write_atomically
from experience.settings import Settings

INDEXED = ("experiences", "memories", "episodes", "procedures", "turns")
LEARNER = """
import sys, experience
with experience.open(sys.argv[1]) as memory:
    for number in range(int(sys.argv[2])):
        print(memory.learn(f"rule {number} of writer {sys.argv[3]}").id, flush=True)
"""
PATIENT = """
import sys, time, experience
with experience.open(sys.argv[1]) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    with memory.store.transaction():
        begun = time.monotonic_ns()
        memory.learn(f"said by {sys.argv[2]}")
        time.sleep(0.15)
        print(begun, time.monotonic_ns(), flush=True)
"""
OPENED = """
import sys, experience
with experience.open(sys.argv[1]) as memory:
    before = memory.store._connection().raw.total_changes
    print(before, len(memory.recall("number", limit=1000, touch=False)))
"""
# Every use of a socket by this process is an audit event.
WATCHED = """
import sys
seen = []
sys.addaudithook(lambda name, args: seen.append((name, args[1:])) if name.startswith("socket.") else None)
import experience
with experience.open(sys.argv[1]) as memory:
    one = memory.learn("deploys go out on Tuesdays", scope="ci/**")
    memory.learn("I like short answers", "preference", reach="user")
    memory.store_memory("the API speaks JSON"), memory.search_memory("API"), memory.formatted_memories()
    memory.recall("deploys"), memory.scoped("ci/a.yml"), memory.update(one.id, content="deploys go out on Fridays")
    memory.episode("it hung", "failure"), memory.procedure("release", ["tag"]), memory.episodes("hung")
    memory.archive(one.id), memory.remember(one.id), memory.history(one.id), memory.forget(one.id), memory.stats()
print(seen)
"""
# Terms of every kind: plain, folded, split, paired, joined.
PROBE = (
    "Deploys don't run in myFunc_v1.2-rc café ﬁne straße 日本語テスト 한국어 ½ 🚀 HTTPServer's e-mail NAÏVE running ran"
)


def index(memory: Memory) -> list[object]:
    """Everything that search reads, of every index, and the rows it stands for."""
    corpora = memory.store.query("select name, rows, terms from corpora order by name")
    return [corpora, *(memory.store.query(f"select term, doc, cnt from {name}_vocabulary") for name in INDEXED)]


def assert_in_step(memory: Memory) -> None:
    """The index is what a rebuilt one would be, and says of itself that it is whole."""
    for name in INDEXED:
        memory.store.execute(f"insert into {name}_fts ({name}_fts, rank) values ('integrity-check', 1)")
    before = index(memory)
    memory.reindex()
    assert index(memory) == before
    lengths = memory.store.query("select terms, tag_terms, scope_terms, context_terms, length from memories")
    assert all(sum(len(str(column).split()) for column in row[:4]) == row[4] for row in lengths)


def test_three_tiers_stand_alone(memory: Memory) -> None:
    """C003: session cache, store and search are told of apart, and each answers by itself."""
    one = memory.learn("deploys go out on Tuesdays")
    told = memory.stats()
    assert (told["cache"], told["search"]) == ({"result_sets": 0, "hits": 0, "misses": 0}, "fts5")
    assert (told["store"], told["memories"]["memories"]) == (memory.store.where, 1)

    assert memory.shelf.memories.get(one.id) == one
    assert memory.shelf.index("memories").document_counts(["deploy"]) == {"deploy": 1}
    memory.recall("deploys", touch=False)
    assert memory.stats()["cache"]["result_sets"] == 1


def test_a_learn_goes_to_the_store_then_the_index_and_no_cache_hides_it(shared: Memory) -> None:
    """C004: the row and its event in one transaction; found by search at once, past a full cache."""
    assert shared.recall("deploys", touch=False) == []
    one = shared.learn("deploys go out on Tuesdays")
    (told,) = shared.events.list(subject=one.id)

    assert (told.type, told.data["type"], told.data["key"]) == ("memory.learned", "fact", 1)
    assert shared.shelf.index("memories").document_counts(["tuesday"]) == {"tuesday": 1}
    assert [hit.id for hit in shared.recall("deploys", touch=False)] == [one.id]


def test_the_statements_of_a_learn_are_in_order(memory: Memory) -> None:
    """C004: begin, row, index (by the row's trigger), event, and one commit at the very end."""
    seen: list[str] = []
    memory.learn("warm up")
    memory.store._connection().raw.set_trace_callback(seen.append)  # type: ignore[attr-defined]
    memory.learn("deploys go out on Tuesdays")
    memory.store._connection().raw.set_trace_callback(None)  # type: ignore[attr-defined]
    steps = ("begin", "insert into memories (", "into 'main'.'memories_fts_data'", "insert into events")
    places = [next(at for at, sql in enumerate(seen) if step in sql.lower()) for step in steps]

    assert places == sorted(places)
    assert [at for at, sql in enumerate(seen) if sql.lower() == "commit"] == [len(seen) - 1]


def test_a_learn_that_fails_leaves_no_trace(shared: Memory) -> None:
    """C004: neither row nor index nor event."""
    shared.learn("warm up")
    before = (index(shared), shared.events.count(), shared.memories(state="all"))
    with pytest.raises(RuntimeError), shared.store.transaction():
        shared.learn("deploys go out on Tuesdays")
        raise RuntimeError

    assert (index(shared), shared.events.count(), shared.memories(state="all")) == before


@pytest.mark.parametrize("name", INDEXED)
def test_triggers_keep_each_index_in_step(shared: Memory, name: str) -> None:
    """C053: insert, update and delete; replacing a row is refused or leaves the index whole."""
    rows = shared.store.query("select sql from sqlite_master where type = 'trigger' and tbl_name = ?", name)
    sql = [str(text).lower() for (text,) in rows if f"{name}_fts" in str(text).lower()]
    assert len(sql) == 3
    assert {word for text in sql for word in ("insert", "update", "delete") if f"after {word}" in text} == {
        "insert", "update", "delete"
    }  # fmt: skip


def test_every_deed_keeps_the_index_in_step(shared: Memory) -> None:
    """C053: the words of rows and of the index are equal after each."""
    one = shared.learn("deploys go out on Tuesdays", tags=["ops"], scope="ci/**", context="when do they go out?")
    deeds = (
        lambda: shared.learn("deploys go out on Tuesdays", tags=["team"], scope="ci/**"),
        lambda: shared.update(one.id, content="no"),
        lambda: shared.update(one.id, tags=[], scope=None, title="Deploying", keywords=["a b", "c"]),
        lambda: shared.learn("the port is 80"), lambda: shared.learn("the port is 90"), lambda: shared.archive(one.id),
        lambda: shared.episode("deploy hung", "failure", ["x"]), lambda: shared.procedure("release", ["tag"], "when"),
        lambda: shared.procedure("release", ["push", "tag"]), lambda: shared.record("deploy", 1),
        lambda: shared.forget(one.id),
    )  # fmt: skip
    for deed in deeds:
        deed()
        assert_in_step(shared)
    assert shared.recall("Tuesdays") == []


def test_memories_need_no_network(tmp_path: Path) -> None:
    """C002, C147: no service, no model; not one socket."""
    done = subprocess.run([sys.executable, "-c", WATCHED, tmp_path], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def age(place: Path, rows: int) -> None:
    """A store of an earlier time: its rows were never analysed, its indexes are empty."""
    with experience.open(place) as memory:
        for number in range(rows):
            memory.learn(f"statement number {number}", tags=["many"], scope="src/**", context="and the next?")
        memory.episode("number one happened", "success", ["x"])
        memory.procedure("number two", ["count", "again"], "numbers")
        memory.record("number three", 1)
        memory.observe("is there a number four?", session="s")
        with memory.store.transaction():
            memory.store.execute("update memories set tag_terms = '', scope_terms = '', context_terms = ''")
            for name in INDEXED:
                memory.store.execute(f"update {name} set terms = ''")
                memory.store.execute(f"insert into {name}_fts ({name}_fts) values ('delete-all')")
            memory.store.execute("delete from facts_about_store where name = 'analyzer'")


@pytest.mark.parametrize("rows", [0, 5, 99, 100, 1000])
def test_rows_older_than_an_index_are_searchable_once_opened(tmp_path: Path, rows: int) -> None:
    """C054: all of them; a second open does nothing."""
    age(tmp_path, rows)
    with experience.open(tmp_path) as memory:
        found = memory.recall("number", limit=1000, touch=False)
        assert len(found) == rows
        assert len(memory.recall("many src next", limit=1000, touch=False)) == rows
        assert (len(memory.episodes("number")), len(memory.find("number"))) == (1, 1)
        assert memory.shelf.index("procedures").document_counts(["number"]) == {"number": 1}
        assert memory.shelf.index("turns").document_counts(["number"]) == {"number": 1}
        assert memory.store.query("select value from facts_about_store where name = 'analyzer'") == [(ANALYZER,)]
        assert_in_step(memory)
    done = subprocess.run([sys.executable, "-c", OPENED, tmp_path], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["0", str(rows)]


def test_a_fresh_store_is_of_today_and_so_is_the_users(memory: Memory) -> None:
    """C054."""
    for store in (memory.store, memory.user):
        assert store.query("select value from facts_about_store where name = 'analyzer'") == [(ANALYZER,)]


def test_whoever_changes_the_analyzer_raises_its_version() -> None:
    """C054: this hash and the number beside it change together, or old rows are no longer found."""
    told = hashlib.sha256(" ".join(analyzer.terms(PROBE)).encode()).hexdigest()[:16]

    assert (reanalysis.ANALYZER, told) == ("1", "32b831d25a4d1938")


def test_a_hundred_threads_learn_at_once_and_nothing_is_lost(memory: Memory) -> None:
    """C033: the second writer waits for the first."""
    with ThreadPoolExecutor(100) as crowd:
        learned = set(crowd.map(lambda number: memory.learn(f"rule number {number}").id, range(100)))
        counted = list(crowd.map(lambda _: memory.learn("one rule for all"), range(50)))

    assert {one.id for one in memory.memories(limit=1000)} == learned | {counted[0].id}
    assert memory.get(counted[0].id).reinforcement_count == 50
    assert_in_step(memory)
    assert memory.verify().whole


def test_recalls_and_edits_at_once_are_all_counted(memory: Memory) -> None:
    """C033, C181: no count and no edited field is lost to another thread; forgetting meanwhile harms no recall."""
    one, gone = memory.learn("deploys go out on Tuesdays"), memory.learn("deploys were done by hand")
    edits: list[dict[str, Any]] = [{"priority": "high"}, {"tags": ["ops"]}, {"scope": "ci/**"}, {"title": "Deploying"}]
    with ThreadPoolExecutor(16) as crowd:
        recalls = [crowd.submit(memory.recall, "deploys") for _ in range(40)]
        changes = [crowd.submit(memory.update, one.id, **edit) for edit in edits]
        marks = [crowd.submit(memory.remember, one.id) for _ in range(10)]
        crowd.submit(memory.forget, gone.id).result()
        assert all(one.id in [hit.id for hit in done.result()] for done in recalls)
        for done in (*changes, *marks):
            done.result()
    after = memory.get(one.id)

    assert after.reinforcement_count == 41
    assert (after.priority, after.tags, after.scope, after.title) == ("high", ("ops",), "ci/**", "Deploying")
    assert len(memory.history(one.id)) == 4


def test_four_processes_learn_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    """C034: 4 × 50, every one acknowledged, every one there."""
    writers = [start(LEARNER, tmp_path, 50, name) for name in "ABCD"]
    acknowledged = [line for one in writers for line in one.communicate(timeout=120)[0].split()]

    assert [one.returncode for one in writers] == [0] * 4
    with experience.open(tmp_path) as memory:
        assert len(acknowledged) == 200
        assert {one.id for one in memory.memories(limit=1000)} == set(acknowledged)
        assert_in_step(memory)
        assert memory.verify().whole


def test_writers_take_turns(tmp_path: Path) -> None:
    """C035: four that begin at once; no two are inside their transactions at the same time."""
    writers = [start(PATIENT, tmp_path, name) for name in "ABCD"]
    for one in writers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in writers:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    spans = sorted(tuple(map(int, one.communicate(timeout=60)[0].split())) for one in writers)

    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))
    with experience.open(tmp_path) as memory:
        assert len(memory.memories()) == 4


def test_a_learner_killed_at_any_moment_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    """C032: 40 kills at random moments; the store is whole and has every acknowledged memory."""
    moments, acknowledged = random.Random(33), set()
    for round in range(10):
        writers = [start(LEARNER, tmp_path, 10_000, f"{round}-{name}") for name in "ABCD"]
        for one in writers:
            assert one.stdout is not None
            acknowledged.add(one.stdout.readline().strip())
        time.sleep(moments.uniform(0, 0.05))
        for one in writers:
            one.send_signal(signal.SIGKILL)
        for one in writers:
            acknowledged.update(one.communicate()[0].split("\n")[:-1])  # the last may be cut off
    with experience.open(tmp_path) as memory:
        assert acknowledged <= {one.id for one in memory.memories(limit=100_000)}
        assert memory.store.query("pragma integrity_check") == [("ok",)]
        assert_in_step(memory)
        assert memory.verify().whole


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    patient = {**os.environ, "EXPERIENCE_TIMEOUT_S": "60"}  # SQLite's lock is not fair: a crowd may keep one waiting
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=patient,
    )  # fmt: skip


def test_a_plain_file_is_written_beside_its_place_and_moved_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C029, C030: temporary file, fsync, rename, fsync of the directory; the target is never opened for writing."""
    target, seen = tmp_path / "notes.md", list[str]()
    target.write_text("old")
    fsync, replace = os.fsync, os.replace  # the real ones, listened to
    monkeypatch.setattr(os, "fsync", lambda file: (seen.append("fsync"), fsync(file))[1])
    monkeypatch.setattr(os, "replace", lambda a, b: (seen.append(f"rename {a} {b}"), replace(a, b))[1])
    opened = Opened()
    write_atomically(str(target), "new\n")
    writes = opened.stop()

    assert target.read_text() == "new\n"
    assert [step.split()[0] for step in seen] == ["fsync", "rename", "fsync"]
    assert seen[1] == f"rename {writes[0]} {target}"
    assert (len(writes), writes[0].endswith(".tmp"), os.path.dirname(writes[0])) == (1, True, str(tmp_path))
    assert os.listdir(tmp_path) == ["notes.md"]


class Opened:
    """The paths that this process opens for writing."""

    def __init__(self) -> None:
        self._paths: list[str] | None = []
        sys.addaudithook(self._hear)

    def _hear(self, name: str, details: tuple[Any, ...]) -> None:
        if name == "open" and self._paths is not None and details[1] and set("wax+") & set(str(details[1])):
            self._paths.append(str(details[0]))

    def stop(self) -> list[str]:
        found, self._paths = self._paths or [], None
        return found


def test_a_rename_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C031: the same bytes, nothing beside them, and an error that says what to do."""
    (tmp_path / ".experience").mkdir()
    target = tmp_path / ".experience" / "settings.json"
    target.write_bytes(b'{"min_weight": 0.1}')

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreUnavailable, match=r"settings\.json cannot be written \(No space left.*is as it was"):
        Settings(str(tmp_path / "home"), str(tmp_path), {}).write("half_life_days", "10")

    assert target.read_bytes() == b'{"min_weight": 0.1}'
    assert os.listdir(tmp_path / ".experience") == ["settings.json"]


def test_settings_are_written_whole_and_keep_their_rights_and_links(tmp_path: Path) -> None:
    """C029, C030: a linked file stays linked; what only the user may read stays so."""
    real = tmp_path / "dotfiles.json"
    real.write_text('{"min_weight": 0.1}')
    real.chmod(0o600)
    (tmp_path / ".experience").mkdir()
    link = tmp_path / ".experience" / "settings.json"
    link.symlink_to(real)
    Settings(str(tmp_path / "home"), str(tmp_path), {}).write("half_life_days", "10")

    assert json.loads(real.read_text()) == {"min_weight": 0.1, "half_life_days": 10}
    assert (link.is_symlink(), real.stat().st_mode & 0o777) == (True, 0o600)
