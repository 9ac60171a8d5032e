"""The bell: when it rings, what it notices, and that only one of many does the night."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import experience
from experience.clock import StillClock
from experience.errors import Conflict, InvalidInput
from jobs.lease import Lease, LeaseLost
from jobs.nightly import consolidate
from jobs.scheduler import Scheduler, last_night, trigger

BERLIN = ZoneInfo("Europe/Berlin")


def a_memory(where: Path, clock: StillClock | None = None, **settings: str) -> experience.Memory:
    memory = experience.open(where, clock=clock)
    for name, value in settings.items():
        memory.settings.write(name, value)
    return memory


def test_the_bell_rings_at_three_in_local_time(tmp_path: Path) -> None:
    """DESIGN's schedule row: nightly at 03:00 local time."""
    with a_memory(tmp_path / "p") as memory:
        bell = Scheduler(memory, zone=BERLIN)

        assert bell.next_night(datetime(2026, 5, 1, 12, tzinfo=BERLIN)) == datetime(2026, 5, 2, 3, tzinfo=BERLIN)


def test_summer_time_neither_skips_a_night_nor_rings_twice() -> None:
    """On the day without an hour 2, half past two rings once; on the day with two of them, once."""
    bell = trigger("30 2 * * *", BERLIN)
    for day in (datetime(2026, 3, 29, tzinfo=BERLIN), datetime(2026, 10, 25, tzinfo=BERLIN)):
        rings = [bell.get_next_fire_time(None, day - timedelta(hours=1))]
        rings.append(bell.get_next_fire_time(rings[0], rings[0] + timedelta(seconds=1)))

        assert [ring.astimezone(BERLIN).date().day for ring in rings] == [day.day, (day + timedelta(days=1)).day]


@pytest.mark.parametrize(
    ("cron", "field"),
    [("0 25 * * *", "hour '25'"), ("61 3 * * *", "minute '61'"), ("0 3 * * funday", "day_of_week 'funday'"),
     ("0 3 32 * *", "day '32'"), ("0 3 * 13 *", "month '13'"), ("0 3 * *", "4 fields"), ("noon", "1 fields")],
)  # fmt: skip
def test_a_bad_expression_is_refused_at_start_with_the_field_named(tmp_path: Path, cron: str, field: str) -> None:
    with a_memory(tmp_path / "p", night=cron) as memory, pytest.raises(InvalidInput, match=field):
        Scheduler(memory)


@pytest.mark.parametrize(("cron", "day"), [("0 3 * * 0", 6), ("0 3 * * 1", 0), ("0 3 * * 7", 6), ("0 3 * * sat", 5)])
def test_weekdays_count_from_sunday_as_in_cron(cron: str, day: int) -> None:
    ring = trigger(cron, UTC).get_next_fire_time(None, datetime(2026, 11, 18, tzinfo=UTC))

    assert ring.weekday() == day


def test_a_missed_night_is_noticed_and_a_night_on_time_is_not(tmp_path: Path) -> None:
    """DESIGN's schedule row: missed runs coalesce and run once."""
    clock = StillClock(datetime(2026, 5, 1, 12, tzinfo=UTC))
    with a_memory(tmp_path / "p", clock) as memory:
        bell = Scheduler(memory, zone=UTC)
        assert not bell.missed(datetime(2026, 5, 9, tzinfo=UTC))  # nothing was ever written: nothing to do

        memory.record("deploy the site", "make deploy")
        assert not bell.missed(datetime(2026, 5, 2, 2, 59, tzinfo=UTC))
        assert bell.missed(datetime(2026, 5, 2, 3, 1, tzinfo=UTC))

        clock.advance(days=4)
        consolidate(memory)
        assert last_night(memory) == clock.now
        assert not bell.missed(clock.now + timedelta(hours=1))
        assert bell.missed(clock.now + timedelta(days=3))


def test_a_missed_night_is_done_once_at_start(tmp_path: Path) -> None:
    with a_memory(tmp_path / "p", StillClock(datetime(2026, 1, 1, 12, tzinfo=UTC))) as memory:
        memory.record("deploy the site", "make deploy")
    with a_memory(tmp_path / "p") as memory:
        bell = Scheduler(memory)
        bell.start()
        wait_until(lambda: any(run.state == "done" for run in memory.runs()))
        bell.stop()
        again = Scheduler(memory)
        again.start()
        again.stop()

        assert len(memory.runs()) == 1


def test_only_one_of_two_who_ring_at_once_does_the_night(shared: experience.Memory) -> None:
    """The lease holds on a file and on a server; the second is told who has it."""
    with Lease(shared.shelf, shared.now) as lease:
        with pytest.raises(Conflict, match="under way already"):
            consolidate(shared)
        lease.guard()
    assert consolidate(shared).state == "done"


def test_a_runner_that_died_is_replaced_after_its_lease_ran_out(shared: experience.Memory, clock: StillClock) -> None:
    shared.shelf.leases.acquire("night", "a runner that died", clock.now, timedelta(seconds=90))
    with pytest.raises(Conflict, match="a runner that died"):
        consolidate(shared)

    clock.advance(seconds=91)

    assert consolidate(shared).state == "done"


def test_a_paused_runner_that_wakes_up_cannot_write(shared: experience.Memory, clock: StillClock) -> None:
    """The fencing token: every transaction of the night proves anew that the lease is still held."""
    with Lease(shared.shelf, lambda: clock.now) as paused:
        clock.advance(seconds=91)
        other = shared.shelf.leases.acquire("night", "the next runner", clock.now, timedelta(seconds=90))
        with pytest.raises(LeaseLost), shared.store.transaction():
            shared.record("written too late", "never")
            paused.guard(clock.now)

    assert other == paused.token + 1
    assert shared.find("written too late") == []
    assert shared.shelf.leases.holder("night", clock.now) == "the next runner"


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_jumps_a_day_blocks_no_later_night(
    shared: experience.Memory, clock: StillClock, days: int
) -> None:
    clock.advance(days=10)
    shared.shelf.leases.acquire("night", "a runner that died", clock.now, timedelta(seconds=90))

    clock.advance(days=days)

    assert consolidate(shared).state == "done"


RING = """
import sys, experience
from experience.errors import Conflict
from jobs.nightly import consolidate
with experience.open(sys.argv[1], url=sys.argv[2] or None) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print(consolidate(memory, tell=lambda *_: __import__("time").sleep(0.05)).state)
    except Conflict:
        print("held")
"""


def test_two_processes_that_ring_at_once_do_one_night(target: str, tmp_path: Path) -> None:
    url = target if "://" in target else ""
    with experience.open(tmp_path / "p", url=url or None) as memory:
        memory.record("deploy the site", "make deploy")
    command = [sys.executable, "-c", RING, str(tmp_path / "p"), url]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for one in both:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    said = []
    for one in both:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.communicate(timeout=60)[0].strip() for one in both]

    assert sorted(said) == ["done", "held", "held"]


def test_jobs_run_forever_rings_and_ends_with_a_signal(tmp_path: Path) -> None:
    code = (
        "import sys, experience\nfrom jobs.scheduler import run_forever\n"
        "with experience.open(sys.argv[1]) as memory:\n"
        "    run_forever(memory, lambda at: print('next', at, flush=True))\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "p")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("next 2")

        process.send_signal(signal.SIGTERM)

        assert process.wait(timeout=20) == 0


def test_a_night_can_be_stopped_and_the_next_one_finishes_it(tmp_path: Path, clock: StillClock) -> None:
    """Stoppable at any moment: what was done stays done, what was left is done the next time."""
    with experience.open(tmp_path / "p", clock=clock) as memory:
        memory.record_many([{"intent": f"task number {n}", "solution": n} for n in range(450)])
        clock.advance(days=400)
        asked = iter([False] * 3)
        report = consolidate(memory, only="prune", stop=lambda: next(asked, True))
        left = memory.stats()["experiences"]

        assert report.state == "stopped"
        assert 0 < left < 450

        assert consolidate(memory, only="prune").state == "done"
        assert memory.stats()["experiences"] == 0


def test_readers_and_writers_go_on_during_the_night(tmp_path: Path) -> None:
    """None of four processes' worth of threads fails while the night is at work."""
    clock = StillClock()
    with experience.open(tmp_path / "p", clock=clock) as memory:
        memory.record_many([{"intent": f"fix the bug in module {n}", "solution": n} for n in range(2000)])
        clock.advance(days=30)
        failures: list[Exception] = []
        ended = threading.Event()

        def work(number: int) -> None:
            while not ended.is_set():
                try:
                    memory.find(f"bug in module {number}")
                    memory.record(f"a new task of worker {number}", "done")
                except Exception as error:  # whatever it is, it is a failure of the promise
                    failures.append(error)
                    return

        workers = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for one in workers:
            one.start()
        report = consolidate(memory)
        ended.set()
        for one in workers:
            one.join()

    assert report.state == "done"
    assert failures == []


def wait_until(happened: Callable[[], bool], seconds: float = 20) -> None:
    for _ in range(int(seconds * 20)):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")
