"""Undo: everything a run took away comes back, and nobody's work since is lost to that."""

from __future__ import annotations

from typing import Any

import pytest

from experience import Memory, NotFound
from experience.clock import StillClock
from experience.layers.memories import strength
from experience.layers.nights import Change
from experience.models import Experience
from jobs.night import Night
from jobs.undo import TOGETHER, Undone, back
from tests.nights import assert_sound, contents, live_in


def aged(memory: Memory, clock: StillClock) -> None:
    live_in(memory, clock)
    clock.advance(days=1)


def nightly(memory: Memory, only: str | None = None) -> str:
    report = memory.consolidate(only=only)
    assert report.state == "done"
    return str(report.run)


def telling(rows: dict[str, list[Any]], memory: Memory) -> dict[str, Any]:
    """What undo promises to bring back: rows by their ids, for keys are never given twice."""
    columns = {
        "experiences": "id, type, intent, solution, tags, success_score, use_count, reported_sum, reported_count, "
        "verified_sum, verified_count, trust, source, created_at, last_used_at, terms, length",
        "memories": "*",
        "sessions": "*",
        "links": "*",
        "retired": "*",
        "reviews": "kind, subject, other",
    }
    return {table: sorted(memory.store.query(f"select {names} from {table}")) for table, names in columns.items()}


def one_pruned(memory: Memory, clock: StillClock) -> tuple[Experience, str]:
    one = memory.record("deploy the site", {"run": "make"}, tags=["web"])
    clock.advance(days=400)
    return one, nightly(memory, "prune")


def test_a_whole_night_comes_undone(shared: Memory, clock: StillClock) -> None:
    """Pruned, archived and promoted things come back; the store is sound and says so."""
    aged(shared, clock)
    before = telling(contents(shared), shared)
    run = nightly(shared)
    assert telling(contents(shared), shared) != before

    undone = shared.undo(run)

    assert (undone.kept, undone.lost, undone.left) == (0, 0, ())
    assert undone.restored > 12
    assert telling(contents(shared), shared) == before
    assert_sound(shared)
    assert shared.runs()[0].state == "undone"
    (event,) = shared.events.list(type="job.undone")
    assert (event.subject, event.data["restored"]) == (run, undone.restored)


def test_undoing_twice_is_harmless(memory: Memory, clock: StillClock) -> None:
    aged(memory, clock)
    run = nightly(memory)
    memory.undo(run)
    before, events = contents(memory), memory.events.count()

    assert memory.undo(run) == Undone(run=run, restored=0, kept=0, lost=0, left=())

    assert (contents(memory), memory.events.count()) == (before, events)


def test_a_night_after_an_undone_one_does_its_work_again(memory: Memory, clock: StillClock) -> None:
    """An undo is no veto: what is too light is too light."""
    one, run = one_pruned(memory, clock)
    memory.undo(run)

    again = nightly(memory, "prune")

    assert memory.list() == []
    assert memory.undo(again).restored == 1
    assert memory.get(one.id) == one


def test_an_unknown_run_is_named(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no run with the id 'run_nothing'"):
        memory.undo("run_nothing")


def test_what_was_pruned_is_found_again_at_once_by_every_engine(shared: Memory, clock: StillClock) -> None:
    one, run = one_pruned(shared, clock)
    shared.warm()
    assert shared.find("deploy the site") == []

    assert shared.undo(run).restored == 1

    assert [hit.id for hit in shared.find("deploy the site")] == [one.id]
    assert shared.get(one.id) == one


def test_many_changes_come_back_in_short_transactions(memory: Memory, clock: StillClock) -> None:
    """More than fit into one; each is marked, so that what was interrupted goes on where it stopped."""
    many = 2 * TOGETHER + 1
    ids = memory.record_many([{"intent": f"task {number}", "solution": 1} for number in range(many)])
    clock.advance(days=400)
    run = nightly(memory, "prune")

    assert memory.undo(run).restored == many

    assert {one.id for one in memory.list(limit=1000)} == set(ids)


def test_what_was_erased_since_never_comes_back(memory: Memory, clock: StillClock) -> None:
    """Not even as a trace in the books of the night."""
    stale = memory.learn("The safe is behind the painting")
    clock.advance(days=400)
    run = nightly(memory, "archive")
    memory.forget(stale.id)

    undone = memory.undo(run)

    assert undone.restored == 0
    with pytest.raises(NotFound):
        memory.get(stale.id)
    assert "painting" not in repr(memory.store.query("select * from job_changes")).casefold()


def test_what_was_purged_is_said_to_be_lost(memory: Memory, clock: StillClock) -> None:
    """C141: the words of what was pruned are kept for a month."""
    one, run = one_pruned(memory, clock)
    clock.advance(days=31)
    nightly(memory, "prune")

    undone = memory.undo(run)

    assert (undone.restored, undone.lost, undone.left) == (0, 1, (one.id,))
    assert str(undone) == "0 brought back; 1 are gone for good"


def test_a_memory_somebody_brought_back_already_is_left_alone(memory: Memory, clock: StillClock) -> None:
    stale = memory.learn("The build runs on four cores")
    clock.advance(days=400)
    run = nightly(memory, "archive")
    restored = memory.restore(stale.id)

    undone = memory.undo(run)

    assert (undone.restored, undone.kept, undone.left) == (0, 1, (stale.id,))
    assert memory.get(stale.id) == restored


def test_a_lesson_somebody_edited_or_vouched_for_stays(memory: Memory) -> None:
    for number in range(3):
        memory.episode(f"the deploy stopped, try {number}", "failed", ["deploy"])
    run = nightly(memory, "promote")
    made = memory.memories()[0]
    edited = memory.update(made.id, content="The deploy stops where the disk is full")

    assert memory.undo(run).left == (made.id,)

    assert memory.get(made.id).content == edited.content
    assert memory.shelf.links.sources(made.id) != ()


def test_a_lesson_that_was_recalled_since_is_still_withdrawn(memory: Memory) -> None:
    """To be found is no vote for it."""
    for number in range(3):
        memory.episode(f"the deploy stopped, try {number}", "failed", ["deploy"])
    run = nightly(memory, "promote")
    made = memory.recall("why did the deploy stop?")[0]

    assert memory.undo(run).restored == 1

    with pytest.raises(NotFound):
        memory.get(made.id)
    assert memory.shelf.links.sources(made.id) == ()
    assert memory.recall("why did the deploy stop?") == []


def test_a_source_that_was_added_is_taken_off_again_with_its_own_count_alone(memory: Memory, clock: StillClock) -> None:
    """What recalls added since stays; the strength follows from what is left."""
    for number in range(3):
        memory.episode(f"the deploy stopped, try {number}", "failed", ["deploy"])
    nightly(memory, "promote")
    was = memory.memories()[0]
    memory.episode("the deploy stopped once more", "failed", ["deploy"])
    run = nightly(memory, "promote")
    clock.advance(days=5)
    memory.recall("why did the deploy stop?")
    assert memory.get(was.id).reinforcement_count == 3

    assert memory.undo(run).restored == 1

    after = memory.get(was.id)
    assert (after.reinforcement_count, after.accessed_at) == (2, clock.now)
    assert len(memory.shelf.links.sources(was.id)) == 3
    stored = memory.shelf.memories.columns(was.id, ["strength"])
    assert stored == {"strength": strength(after.type, 2, after.accessed_at)}


def test_an_open_question_is_withdrawn_and_an_answered_one_is_not(memory: Memory, clock: StillClock) -> None:
    for task in ("ship the release", "paint the fence"):
        for _ in range(3):
            memory.record(task, [f"first {task}", "then rest"])
    run = nightly(memory, "promote")
    answered, _ = memory.shelf.reviews.list()
    memory.shelf.reviews.decide(answered.id, "rejected", "ada", clock.now)

    undone = memory.undo(run)

    assert (undone.restored, undone.kept) == (1, 1)
    assert [one.id for one in memory.shelf.reviews.list(state=None)] == [answered.id]


def test_a_session_comes_back_unless_it_was_put_aside_anew(memory: Memory, clock: StillClock) -> None:
    memory.observe("The login page is slow", session="one")
    clock.advance(days=15)
    first = nightly(memory, "sessions")
    memory.observe("Is it still slow?", session="one")
    clock.advance(days=15)
    nightly(memory, "sessions")

    assert (memory.undo(first).kept, memory.shelf.episodic.archived()) == (1, {"one": clock.now})
    assert (memory.undo(memory.runs()[0].id).restored, memory.shelf.episodic.archived()) == (1, {})


def test_a_release_from_quarantine_comes_undone(memory: Memory, clock: StillClock) -> None:
    one = memory.learn("The mirror answers slowly", source="tool:probe")
    memory.shelf.outcomes.insert("out_1", one.id, clock.now, score=1.0, channel="test", verified=True, evidence="null")
    run = nightly(memory, "quarantine")
    assert memory.get(one.id).trust == "verified"

    assert memory.undo(run).restored == 1

    assert memory.get(one.id) == one


def changed(memory: Memory, clock: StillClock, change: Change) -> str:
    """A run that made one change by hand."""
    night = Night(memory=memory, shelf=memory.shelf, now=clock.now, run="run_byhand", dry_run=False)
    memory.shelf.nights.begin(night.run, "night", "test", 1, night.now, {})
    with memory.store.transaction():
        memory.shelf.experiences.change(change.subject, **change.became)
        memory.shelf.nights.keep(night.run, [change])
    memory.shelf.nights.finish(night.run, "done", night.now, [], {})
    return night.run


def test_the_counts_a_fold_added_leave_and_those_of_agents_stay(shared: Memory, clock: StillClock) -> None:
    """Sums are subtracted, whatever was added since; what an agent set since is not overwritten."""
    one = shared.record("deploy the site", 1, success_score=0.5, tags=["web"])
    was = {"use_count": 0, "reported_sum": 0.5, "reported_count": 1, "success_score": 0.5, "tags": '["web"]'}
    became = {
        "use_count": 4,
        "reported_sum": 2.5,
        "reported_count": 3,
        "success_score": 5 / 6,
        "tags": '["web", "app"]',
    }
    run = changed(
        shared, clock, Change(step="x", action="gained", kind="experience", subject=one.id, was=was, became=became)
    )
    shared.outcome(one.id, 1.0, "test")
    shared.mark_used(one.id)

    assert shared.undo(run).restored == 1

    after = shared.get(one.id)
    assert (after.use_count, after.verified_count, after.tags) == (2, 1, ("web",))
    assert after.success_score == pytest.approx((0.5 * 0.5 + 1.0) / 1.5)
    assert_sound(shared)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"use_count": 9, "tags": "b"}, {"use_count": 6, "tags": "a"}),
        ({"use_count": 2, "tags": "c"}, {"use_count": 0}),
        ({"tags": "b"}, {"tags": "a"}),
    ],
    ids=["unchanged", "changed since", "a column that is no more"],
)
def test_counts_lose_what_they_gained_and_the_rest_goes_back_where_it_is_unchanged(
    now: dict[str, Any], expected: dict[str, Any]
) -> None:
    change = Change(
        step="x", action="x", kind="memory", subject="x", was={"use_count": 2, "tags": "a", "scope": None},
        became={"use_count": 5, "tags": "b", "scope": None},
    )  # fmt: skip

    assert back(now, change) == expected


def test_a_count_that_must_not_vanish_does_not() -> None:
    """A memory was said at least once."""
    change = Change(
        step="x", action="x", kind="memory", subject="x", was={"reinforcement_count": 1},
        became={"reinforcement_count": 9},
    )  # fmt: skip

    assert back({"reinforcement_count": 2}, change) == {"reinforcement_count": 1}


def test_the_user_s_own_store_has_its_own_way_back(memory: Memory, clock: StillClock) -> None:
    stale = memory.learn("I like tea", "preference", reach="user")
    clock.advance(days=400)
    memory.consolidate(only="archive")
    own = memory.shelves()[1]
    run = own.nights.list()[0].id

    assert memory.get(stale.id).archived_at is not None
    assert memory.undo(run).restored == 1

    assert memory.get(stale.id).archived_at is None
