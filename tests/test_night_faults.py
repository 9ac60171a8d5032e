"""What may go wrong at night: locks, full disks, clocks that jump, machines that sleep, runners that die."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import experience
from experience import Memory
from experience.clock import StillClock
from jobs import scheduler, twins
from jobs.lease import TTL
from jobs.nightly import STEPS, consolidate
from jobs.scheduler import Scheduler, last_night
from tests.nights import assert_sound, dump, step

NAMES = [one.NAME for one in STEPS]
OLD = 450


def fill(memory: Memory, clock: StillClock) -> None:
    """Experiences too light to stay, and a session that fell silent."""
    memory.record_many([{"intent": f"task {number}", "solution": number} for number in range(OLD)])
    memory.observe("Where do the logs go?", session="early")
    clock.advance(days=400)


def at_work_in(name: str, begin: Callable[[], None], end: Callable[[], None]) -> Callable[[str, float], None]:
    """Something that begins when a step is about to write, and ends once that step is over."""
    times = iter((begin, end))
    return lambda at, share: next(times, lambda: None)() if at == name else None


def test_a_step_that_meets_a_locked_store_fails_with_a_sentence_and_the_rest_go_on(
    tmp_path: Path, clock: StillClock
) -> None:
    """Another process holds the write lock for longer than anybody waits; nothing is half done."""
    with experience.open(tmp_path, clock=clock) as memory:
        memory.settings.write("timeout_s", "0.2")
    with experience.open(tmp_path, clock=clock) as memory, experience.open(tmp_path, clock=clock) as other:
        fill(memory, clock)
        lock = other.store.transaction()
        tell = at_work_in("prune", lock.__enter__, lambda: lock.__exit__(None, None, None))
        before = dump(memory.store)["experiences"]

        report = memory.consolidate(tell=tell)

        assert report.state == "failed"
        assert {one.step: one.state for one in report.steps if one.state == "failed"} == {"prune": "failed"}
        said = str(step(report, "prune").error)
        assert said.endswith(
            f": the store {memory.store.where} stays locked by another process; try again when it has finished"
        )
        assert step(report, "sessions").changed == 1
        assert [row[0] for row in dump(memory.store)["experiences"]] == [row[0] for row in before]
        assert dump(memory.store)["retired"] == []

        assert memory.consolidate().state == "done"
        assert memory.stats()["experiences"] == 0
        assert_sound(memory)


def test_a_disk_that_fills_up_fails_the_step_and_the_rest_go_on(tmp_path: Path, clock: StillClock) -> None:
    """What was written before stays, what was begun is taken back."""
    with experience.open(tmp_path, clock=clock) as memory:
        fill(memory, clock)
        store = memory.store
        tell = at_work_in(
            "prune",
            lambda: store.query("pragma max_page_count = 1") and None,  # the least is what the file has
            lambda: store.query("pragma max_page_count = 1073741823") and None,
        )

        report = memory.consolidate(tell=tell)

        assert "is full or failing" in str(step(report, "prune").error)
        assert [one.step for one in report.steps if one.state == "failed"] == ["prune"]
        assert memory.stats()["experiences"] + len(dump(store)["retired"]) == OLD
        assert memory.consolidate().state == "done"
        assert memory.stats()["experiences"] == 0
        assert_sound(memory)


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_jumps_during_a_night_neither_ends_it_nor_lets_another_in(
    memory: Memory, clock: StillClock, days: int
) -> None:
    fill(memory, clock)
    jumped: list[int] = []

    def jump(name: str, share: float) -> None:
        if name == "prune" and not jumped:
            jumped.append(days)
            clock.advance(days=days)

    assert memory.consolidate(tell=jump).state == "done"

    assert memory.stats()["experiences"] == 0
    again = memory.consolidate()
    assert [one.step for one in again.steps if one.changed] == ["backup"]  # a day away: another is due
    assert_sound(memory)


def test_ctrl_c_leaves_a_run_that_says_so_and_true_counts(memory: Memory, clock: StillClock) -> None:
    """The report of the step at work holds what it did until then; the next night does the rest."""
    fill(memory, clock)

    def interrupt(name: str, share: float) -> None:
        if memory.stats()["experiences"] < OLD:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.consolidate(tell=interrupt)

    run = memory.runs()[0]
    told = {one["step"]: (one["state"], one["changed"]) for one in run.report}
    assert (run.state, told["prune"]) == ("stopped", ("stopped", OLD - memory.stats()["experiences"]))
    assert memory.shelf.leases.holder("night", memory.now()) is None
    assert memory.consolidate().state == "done"
    assert memory.stats()["experiences"] == 0


def test_a_single_step_is_no_night(tmp_path: Path) -> None:
    """DESIGN's schedule row: what a person does by `--only` does not hide a night that was missed."""
    clock = StillClock(datetime(2026, 5, 1, 12, tzinfo=UTC))
    with experience.open(tmp_path, clock=clock) as memory:
        memory.record("deploy the site", "make deploy")
        clock.advance(days=1)
        memory.consolidate(only="decay")
        assert Scheduler(memory, zone=UTC).missed(clock.now)

        memory.consolidate()

        assert not Scheduler(memory, zone=UTC).missed(clock.now)
        assert last_night(memory) == clock.now


def test_a_night_of_the_future_does_not_put_off_the_next_one(tmp_path: Path) -> None:
    """A clock that stood days ahead and was set right: nobody waits until that day comes."""
    clock = StillClock(datetime(2026, 5, 1, 12, tzinfo=UTC))
    with experience.open(tmp_path, clock=clock) as memory:
        memory.record("deploy the site", "make deploy")
        memory.consolidate()
        clock.advance(days=9)
        memory.consolidate()
        clock.advance(days=-7)

        assert Scheduler(memory, zone=UTC).missed(clock.now)


def test_a_bell_that_was_set_by_a_wrong_clock_is_set_right(tmp_path: Path) -> None:
    """Summer or winter, a day back or a year: it rings at the next three o'clock."""
    with experience.open(tmp_path) as memory:
        bell = Scheduler(memory, zone=UTC)
        bell.start()
        try:
            set_for = bell.planned()
            assert set_for is not None
            bell.settle(set_for - timedelta(days=3, minutes=1))
            assert bell.planned() == set_for - timedelta(days=3)
            bell.settle(set_for - timedelta(days=3, minutes=1))
            assert bell.planned() == set_for - timedelta(days=3)
        finally:
            bell.stop()


def missed_one(where: Path) -> None:
    """A store in which a night is due."""
    with experience.open(where, clock=StillClock(datetime(2026, 1, 1, 12, tzinfo=UTC))) as memory:
        memory.record("deploy the site", "make deploy")


def test_a_runner_that_died_is_replaced_by_one_that_is_up_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only at the next start: whoever is up looks again every few minutes."""
    monkeypatch.setattr(scheduler, "LOOK_S", 0.2)
    missed_one(tmp_path)
    with experience.open(tmp_path) as memory:
        memory.shelf.leases.acquire("night", "a runner that died", memory.now(), timedelta(seconds=1.5))
        bell = Scheduler(memory)
        bell.start()
        try:
            wait_until(lambda: any(run.state == "done" for run in memory.runs()))
        finally:
            bell.stop()

        assert [run.state for run in memory.runs()] == ["done"]


def test_two_services_on_one_store_do_a_missed_night_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second sees that it was done, also when the first has ended by then."""
    monkeypatch.setattr(scheduler, "LOOK_S", 0.1)
    missed_one(tmp_path)
    with experience.open(tmp_path) as one, experience.open(tmp_path) as two:
        bells = [Scheduler(memory) for memory in (one, two)]
        for bell in bells:
            bell.start()
        wait_until(lambda: any(run.state == "done" for run in one.runs()))
        time.sleep(0.5)  # so that both have looked again
        for bell in bells:
            bell.stop()

        assert [run.state for run in one.runs()] == ["done"]


def test_a_bell_that_rings_after_somebody_was_faster_does_nothing(tmp_path: Path) -> None:
    """DESIGN's schedule row: of many services that ring at three, those that come late find it done."""
    missed_one(tmp_path)
    with experience.open(tmp_path) as memory:
        bell = Scheduler(memory)
        bell.ring()
        assert [run.state for run in memory.runs()] == ["done"]

        bell.ring()

        assert len(memory.runs()) == 1


def test_a_service_ends_at_once_whatever_it_is_about_to_do(tmp_path: Path) -> None:
    """It neither waits for itself nor writes into a store that is closed."""
    missed_one(tmp_path)
    for _ in range(10):
        with experience.open(tmp_path) as memory:
            bell = Scheduler(memory)
            bell.start()
            ending = threading.Thread(target=bell.stop)
            ending.start()
            ending.join(20)
            assert not ending.is_alive()


def test_a_night_that_is_under_way_is_seen_from_another_process(tmp_path: Path, clock: StillClock) -> None:
    """A live row: the step at work, the share that is done, and what it did so far."""
    code = (
        "import sys, json, experience\nwith experience.open(sys.argv[1]) as memory:\n"
        "    print(json.dumps(memory.runs()[0].as_dict(), default=str))"
    )
    seen: list[dict[str, object]] = []
    with experience.open(tmp_path, clock=clock) as memory:
        fill(memory, clock)

        def look(name: str, share: float) -> None:
            if name == "prune" and memory.stats()["experiences"] < OLD and not seen:
                done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, check=True)
                seen.append(json.loads(done.stdout))

        memory.consolidate(tell=look)

    (run,) = seen
    assert (run["state"], run["step"]) == ("running", "prune")
    assert 0 < float(str(run["progress"])) < 1
    report = run["report"]
    assert isinstance(report, list)
    assert (report[-1]["step"], report[-1]["state"], report[-1]["changed"]) == ("prune", "running", 200)


BESIDE = """
import sys, experience
number = int(sys.argv[2])
with experience.open(sys.argv[1]) as memory:
    print("ready", flush=True)
    for turn in range(1, 10**9):
        assert memory.find(f"fix the bug in module {number}") is not None
        if number % 2:
            memory.record(f"worker {number} did task {turn}", "done")
            memory.learn(f"Worker {number} did task {turn} on its own")
        if turn % 5 == 0:
            print(turn, flush=True)
"""


def test_four_processes_read_and_write_during_the_night_and_none_fails(tmp_path: Path) -> None:
    """Each of them gets further while the night is at work."""
    now = datetime.now(UTC)
    with experience.open(tmp_path, clock=StillClock(now - timedelta(days=30))) as memory:
        memory.record_many([{"intent": f"fix the bug in module {n}", "solution": n} for n in range(1500)])
        memory.record_many([{"intent": f"fix the bug in module {n}!", "solution": n} for n in range(300)])
    command = [sys.executable, "-c", BESIDE, str(tmp_path)]
    workers = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for n in range(4)
    ]
    for one in workers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    with experience.open(tmp_path) as memory:
        report = memory.consolidate()
        for one in workers:
            assert one.stdout is not None
            assert one.stdout.readline() != ""
        alive = [one.poll() for one in workers]
        for one in workers:
            one.kill()
            one.communicate()

        assert alive == [None] * 4
        assert (report.state, step(report, "dedupe").actions["folded"]) == ("done", 300)
        assert_sound(memory)


def test_what_folding_reveals_is_folded_in_the_same_night() -> None:
    """C177: a slip that made another one look like a word leaves with it; a second run finds nothing more."""
    texts = [f"The reviewers read chapter {n} on Mondays" for n in range(9)]
    texts += [f"The believers meet in room {n} at noon" for n in range(7)]
    texts += [f"The engineers paint wall {n} in green" for n in range(2)]
    texts += [f"The belieevers meet in room {n} at noon" for n in (2, 5)]
    texts += ["The revieers read chapter 3 on Mondays"]

    first = twins.groups(texts, [0] * len(texts))
    left = [text for n, text in enumerate(texts) if n not in {other for one in first for other in one[1:]}]

    assert len(first) == 3
    assert twins.groups(left, [0] * len(left)) == []


def test_who_comes_second_reads_what_to_do(memory: Memory, clock: StillClock) -> None:
    memory.shelf.leases.acquire("night", "host:7", clock.now, TTL)

    with pytest.raises(experience.Conflict) as refused:
        consolidate(memory)

    assert str(refused.value) == (
        "the night is under way already (host:7); wait until it has ended; a runner that died is replaced after 90 s"
    )


def wait_until(happened: Callable[[], bool], seconds: float = 30) -> None:
    for _ in range(int(seconds * 20)):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")
