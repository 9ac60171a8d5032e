"""The night folds what says the same into the copy that has proven itself most, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience import globs
from experience.desks.intake import Intake
from experience.errors import NotFound
from jobs import copies
from jobs.night import Night
from jobs.steps import dedupe

if TYPE_CHECKING:
    from experience.clock import StillClock
    from experience.memory import Memory
    from experience.models import MemoryItem

RULE = "Always run the formatter before every commit"


def put(memory: Memory, content: str, **given: object) -> str:
    """A memory stored as an import or an older version did: nobody looked whether it was there already."""
    new = memory._desks.memories.checked(Intake(), content=content, **given)
    memory.shelf.memories.insert(new, memory.now())
    return new.id


def night(memory: Memory) -> Night:
    return Night(memory=memory, shelf=memory.shelf, now=memory.now(), run="run_test", dry_run=False)


def test_equal_memories_become_one_and_their_reinforcement_is_summed(memory: Memory, clock: StillClock) -> None:
    """C177: equal but for case and space."""
    first = put(memory, RULE)
    clock.advance(days=2)
    second = put(memory, f"  {RULE.upper()} ")
    memory.recall(RULE, limit=1)

    memory.consolidate(only="dedupe")

    kept, gone = sorted((memory.get(first), memory.get(second)), key=lambda one: one.folded_into is not None)
    assert gone.folded_into == kept.id
    assert kept.reinforcement_count == 3
    assert kept.accessed_at == clock()


def test_the_copy_proven_most_stays_and_of_equals_the_oldest(memory: Memory, clock: StillClock) -> None:
    """C177"""
    oldest = put(memory, RULE)
    clock.advance(days=1)
    younger = put(memory, f"{RULE}!")
    memory.consolidate(only="dedupe")
    assert memory.get(younger).folded_into == oldest

    weak = put(memory, "Tests may never sleep for a fixed time")
    strong = put(memory, "tests may never sleep for a fixed time.")
    memory.shelf.memories.change(strong, reinforcement_count=5)
    memory.consolidate(only="dedupe")
    assert memory.get(weak).folded_into == strong


def test_a_folded_memory_keeps_its_words_and_its_lineage(memory: Memory) -> None:
    """C177"""
    keeper, copy = put(memory, RULE), put(memory, f"- **{RULE}**")

    memory.consolidate(only="dedupe")

    assert memory.get(copy).content == f"- **{RULE}**"
    assert memory.shelf.links.sources(keeper) == (copy,)
    assert [event.data["into"] for event in memory.events.list(type="memory.folded", subject=copy)] == [keeper]


def test_tags_and_scopes_are_united_and_found_again(memory: Memory) -> None:
    """C177"""
    keeper = put(memory, RULE, tags=["style"], scope="src/**/*.py")
    put(memory, f"{RULE}.", tags=["habits", "style"], scope="tests/*.py")

    memory.consolidate(only="dedupe")

    kept = memory.get(keeper)
    assert kept.tags == ("style", "habits")
    assert (
        [one.id for one in memory.scoped("src/a/b.py")] == [one.id for one in memory.scoped("tests/x.py")] == [keeper]
    )
    assert memory.scoped("docs/x.py") == []
    assert [hit.id for hit in memory.recall("habits", touch=False)] == [keeper]


def test_the_more_pressing_priority_wins(memory: Memory) -> None:
    """C177"""
    keeper = put(memory, RULE, type="fact")
    put(memory, f"{RULE}.", type="policy")

    memory.consolidate(only="dedupe")

    kept = memory.get(keeper)
    assert (kept.type, kept.priority) == ("policy", "critical")


def test_scopes_that_no_glob_unites_stay_apart(memory: Memory) -> None:
    """C177"""
    one, other = put(memory, RULE, scope="Makefile"), put(memory, RULE, scope="src/**/*.py")

    memory.consolidate(only="dedupe")

    assert memory.get(one).folded_into is memory.get(other).folded_into is None


@given(st.lists(st.sampled_from(["src/**/*.py", "tests/*.py", "a/**", "docs/*/x.md"]), min_size=2, max_size=2))
def test_a_united_scope_covers_what_either_covers_and_no_more(scopes: list[str]) -> None:
    """C177"""
    united = copies.united_scope(*scopes)
    assert united
    for path in ("src/x.py", "src/a/x.py", "tests/x.py", "tests/a/x.py", "a", "a/b/c", "docs/q/x.md", "x.py"):
        assert globs.matches(united, path) == any(globs.matches(scope, path) for scope in scopes)
    assert copies.united_scope(united, scopes[0]) == united


def test_memories_of_the_user_and_of_the_project_stay_apart(memory: Memory) -> None:
    """C177"""
    memory.learn(RULE, reach="user")
    memory.learn(RULE)

    assert memory.consolidate(only="dedupe").changed == 0


def test_a_strangers_copy_neither_weakens_nor_strengthens_a_policy(memory: Memory) -> None:
    """C177: nobody can use a copy to change what somebody trusted more has said."""
    policy = put(memory, RULE, type="policy", source="user")
    copy = put(memory, RULE, type="fact", source="tool:web", tags=["planted"], scope="src/*.py")
    before = memory.get(policy)

    memory.consolidate(only="dedupe")

    assert memory.get(policy) == before
    assert memory.get(copy).folded_into == policy
    assert memory.get(copy).quarantined_at is not None
    assert memory.shelf.links.sources(policy) == ()


def test_copies_in_quarantine_stay_there_and_the_lowest_trust_holds(memory: Memory) -> None:
    """C177"""
    tool = put(memory, RULE, source="tool:lint")
    stranger = put(memory, RULE, source="web")

    memory.consolidate(only="dedupe")

    assert memory.get(stranger).folded_into == tool
    kept = memory.get(tool)
    assert (kept.trust, kept.reinforcement_count) == ("tool", 1)
    assert kept.quarantined_at is not None


def test_a_copy_trusted_more_is_not_folded_into_one_trusted_less(memory: Memory) -> None:
    """C177: a statement of the user's that waits in quarantine does not vanish behind an agent's."""
    agent = put(memory, RULE, source="agent")
    user = put(memory, RULE, source="user", quarantine=True)

    memory.consolidate(only="dedupe")

    assert memory.get(user).folded_into is memory.get(agent).folded_into is None


def test_experiences_of_one_intent_and_one_solution_fold(memory: Memory, clock: StillClock) -> None:
    """C177"""
    first = memory.record(intent="fix the flaky login test", solution={"wait": 2, "retry": True}, tags=["ci"])
    clock.advance(days=3)
    second = memory.record(intent="Fix the flaky login test.", solution={"retry": True, "wait": 2}, tags=["auth"])
    memory.mark_used(first.id)
    memory.outcome(second.id, 0.5, channel="test")

    memory.consolidate(only="dedupe")

    kept, gone = memory.get(second.id), memory.get(first.id)
    assert gone.folded_into == kept.id
    assert (kept.use_count, kept.verified_count, kept.tags) == (2, 1, ("auth", "ci"))
    assert kept.success_score == pytest.approx((0.5 * 1.0 + 0.5) / 1.5)
    assert kept.last_used_at == clock()
    assert [hit.id for hit in memory.find("flaky login test")] == [kept.id]


def test_another_solution_is_another_experience(memory: Memory) -> None:
    """C177"""
    for solution in ({"wait": 2}, {"wait": 3}, "wait 2"):
        memory.record(intent="fix the flaky login test", solution=solution)

    assert memory.consolidate(only="dedupe").changed == 0


def test_an_experience_trusted_less_gives_only_what_others_proved(memory: Memory) -> None:
    """C177"""
    kept = memory.record(intent="fix the flaky login test", solution=1)
    memory.record_many(
        [
            {
                "intent": "fix the flaky login test",
                "solution": 1,
                "source": "web",
                "tags": ["planted"],
                "success_score": 0,
            }
        ]
    )

    memory.consolidate(only="dedupe")

    assert memory.get(kept.id) == kept
    assert memory.stats()["experiences"] == 1


def test_a_dry_run_shows_the_very_changes_and_a_second_run_makes_none(memory: Memory) -> None:
    """C177"""
    for number in range(3):
        for text in (RULE, f"{RULE}!", f"> {RULE}"):
            put(memory, f"{text.replace('formatter', f'formatter{number}')}")
    memory.record_many([{"intent": "build the docs", "solution": {}}] * 4)
    plan = memory.consolidate(dry_run=True, only="dedupe").changes

    report = memory.consolidate(only="dedupe")

    assert tuple(one.replace(key=0) for one in memory.shelf.nights.changes(report.run)) == plan
    assert memory.consolidate(only="dedupe").changed == 0


def test_undo_brings_every_copy_back_as_it_was(memory: Memory) -> None:
    """C177"""
    ids = [put(memory, RULE, tags=["a"]), put(memory, f"{RULE}!", tags=["b"], type="policy")]
    ids += memory.record_many([{"intent": "build the docs", "solution": {}, "tags": [tag]} for tag in "xy"])
    before = [memory.get(id) for id in ids]

    run = memory.consolidate(only="dedupe").run
    assert [memory.get(id) for id in ids] != before
    memory.undo(run)

    assert [memory.get(id) for id in ids] == before
    assert memory.shelf.links.sources(ids[0]) == ()


def test_what_was_edited_or_forgotten_since_the_plan_is_left_alone(memory: Memory) -> None:
    """C177: agents go on working while the night plans."""
    keeper, edited, forgotten = put(memory, RULE), put(memory, f"{RULE}!"), put(memory, f"> {RULE}")
    plan = dedupe.plan(night(memory))
    memory.update(edited, content="Something else altogether")
    memory.forget(forgotten)

    with memory.store.transaction():
        made = dedupe.apply(night(memory), plan)

    assert made == []
    assert memory.get(edited).folded_into is None
    assert memory.get(keeper).reinforcement_count == 1
    with pytest.raises(NotFound):
        memory.get(forgotten)


def test_a_night_that_was_stopped_is_finished_by_the_next_and_nothing_counts_twice(memory: Memory) -> None:
    """C177: three hundred copies of one statement, folded in several transactions."""
    with memory.store.transaction():
        ids = [put(memory, RULE) for _ in range(300)]
        record = [{"intent": "build the docs", "solution": {}}] * 300
        trials = memory.record_many(record)
    asked = iter([False, False, True])

    stopped = memory.consolidate(only="dedupe", stop=lambda: next(asked))
    memory.consolidate(only="dedupe")

    assert (stopped.state, stopped.changed > 0) == ("stopped", True)
    assert memory.get(ids[0]).reinforcement_count == 300
    assert {memory.get(id).folded_into for id in ids[1:]} == {ids[0]}
    assert memory.shelf.experiences.tally(trials[0]).reported_count == 300
    assert {memory.get(id).folded_into for id in trials[1:]} == {trials[0]}
    assert memory.events.verify().whole


def test_a_store_on_a_server_is_folded_like_a_file(shared: Memory) -> None:
    """C177"""
    first, second = put(shared, RULE, tags=["a"]), put(shared, f"{RULE}!", tags=["b"])
    trials = shared.record_many([{"intent": "build the docs", "solution": {}}] * 2)

    report = shared.consolidate(only="dedupe")

    assert report.state == "done"
    assert shared.get(second).folded_into == first
    assert shared.get(first).tags == ("a", "b")
    assert shared.get(trials[1]).folded_into == trials[0]


def test_the_shelf_of_the_user_is_folded_too(memory: Memory) -> None:
    """C177"""
    first = memory.learn(RULE, reach="user").id
    own = memory.shelves()[1]
    new = memory._desks.memories.checked(Intake(), content=f"{RULE}!", reach="user")
    own.memories.insert(new, memory.now())

    memory.consolidate(only="dedupe")

    assert memory.get(new.id).folded_into == first


def test_what_pointed_at_a_copy_points_at_the_one_that_stays(memory: Memory, clock: StillClock) -> None:
    """C177: a chain of folds has one step, however many nights it took."""
    first, second = put(memory, RULE), put(memory, f"{RULE}!")
    memory.consolidate(only="dedupe")
    third = put(memory, f"> {RULE}")
    memory.shelf.memories.change(third, reinforcement_count=9)
    memory.consolidate(only="dedupe")

    def ends() -> list[str | None]:
        found: list[MemoryItem] = [memory.get(id) for id in (first, second, third)]
        return [one.folded_into for one in found]

    assert ends() == [third, third, None]
    assert memory.get(third).reinforcement_count == 11
