"""Each step of the night by itself, before and after: decay, prune, archive, quarantine, sessions, reindex, health."""

from __future__ import annotations

from datetime import timedelta
from math import log2

import pytest

from experience import Memory, NotFound
from experience.clock import StillClock
from jobs.night import Night
from jobs.steps import archive, decay, health, prune
from tests.nights import contents, step

EVERY = ("decay", "prune", "promote", "archive", "quarantine", "sessions", "reindex", "health")


def weights(memory: Memory) -> list[float]:
    return [float(str(weight)) for (weight,) in memory.store.query("select weight from experiences order by key")]


def changed(memory: Memory, name: str) -> int:
    report = step(memory.consolidate(only=name), name)
    assert report.state in ("done", "skipped"), report.error
    return sum(report.actions.values())


def test_an_experience_decays_to_a_quarter_in_sixty_days(shared: Memory, clock: StillClock) -> None:
    """C140: at the default half-life of 30 days."""
    shared.record("deploy the site", 1)
    clock.advance(days=60)

    shared.consolidate(only="decay")

    assert weights(shared) == pytest.approx([0.25])


def test_thirty_nights_weigh_as_one(memory: Memory, clock: StillClock) -> None:
    """C140: the weight follows from the last use, however often it was computed."""
    memory.record("deploy the site", 1)
    for _ in range(30):
        clock.advance(days=2)
        memory.consolidate(only="decay")

    assert weights(memory) == pytest.approx([0.25])


def test_decay_is_told_once_a_night_however_many_transactions_it_takes(memory: Memory, clock: StillClock) -> None:
    """C140: live indexes are built anew once; when nothing was due they hear nothing."""
    memory.record_many([{"intent": f"task {number}", "solution": 1} for number in range(2 * decay.RANGE + 1)])
    clock.advance(days=30)

    assert changed(memory, "decay") > 0
    clock.advance(hours=1)
    assert changed(memory, "decay") == 0

    assert set(weights(memory)) == {0.5}
    told = memory.events.list(type="experience.decayed")
    assert [event.data.get("key") for event in told] == [None]


def test_decay_leaves_alone_what_was_used_today(memory: Memory, clock: StillClock) -> None:
    """C140."""
    used, idle = memory.record("deploy the site", 1), memory.record("paint the fence", 1)
    clock.advance(days=30)
    memory.mark_used(used.id)

    memory.consolidate(only="decay")

    assert (memory.get(used.id).weight, memory.get(idle.id).weight) == pytest.approx((1.0, 0.5))


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_jumps_by_a_day_harms_no_weight(memory: Memory, clock: StillClock, days: int) -> None:
    """C140: a weight written in what is now the future is computed anew; a second run changes nothing."""
    memory.record("deploy the site", 1)
    clock.advance(days=30)
    memory.consolidate(only="decay")
    clock.advance(days=days)

    memory.consolidate(only="decay")

    assert weights(memory) == pytest.approx([0.5 ** ((30 + days) / 30)])
    assert changed(memory, "decay") == 0


def test_another_half_life_is_in_force_from_the_next_night_on(memory: Memory, clock: StillClock) -> None:
    """C140: also for weights that were written a moment ago."""
    memory.record("deploy the site", 1)
    clock.advance(days=30)
    memory.consolidate(only="decay")
    memory.settings.write("half_life_days", "15")

    memory.consolidate(only="decay")

    assert weights(memory) == pytest.approx([0.25])


def test_prune_takes_what_weighs_less_than_the_least_and_nothing_else(shared: Memory, clock: StillClock) -> None:
    """C141: 60 days weigh exactly a quarter, which is not below a quarter; a day more is."""
    light = shared.record("deploy the site", 1)
    clock.advance(days=1)
    edge = shared.record("deploy the app", 1)
    clock.advance(days=60)
    shared.settings.write("min_weight", "0.25")

    assert changed(shared, "prune") == 1

    assert [one.id for one in shared.list()] == [edge.id]
    assert [hit.id for hit in shared.find("deploy the site")] == [edge.id]
    with pytest.raises(NotFound, match=light.id):
        shared.get(light.id)


def test_prune_keeps_to_a_twentieth(memory: Memory, clock: StillClock) -> None:
    """C141: at the defaults 130.6 days leave 0.049, 129 days leave 0.051."""
    memory.record("deploy the site", 1)
    clock.advance(days=1.6)
    kept = memory.record("deploy the app", 1)
    clock.advance(days=129)

    assert changed(memory, "prune") == 1

    assert [one.id for one in memory.list()] == [kept.id]


def test_a_tombstone_of_what_was_pruned_stays_in_the_log(memory: Memory, clock: StillClock) -> None:
    """C141: with its key, so that live indexes let it go."""
    one = memory.record("deploy the site", 1)
    clock.advance(days=400)

    report = memory.consolidate(only="prune")

    (event,) = memory.events.list(type="experience.pruned")
    assert (event.subject, event.data) == (one.id, {"run": report.run, "key": 1})
    assert memory.verify().whole


def test_a_live_index_no_longer_finds_what_the_night_pruned(memory: Memory, clock: StillClock) -> None:
    """C141: in the same process and at once."""
    memory.record("deploy the site", 1)
    clock.advance(days=400)
    memory.warm()

    memory.consolidate(only="prune")

    assert memory.find("deploy the site") == []


def test_what_was_used_between_the_plan_and_the_deed_is_not_pruned(memory: Memory, clock: StillClock) -> None:
    """C141: live agents go on while the night is at work."""
    one = memory.record("deploy the site", 1)
    clock.advance(days=400)
    night = Night(memory=memory, shelf=memory.shelf, now=clock.now, run="run_test", dry_run=False)
    planned = prune.plan(night)
    memory.mark_used(one.id)

    with memory.store.transaction():
        assert prune.apply(night, planned) == []

    assert memory.get(one.id).use_count == 1


def test_what_was_pruned_a_month_ago_leaves_no_words_behind(memory: Memory, clock: StillClock) -> None:
    """C141: kept for undo for 30 days, then gone; the log keeps its id."""
    memory.record("deploy the site", 1)
    clock.advance(days=400)
    memory.consolidate(only="prune")
    clock.advance(days=30)
    assert changed(memory, "prune") == 0
    clock.advance(days=1)

    assert changed(memory, "prune") == 1

    assert memory.store.query("select count(*) from retired") == [(0,)]


def test_a_faded_memory_is_archived_and_a_fresh_one_is_not(shared: Memory, clock: StillClock) -> None:
    """C178, C184, C185: below 0.1 it is flagged; recall still finds it, no block holds it."""
    stale = shared.learn("The build runs on four cores")
    clock.advance(days=400)
    fresh = shared.learn("The build takes nine minutes")

    assert changed(shared, "archive") == 1

    assert shared.get(stale.id).archived_at == clock.now
    assert shared.get(fresh.id).archived_at is None
    found = {hit.id: hit.memory.archived_at for hit in shared.recall("how does the build run?", touch=False)}
    assert found == {stale.id: clock.now, fresh.id: None}
    assert stale.id not in shared.context("how does the build run on four cores?").items


def test_a_memory_is_archived_below_a_tenth_and_not_at_it(memory: Memory, clock: StillClock) -> None:
    """C159, C178: a fact of 0.9 reaches a tenth after 90 × log2(9) days."""
    one = memory.learn("The build runs on four cores")
    days = 90 * log2(9)
    at = one.accessed_at

    assert archive.stale([one], at + timedelta(days=days - 0.01)) == []
    assert [change.subject for change in archive.stale([one], at + timedelta(days=days + 0.01))] == [one.id]


def test_a_recall_on_day_89_keeps_a_memory_out_of_the_archive(memory: Memory, clock: StillClock) -> None:
    """C180: the clock starts anew, and the recall counts once more."""
    recalled, forgotten = memory.learn("The build runs on four cores"), memory.learn("The mirror is in Oslo")
    clock.advance(days=89)
    memory.recall("on how many cores does the build run?")
    clock.advance(days=250)

    memory.consolidate(only="archive")

    assert memory.get(recalled.id).archived_at is None
    assert memory.get(forgotten.id).archived_at == clock.now


def test_a_memory_that_is_recalled_after_the_plan_is_not_archived(memory: Memory, clock: StillClock) -> None:
    """C180: live agents go on while the night is at work."""
    memory.learn("The build runs on four cores")
    clock.advance(days=400)
    night = Night(memory=memory, shelf=memory.shelf, now=clock.now, run="run_test", dry_run=False)
    planned = archive.plan(night)
    (hit,) = memory.recall("on how many cores does the build run?")

    with memory.store.transaction():
        assert archive.apply(night, planned) == []

    assert [change.subject for change in planned] == [hit.id]
    assert memory.get(hit.id).archived_at is None


def test_the_archive_is_weekly(memory: Memory, clock: StillClock) -> None:
    """C183, schedule: after 6 days not, after 8 days once, a second start on the same day not again."""
    memory.learn("The build runs on four cores")
    clock.advance(days=400)
    assert changed(memory, "archive") == 1
    memory.learn("The mirror is in Oslo")
    memory.store.execute("update memories set accessed_at = '2020-01-01T00:00:00.000000Z', strength = 0")

    clock.advance(days=6)
    assert changed(memory, "archive") == 0
    clock.advance(days=2)
    assert changed(memory, "archive") == 1
    memory.learn("The cellar is dry")
    memory.store.execute("update memories set accessed_at = '2020-01-01T00:00:00.000000Z', strength = 0")
    assert changed(memory, "archive") == 0


def test_a_clock_that_went_back_does_not_put_the_archive_off(memory: Memory, clock: StillClock) -> None:
    """C183: a week is counted from the last time, unless that lies in the future."""
    memory.learn("The build runs on four cores")
    clock.advance(days=500)
    memory.consolidate(only="archive")
    memory.learn("The mirror is in Oslo")
    memory.store.execute("update memories set accessed_at = '2020-01-01T00:00:00.000000Z', strength = 0")
    clock.advance(days=-1)

    assert changed(memory, "archive") == 1


def test_a_verified_outcome_lets_a_memory_of_the_user_out_of_quarantine(memory: Memory, clock: StillClock) -> None:
    """A good outcome that was told before the night counts; it may even have been told of another process."""
    one = memory.learn("The mirror answers slowly", source="tool:probe")
    insert = "insert into outcomes (id, project, subject, score, channel, verified, evidence, created_at) values"
    memory.store.execute(
        f"{insert} ('out_1', ?, ?, 1.0, 'test', 1, 'null', '2026-02-01T00:00:00.000000Z')", memory.project, one.id
    )
    clock.advance(days=60)

    assert changed(memory, "quarantine") == 1

    after = memory.get(one.id)
    assert (after.quarantined_at, after.trust, after.archived_at) == (None, "verified", None)
    assert changed(memory, "quarantine") == 0


@pytest.mark.parametrize(
    ("score", "verified", "at"),
    [(0.2, 1, "2026-02-01"), (1.0, 0, "2026-02-01"), (1.0, 1, "2025-12-31")],
    ids=["a bad one", "its own word", "one from before it was quarantined"],
)
def test_no_other_outcome_does(memory: Memory, clock: StillClock, score: float, verified: int, at: str) -> None:
    one = memory.learn("The mirror answers slowly", source="tool:probe")
    insert = "insert into outcomes (id, project, subject, score, channel, verified, evidence, created_at) values"
    memory.store.execute(
        f"{insert} ('out_1', ?, ?, ?, 'test', ?, 'null', ?)",
        memory.project, one.id, score, verified, f"{at}T00:00:00.000000Z",
    )  # fmt: skip

    assert changed(memory, "quarantine") == 0

    assert memory.get(one.id).quarantined_at == one.quarantined_at


def test_what_nobody_vouches_for_in_a_month_is_put_aside_and_stays_in_quarantine(
    shared: Memory, clock: StillClock
) -> None:
    one = shared.learn("The mirror answers slowly", source="tool:probe")
    clock.advance(days=30)
    assert changed(shared, "quarantine") == 0
    clock.advance(seconds=1)

    assert changed(shared, "quarantine") == 1

    after = shared.get(one.id)
    assert (after.archived_at, after.quarantined_at, after.trust) == (clock.now, one.quarantined_at, "tool")
    assert changed(shared, "quarantine") == 0


def test_a_silent_session_is_put_aside_and_still_searched(shared: Memory, clock: StillClock) -> None:
    shared.observe("The login page is slow on Mondays", session="old")
    clock.advance(days=14)
    shared.observe("The login page is fast today", session="new")
    clock.advance(seconds=1)

    assert changed(shared, "sessions") == 1

    assert shared.shelf.episodic.archived() == {"old": clock.now}
    found = shared.shelf.episodic.search(["mondays", "monday", "login"])
    assert {turn.session for turn in found} == {"old", "new"}
    assert changed(shared, "sessions") == 0


def test_a_session_that_is_spoken_in_again_comes_back(memory: Memory, clock: StillClock) -> None:
    memory.observe("The login page is slow on Mondays", session="old")
    clock.advance(days=15)
    memory.consolidate(only="sessions")

    memory.observe("It is slow on Tuesdays, too", session="old")

    assert memory.shelf.episodic.archived() == {}


def test_the_search_through_turns_stays_within_the_project(memory: Memory) -> None:
    """Another project on the same store is never shown; nothing asked finds nothing."""
    memory.observe("The login page is slow", session="one")
    memory.store.execute("update turns set project = 'another'")

    assert memory.shelf.episodic.search(["login"]) == []
    assert memory.shelf.episodic.search([]) == []


BREAKS = {
    "rows that are not in the index": "insert into experiences_fts (experiences_fts) values ('delete-all')",
    "a wrong count of rows": "update corpora set rows = rows + 1 where name = 'experiences'",
    "a wrong count of terms": "update corpora set terms = 0 where name = 'experiences'",
    "a word that no row holds": "insert into experiences_fts (rowid, terms) values (1, 'ghost')",
}


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS.keys())
def test_an_index_that_lost_touch_with_its_rows_is_made_anew(shared: Memory, broken: str) -> None:
    one = shared.record("deploy the site", 1)
    shared.learn("The build runs on four cores")
    shared.store.execute(broken)
    assert shared.shelf.index("experiences").flaw() is not None

    report = step(shared.consolidate(only="reindex"), "reindex")

    assert report.actions == {"rebuilt": 1}
    assert shared.shelf.index("experiences").flaw() is None
    assert [hit.id for hit in shared.find("deploy the site")] == [one.id]
    assert changed(shared, "reindex") == 0


def test_the_figures_say_how_large_a_store_is_and_how_it_grew(shared: Memory, clock: StillClock) -> None:
    shared.record("deploy the site", 1)
    shared.learn("The build runs on four cores")
    shared.learn("The mirror answers slowly", source="tool:probe")
    shared.consolidate(only="health")
    shared.record("deploy the app", 1)

    found = health.figures(shared.shelf)

    assert (found["rows"]["experiences"], found["rows"]["memories"]) == (2, 2)
    assert found["bytes"] > 4096
    assert found["rates"] == {"archived": 0.0, "quarantined": 0.5, "superseded": 0.0, "folded": 0.0}
    assert found["growth"]["experiences"] == 1
    assert "memories" not in found["growth"]


def test_a_run_keeps_the_figures_of_before_and_after(memory: Memory, clock: StillClock) -> None:
    memory.record("deploy the site", 1)
    clock.advance(days=400)

    memory.consolidate()

    run = memory.runs()[0]
    assert (run.before["rows"]["experiences"], run.after["rows"]["experiences"]) == (1, 0)


@pytest.mark.parametrize("name", EVERY)
def test_an_empty_store_has_no_work(memory: Memory, name: str) -> None:
    before = contents(memory)

    assert changed(memory, name) == 0

    assert contents(memory) == before
