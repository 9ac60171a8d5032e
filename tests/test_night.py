"""Whole nights: what they change and what not, one after the other, and with others at work at the same time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import Conflict, InvalidInput, Memory, StoreUnavailable
from experience.clock import StillClock
from jobs.lease import TTL, LeaseLost
from jobs.night import Report
from jobs.nightly import STEPS, TOGETHER
from tests.nights import assert_sound, contents, dump, live_in, step

NAMES = [one.NAME for one in STEPS]
MANY = 3 * TOGETHER + 50


@pytest.fixture
def beside(shared: Memory, clock: StillClock) -> Iterator[Memory]:
    """Another hall on the same store, as another process would have it."""
    url = shared.store.where if "://" in shared.store.where else None
    with experience.open(shared.root, url=url, clock=clock) as opened:
        yield opened


def fill(memory: Memory, clock: StillClock) -> None:
    """So many light experiences that pruning them takes several transactions."""
    memory.record_many([{"intent": f"task {number}", "solution": number} for number in range(MANY)])
    clock.advance(days=400)


def said(changes: Any) -> list[tuple[str, ...]]:
    """Changes as they are written down."""
    return [
        (one.step, one.action, one.kind, one.subject, json.dumps(one.was), json.dumps(one.became)) for one in changes
    ]


def test_a_night_keeps_a_store_small_and_true(shared: Memory, clock: StillClock) -> None:
    """C140, C141, C178, C179, schedule: what faded leaves or is put aside, what came up three times is learned."""
    live_in(shared, clock)
    before = shared.stats()

    report = shared.consolidate()

    assert (report.state, [one.step for one in report.steps][: len(NAMES)]) == ("done", NAMES)
    assert [one.error for one in report.steps if one.error and "://" not in shared.store.where] == []
    assert step(report, "prune").actions == {"pruned": 12}
    assert step(report, "promote").actions["promoted"] == 1
    assert step(report, "archive").actions == {"archived": 2}
    assert step(report, "quarantine").actions == {"archived": 1}
    assert step(report, "sessions").actions == {"archived": 1}
    after = shared.stats()
    assert before["experiences"] - after["experiences"] >= 12
    assert after["memories"]["archived"] == 2
    assert_sound(shared)


def test_a_second_night_right_after_changes_nothing(shared: Memory, clock: StillClock) -> None:
    live_in(shared, clock)
    shared.consolidate()
    before = contents(shared)
    clock.advance(seconds=30)

    report = shared.consolidate()

    assert {one.step: one.changed for one in report.steps} == dict.fromkeys(NAMES, 0)
    assert report.changed == 0
    assert contents(shared) == before


def test_a_look_ahead_writes_nothing_at_all(shared: Memory, clock: StillClock) -> None:
    """Not a row in any table, the books of the night and the log among them, and no file."""
    live_in(shared, clock)
    before, files = dump(shared.store), sorted(map(str, Path(shared.root).rglob("*")))

    report = shared.consolidate(dry_run=True)

    assert dump(shared.store) == before
    assert sorted(map(str, Path(shared.root).rglob("*"))) == files
    assert (report.state, report.dry_run, report.changed) == ("planned", True, 0)
    assert {one.step: one.planned for one in report.steps}["prune"] == 12


@pytest.mark.parametrize("name", NAMES)
def test_what_was_planned_is_what_is_done(memory: Memory, clock: StillClock, name: str) -> None:
    """Change for change, with what was there before."""
    live_in(memory, clock)
    memory.store.execute("update corpora set terms = terms + 1 where name = 'turns'")
    planned = memory.consolidate(dry_run=True, only=name)

    done = memory.consolidate(only=name)

    kept = memory.shelf.nights.changes(done.run)
    assert said(kept) == said(one for one in planned.changes)
    assert step(done, name).planned == len(planned.changes)


def test_the_counts_of_a_report_are_true(memory: Memory, clock: StillClock) -> None:
    """As many as rows were pruned, changes written down, and tombstones told."""
    fill(memory, clock)

    report = memory.consolidate(only="prune")

    assert (step(report, "prune").planned, report.changed) == (MANY, MANY)
    assert memory.stats()["experiences"] == 0
    assert len(list(memory.shelf.nights.changes(report.run))) == MANY
    assert len(memory.events.list(type="experience.pruned")) == MANY
    (ended,) = memory.events.list(type="job.finished")
    assert (ended.subject, ended.data["changed"]) == (report.run, MANY)


def test_an_unknown_step_is_refused_by_name(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="step 'tidy' is unknown; choose one of decay, prune"):
        memory.consolidate(only="tidy")


def test_a_step_that_fails_is_written_down_and_the_rest_go_on(shared: Memory, clock: StillClock) -> None:
    """What the database refuses is in the report, in words; the next night does what was left."""
    live_in(shared, clock)
    shared.store.execute(
        "create trigger refusal before update of archived_at on memories begin select raise(abort, 'not today'); end"
    )

    report = shared.consolidate()

    assert report.state == "failed"
    failed = {one.step: str(one.error) for one in report.steps if one.state == "failed"}
    assert sorted(failed) == ["archive", "quarantine"]
    assert all("not today" in error for error in failed.values())
    assert step(report, "prune").changed == 12
    assert step(report, "sessions").changed == 1
    assert shared.runs()[0].state == "failed"
    shared.store.execute("drop trigger refusal")
    again = shared.consolidate()
    assert (again.state, {one.step: one.changed for one in again.steps if one.changed}) == (
        "done", {"archive": 2, "quarantine": 1},
    )  # fmt: skip
    assert_sound(shared)


def stopped_after(times: int) -> Callable[[], bool]:
    left = iter(range(times))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("times", [0, 1, 3, 5, 9])
def test_a_night_that_is_stopped_is_finished_by_the_next(memory: Memory, clock: StillClock, times: int) -> None:
    """Between any two transactions; nothing is lost or done twice."""
    fill(memory, clock)

    first = memory.consolidate(stop=stopped_after(times))
    assert (first.state, memory.runs()[0].state) == ("stopped", "stopped")
    second = memory.consolidate()

    assert second.state == "done"
    pruned = [one.changed for report in (first, second) for one in report.steps if one.step == "prune"]
    assert sum(pruned) == MANY
    assert memory.stats()["experiences"] == 0
    assert memory.undo(second.run).restored + memory.undo(first.run).restored == MANY
    assert memory.stats()["experiences"] == MANY
    assert_sound(memory)


def test_where_a_night_stands_is_seen_from_beside(shared: Memory, beside: Memory, clock: StillClock) -> None:
    """Live, in the store; the share only grows, up to the whole."""
    fill(shared, clock)
    seen: list[tuple[str, str | None, float]] = []

    def look(name: str, share: float) -> None:
        run = beside.runs()[0]
        seen.append((run.state, run.step, share))

    shared.consolidate(tell=look)

    assert {state for state, _, _ in seen} == {"running"}
    assert {name for _, name, _ in seen} == set(NAMES)
    shares = [share for _, _, share in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert beside.runs()[0].progress == 1


def test_others_read_and_write_while_the_night_is_at_work(shared: Memory, beside: Memory, clock: StillClock) -> None:
    """Between its transactions everybody is served, and what they wrote is there afterwards."""
    fill(shared, clock)
    written: list[str] = []

    def live(name: str, share: float) -> None:
        written.append(beside.record(f"write the report for step {name} at {share}", 1).id)
        assert beside.find(f"report for step {name}")

    shared.consolidate(tell=live)

    assert {one.id for one in shared.list(limit=1000)} == set(written)
    assert_sound(shared)


def test_what_agents_use_during_the_night_stays(shared: Memory, beside: Memory, clock: StillClock) -> None:
    """C141: planned to go, used before its turn came."""
    fill(shared, clock)
    used: list[str] = []

    def use(name: str, share: float) -> None:
        if name == "prune" and not used:
            used.extend(one.id for one in beside.list(limit=5))
            for id in used:
                beside.mark_used(id)

    report = shared.consolidate(tell=use)

    assert step(report, "prune").planned - step(report, "prune").changed == len(used) == 5
    assert {one.id for one in shared.list(limit=1000)} == set(used)


def test_one_night_at_a_time(shared: Memory, beside: Memory, clock: StillClock) -> None:
    """Whoever comes second is told by whom it is done, and changes nothing; a look ahead is free to all."""
    fill(shared, clock)
    told: list[str] = []

    def come_second(name: str, share: float) -> None:
        if not told:
            with pytest.raises(Conflict, match=f"under way already .*{os.getpid()}") as refused:
                beside.consolidate()
            told.append(str(refused.value))
            assert beside.consolidate(dry_run=True).state == "planned"

    report = shared.consolidate(tell=come_second)

    assert (len(told), report.state) == (1, "done")
    assert len(shared.runs()) == 1


def test_a_runner_that_was_paused_for_too_long_cannot_write_any_more(
    shared: Memory, beside: Memory, clock: StillClock
) -> None:
    """Its lease ran out and another took over: the next write is refused, and nothing of it is kept."""
    fill(shared, clock)
    left: list[dict[str, Any]] = []

    def fall_asleep(name: str, share: float) -> None:
        if beside.stats()["experiences"] < MANY and not left:
            clock.advance(hours=1)
            assert beside.shelf.leases.acquire("night", "another", clock.now, TTL) is not None
            left.append(dump(beside.store, without=frozenset(("leases",))))

    with pytest.raises(LeaseLost, match="passed on to another runner"):
        shared.consolidate(tell=fall_asleep)

    assert 0 < len(left[0]["experiences"]) < MANY
    assert dump(beside.store, without=frozenset(("leases",))) == left[0]
    assert beside.shelf.leases.holder("night", clock.now) == "another"


def test_the_next_runner_takes_over_once_the_lease_ran_out(shared: Memory, beside: Memory, clock: StillClock) -> None:
    """Until then it is told who holds it; the run that never ended was interrupted."""
    fill(shared, clock)
    assert shared.shelf.leases.acquire("night", "a dead runner", clock.now, TTL) == 1
    shared.shelf.nights.begin("run_dead", "night", "a dead runner", 1, clock.now, {})
    clock.advance(seconds=TTL.total_seconds() - 1)
    with pytest.raises(Conflict, match="a dead runner"):
        beside.consolidate()
    clock.advance(seconds=2)

    assert beside.consolidate().state == "done"

    assert {run.id: run.state for run in beside.runs()}["run_dead"] == "interrupted"


def test_a_night_that_takes_longer_than_a_day_comes_to_its_end(memory: Memory, clock: StillClock) -> None:
    """A lease that ran out and that nobody took is still its own."""
    fill(memory, clock)

    report = memory.consolidate(tell=lambda name, share: clock.advance(hours=3))

    assert report.state == "done"
    run = memory.runs()[0]
    assert run.finished_at is not None
    assert (run.finished_at - run.started_at).days >= 1


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_jumps_between_two_nights_keeps_nobody_out(memory: Memory, clock: StillClock, days: int) -> None:
    fill(memory, clock)
    memory.consolidate()
    clock.advance(days=days)
    memory.record("deploy the site", 1)

    assert memory.consolidate().state == "done"
    assert memory.stats()["experiences"] == 1


def test_a_locked_store_ends_the_night_with_a_sentence(tmp_path: Path, clock: StillClock) -> None:
    """And the next one finds everything as it was."""
    with experience.open(tmp_path, clock=clock) as memory:
        memory.settings.write("timeout_s", "0.2")
    with experience.open(tmp_path, clock=clock) as memory, experience.open(tmp_path, clock=clock) as other:
        fill(memory, clock)
        with other.store.transaction(), pytest.raises(StoreUnavailable, match="stays locked by another process"):
            memory.consolidate()

        assert memory.runs() == []
        assert memory.consolidate().state == "done"


def test_both_stores_have_their_own_night(memory: Memory, clock: StillClock) -> None:
    """The user's own memories fade like the project's; each store keeps its own books."""
    for reach in ("project", "user"):
        memory.learn(f"The {reach} likes tea", "preference", reach=reach)
    clock.advance(days=400)

    report: Report = memory.consolidate()

    assert [one.changed for one in report.steps if one.step == "archive"] == [1, 1]
    assert [len(shelf.nights.list()) for shelf in memory.shelves()] == [1, 1]
    assert all(one.archived_at for one in memory.memories(state="all"))


def test_every_change_says_by_which_step_it_was_made(memory: Memory, clock: StillClock) -> None:
    """For the way back and for whoever looks."""
    live_in(memory, clock)
    run = memory.consolidate().run

    kept = list(memory.shelf.nights.changes(run))

    told = {one["step"]: one["actions"] for one in memory.runs()[0].report if one["actions"]}
    assert {one.step for one in kept} == told.keys()
    for name, actions in told.items():
        assert {one.action for one in kept if one.step == name} == actions.keys()
