"""The session cache: a few result sets of this process, for half an hour, for as long as nothing was written."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

import experience
from experience import Memory, StillClock
from experience.search.cache import SessionCache

TOLD = """
import json, sys, experience
with experience.open(sys.argv[1]) as memory:
    print(json.dumps(memory.stats()["cache"]))
    memory.recall("deploy", touch=False)
    print(json.dumps(memory.stats()["cache"]))
"""


@pytest.fixture
def cache() -> SessionCache:
    return SessionCache()


def kept(memory: Memory) -> tuple[int, int, int]:
    """Result sets, hits, misses."""
    told = memory.stats()["cache"]
    return told["result_sets"], told["hits"], told["misses"]


def read(memory: Memory) -> list[str]:
    """Every statement the next calls run on this thread's connection that asks a table."""
    seen: list[str] = []
    connection = memory.store._connection().raw  # type: ignore[attr-defined]
    connection.set_trace_callback(lambda sql: None if sql.lower().startswith("pragma") else seen.append(sql))
    return seen


def test_a_value_is_kept_and_dropped_by_its_key(cache: SessionCache, clock: StillClock) -> None:
    """C055: get, set, delete, has, clear."""
    cache.set("a", [1], clock())
    cache.set("b", None, clock())

    assert (cache.get("a", clock()), cache.has("a", clock()), cache.has("c", clock())) == ([1], True, False)
    cache.delete("a")
    cache.delete("a")
    assert (cache.get("a", clock()), cache.has("b", clock()), len(cache)) == (None, True, 1)
    cache.clear()
    assert (cache.has("b", clock()), len(cache)) == (False, 0)


def test_hits_and_misses_are_counted(cache: SessionCache, clock: StillClock) -> None:
    """C005, C055: an empty answer is an answer."""
    cache.set("none found", [], clock())
    cache.get("none found", clock())
    cache.get("never asked", clock())

    assert (cache.hits, cache.misses) == (1, 1)


def test_a_hundred_thousand_reads_are_answered(cache: SessionCache, clock: StillClock) -> None:
    """C055."""
    cache.set("a", 1, clock())

    assert sum(cache.get("a", clock()) for _ in range(100_000)) == 100_000
    assert cache.hits == 100_000


@pytest.mark.parametrize(
    ("minutes", "after", "there"),
    [(30.0, timedelta(minutes=29, seconds=59), True), (30.0, timedelta(minutes=30), False),
     (1 / 60, timedelta(milliseconds=999), True), (1 / 60, timedelta(seconds=1), False),
     (30.0, timedelta(seconds=-1), False)],
)  # fmt: skip
def test_a_value_lives_as_long_as_it_may(minutes: float, after: timedelta, there: bool, clock: StillClock) -> None:
    """C056, C058: 29:59 hit, 30:00 miss; a second may be asked for; a clock that went backwards ends a session."""
    cache = SessionCache(ttl_minutes=minutes)
    cache.set("a", 1, clock())

    assert cache.has("a", clock() + after) is there
    assert len(cache) == int(there)


def test_the_oldest_makes_room_for_the_fourth(cache: SessionCache, clock: StillClock) -> None:
    """C057: size stays 3."""
    for number in range(4):
        cache.set(number, number, clock())
    cache.set(3, "again", clock())

    assert (len(cache), [cache.get(number, clock()) for number in range(4)]) == (3, [None, 1, 2, "again"])


def test_what_is_too_old_makes_room_first(cache: SessionCache, clock: StillClock) -> None:
    """C058: a sweep drops expired entries, not the youngest ones."""
    cache.set("old", 1, clock())
    clock.advance(minutes=29)
    cache.set("new", 2, clock())
    clock.advance(minutes=2)
    cache.set("newer", 3, clock())

    assert len(cache) == 2
    assert (cache.get("old", clock()), cache.get("new", clock())) == (None, 2)


def test_threads_share_one_cache(clock: StillClock) -> None:
    """C055: twenty at once, more keys than room, values that run out; never an error, never a foreign value."""
    cache = SessionCache(ttl_minutes=0.5, most=3)

    def use(number: int) -> bool:
        key, now = number % 7, clock() + timedelta(seconds=number % 50)
        cache.set(key, key, now)
        found = cache.get(key, now)
        cache.delete((key + 1) % 7)
        return found in (None, key) and len(cache) <= 3

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(20) as crowd:
            assert all(crowd.map(use, range(20_000)))
    finally:
        sys.setswitchinterval(before)
    assert cache.hits + cache.misses == 20_000


def test_the_second_identical_recall_is_a_hit(memory: Memory) -> None:
    """C005, C006: first a miss, then the cache is one larger; a hit gives the same."""
    one = memory.learn("deploys go out on Tuesdays")
    first = memory.recall("deploys", touch=False)
    assert kept(memory) == (1, 0, 1)
    again = memory.recall("deploys", touch=False)

    assert (kept(memory), again) == ((1, 1, 1), first)
    assert [hit.id for hit in again] == [one.id]


def test_a_repeated_recall_asks_no_table(memory: Memory) -> None:
    """C005, C059: 0 queries."""
    memory.learn("deploys go out on Tuesdays")
    seen = read(memory)
    memory.recall("deploys", touch=False)
    assert any("memories_fts" in sql for sql in seen)
    seen.clear()
    memory.recall("deploys", touch=False)

    assert seen == []


def test_counting_a_recall_does_not_drop_what_it_found(memory: Memory) -> None:
    """C005, C181: three plain recalls: one search, three counts; the hits carry the counts."""
    one = memory.learn("deploys go out on Tuesdays")
    memory.recall("deploys")
    seen = read(memory)
    second, third = memory.recall("deploys"), memory.recall("deploys")

    assert kept(memory) == (1, 2, 1)
    assert not any("match" in sql for sql in seen)
    assert [hits[0].memory.reinforcement_count for hits in (second, third)] == [2, 3]
    assert memory.get(one.id).reinforcement_count == 4


def test_two_questions_about_one_memory_stay_true_to_it(memory: Memory) -> None:
    """C181: a count through one result set shows in the other."""
    memory.learn("deploys go out on Tuesdays")
    memory.recall("deploys")
    memory.recall("Tuesdays")

    assert memory.recall("deploys", touch=False)[0].memory.reinforcement_count == 3
    assert kept(memory)[1] == 1


@pytest.mark.parametrize("verb", ["learn", "update", "archive", "forget", "remember", "record"])
def test_any_write_drops_the_cache(shared: Memory, verb: str) -> None:
    """Ruling: read-your-writes beats a cache hit."""
    one = shared.learn("deploys go out on Tuesdays")
    other = shared.learn("the deploy script is slow")
    shared.recall("deploys", touch=False)
    {
        "learn": lambda: shared.learn("deploys need two reviews"),
        "update": lambda: shared.update(one.id, content="deploys go out on Fridays"),
        "archive": lambda: shared.archive(one.id),
        "forget": lambda: shared.forget(one.id),
        "remember": lambda: shared.remember(one.id),
        "record": lambda: shared.record("deploy", 1),
    }[verb]()
    found = shared.recall("deploys", touch=False)

    assert kept(shared)[1] == 0
    assert {hit.memory for hit in found} == {found for found in shared.memories(state="all") if "deploy" in str(found)}
    assert other.id in [hit.id for hit in found]


def test_a_write_of_another_process_drops_the_cache(memory: Memory, tmp_path: Path) -> None:
    """C006."""
    memory.learn("deploys go out on Tuesdays")
    memory.recall("deploys")
    code = "import sys, experience\nwith experience.open(sys.argv[1]) as m: m.learn('deploys need two reviews')"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "project")], check=True)

    assert len(memory.recall("deploys")) == 2


def test_a_write_between_a_recall_and_the_counting_of_it_is_not_overlooked(memory: Memory) -> None:
    """C006, C034: another hall learns at that very moment."""
    one, recalls = memory.learn("deploys go out on Tuesdays"), memory._desks.recalls
    before = recalls.versions()
    memory.recall("deploys", touch=False)
    with experience.open(memory.root, clock=memory._clock) as other:
        other.learn("deploys need two reviews")
    recalls.counted(before, memory._desks.memories.touch([one], memory._clock()))

    assert len(memory.recall("deploys")) == 2


def test_a_write_to_the_users_store_drops_the_cache(memory: Memory) -> None:
    """C009: also by the hall of another project."""
    memory.learn("deploys go out on Tuesdays")
    memory.recall("deploys", touch=False)
    with experience.open(Path(memory.root).parent / "other", clock=memory._clock) as other:
        other.learn("I prefer small deploys", "preference", reach="user")

    assert len(memory.recall("deploys", touch=False)) == 2


def test_what_a_failed_transaction_wrote_is_never_cached(memory: Memory) -> None:
    """C006."""
    with pytest.raises(RuntimeError), memory.store.transaction():
        memory.learn("deploys go out on Tuesdays")
        assert len(memory.recall("deploys")) == 1
        raise RuntimeError

    assert memory.recall("deploys") == []


def test_a_new_process_begins_with_an_empty_cache(memory: Memory, tmp_path: Path) -> None:
    """C060."""
    memory.learn("deploys go out on Tuesdays")
    memory.recall("deploys", touch=False)
    done = subprocess.run(
        [sys.executable, "-c", TOLD, str(tmp_path / "project")], capture_output=True, text=True, check=True
    )
    first, second = map(json.loads, done.stdout.splitlines())

    assert first == {"result_sets": 0, "hits": 0, "misses": 0}
    assert second == {"result_sets": 1, "hits": 0, "misses": 1}


def test_the_settings_say_how_long_and_how_many(tmp_path: Path, clock: StillClock) -> None:
    """C056, C057: one second, one result set."""
    (tmp_path / ".experience").mkdir()
    told = {"cache_ttl_minutes": 1 / 60, "cache_result_sets": 1}
    (tmp_path / ".experience" / "settings.json").write_text(json.dumps(told))
    with experience.open(tmp_path, clock=clock) as memory:
        memory.learn("deploys go out on Tuesdays")
        for query in ("deploys", "Tuesdays", "Tuesdays"):
            memory.recall(query, touch=False)
        assert kept(memory) == (1, 1, 2)
        clock.advance(seconds=1)
        memory.recall("Tuesdays", touch=False)

        assert kept(memory) == (1, 1, 3)
