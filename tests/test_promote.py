"""Promotion: what happened three times becomes one memory, what worked three times is proposed as a procedure."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from experience import Memory, MemoryItem
from experience.clock import StillClock
from jobs.night import Night
from jobs.steps import promote
from tests.nights import contents, step


def happen(memory: Memory, times: int, *, first: int = 0, **given: object) -> list[str]:
    """Episodes that share a tag and an outcome."""
    fields = {"outcome": "failed: timeout", "tags": ["deploy"], **given}
    events = [f"the deploy to zone {'abcdefgh'[number]} stopped" for number in range(first, first + times)]
    return [memory.episode(event, **fields).id for event in events]  # type: ignore[arg-type]


def night(memory: Memory) -> dict[str, int]:
    report = step(memory.consolidate(only="promote"), "promote")
    assert (report.state, report.error) == ("done", None)
    return report.actions


def made(memory: Memory) -> list[MemoryItem]:
    return memory.memories(state="all")


def test_two_alike_are_not_enough_and_three_become_one_memory(shared: Memory) -> None:
    """C179: n-1 no; n one memory with links to its sources, made of their own words."""
    sources = happen(shared, 2)
    assert night(shared) == {}
    sources += happen(shared, 1, first=2)

    assert night(shared) == {"promoted": 1}

    (one,) = made(shared)
    assert one.content == "the deploy to zone a stopped (again and again: deploy → failed: timeout)"
    assert (one.type, one.priority, one.tags, one.trust) == ("pitfall", "high", ("deploy",), "agent")
    assert set(shared.shelf.links.sources(one.id)) == set(sources)
    assert [hit.id for hit in shared.recall("why did the deploy to the zone stop?")] == [one.id]
    assert night(shared) == {}


def test_a_fourth_is_linked_and_reinforces_instead_of_making_a_second(shared: Memory, clock: StillClock) -> None:
    """C179: n+1 updates the links."""
    happen(shared, 3)
    night(shared)
    clock.advance(days=10)
    late = happen(shared, 1, first=3)
    clock.advance(days=1)

    assert night(shared) == {"linked": 1}

    (one,) = made(shared)
    assert set(late) < set(shared.shelf.links.sources(one.id))
    assert len(shared.shelf.links.sources(one.id)) == 4
    assert one.reinforcement_count == 2
    assert one.accessed_at == shared.get(late[0]).created_at
    assert night(shared) == {}


def test_typing_does_not_tell_tags_and_outcomes_apart(memory: Memory) -> None:
    """C179."""
    happen(memory, 1, tags=["Deploy"], outcome="Failed:  timeout.")
    happen(memory, 1, first=1, tags=["deploy", "night"])
    happen(memory, 1, first=2, tags=["DEPLOY"], outcome="failed: TIMEOUT")

    assert night(memory) == {"promoted": 1}

    assert made(memory)[0].tags == ("Deploy",)


@pytest.mark.parametrize(
    "others",
    [{"tags": ["test"]}, {"outcome": "done"}, {"outcome": None}, {"tags": []}],
    ids=["another tag", "another outcome", "no outcome", "no tag"],
)
def test_what_shares_only_one_of_the_two_does_not_count(memory: Memory, others: dict[str, object]) -> None:
    """C179."""
    happen(memory, 2)
    happen(memory, 1, first=2, **others)

    assert night(memory) == {}


def test_two_tags_in_common_make_one_memory_not_two(memory: Memory) -> None:
    """C179: it carries every tag they share."""
    happen(memory, 3, tags=["deploy", "zone"])

    assert night(memory) == {"promoted": 1}

    assert made(memory)[0].tags == ("deploy", "zone")
    happen(memory, 1, first=3, tags=["zone"])
    assert "promoted" not in night(memory)


def test_two_outcomes_of_one_tag_are_two_lessons(memory: Memory) -> None:
    """C179."""
    happen(memory, 3)
    happen(memory, 3, first=3, outcome="done in nine minutes")

    assert night(memory) == {"promoted": 2}

    assert {one.type for one in made(memory)} == {"pitfall", "workflow"}


@pytest.mark.parametrize(
    ("outcome", "type"),
    [
        ("failed", "pitfall"), ("error 500", "pitfall"), ("timed out", "pitfall"), ("did not work", "pitfall"),
        ("couldn't connect", "pitfall"), ("unsuccessful", "pitfall"), ("rolled back", "pitfall"),
        ("not ok", "pitfall"), ("failed after two errors", "pitfall"), ("worked after three failures", "workflow"),
        ("success", "workflow"),
        ("all tests passed", "workflow"), ("it worked", "workflow"), ("finished without errors", "workflow"),
        ("0 failures", "workflow"), ("no test failures", "workflow"), ("deployed", "workflow"), ("fixed", "workflow"),
        ("moved to Thursday", "fact"), ("42", "fact"),
    ],
)  # fmt: skip
def test_a_failure_teaches_a_pitfall_a_success_a_workflow_the_rest_a_fact(outcome: str, type: str) -> None:
    assert promote.type_of(outcome) == type


def test_the_lowest_trust_of_the_sources_wins(shared: Memory) -> None:
    """What only a tool saw is learned, but not injected until somebody vouches for it."""
    happen(shared, 2)
    happen(shared, 1, first=2, source="tool:ci")

    assert night(shared) == {"promoted": 1}

    (one,) = made(shared)
    assert (one.trust, one.quarantined_at is not None) == ("tool", True)
    assert one.id not in shared.context("why did the deploy to the zone stop?").items


def test_an_untrusted_source_pulls_no_lesson_of_others_down(memory: Memory) -> None:
    """Three that an agent saw are enough: what the web added is neither needed nor linked, nor does it reinforce."""
    own = happen(memory, 3)
    happen(memory, 2, first=3, source="web")

    assert night(memory) == {"promoted": 1}

    (one,) = made(memory)
    assert (one.trust, one.quarantined_at) == ("agent", None)
    assert set(memory.shelf.links.sources(one.id)) == set(own)
    happen(memory, 1, first=5, source="web")
    assert night(memory) == {}


def test_what_a_person_forgot_is_not_made_again(memory: Memory) -> None:
    happen(memory, 3)
    night(memory)
    memory.forget(made(memory)[0].id)
    happen(memory, 3, first=3)

    assert night(memory) == {}


def test_episodes_that_are_gone_by_then_make_no_memory(memory: Memory, clock: StillClock) -> None:
    """Between the plan and the deed."""
    sources = happen(memory, 3)
    tonight = Night(memory=memory, shelf=memory.shelf, now=clock.now, run="run_test", dry_run=False)
    planned = promote.plan(tonight)
    memory.shelf.episodes.delete(sources[0])

    with memory.store.transaction():
        assert promote.apply(tonight, planned) == []

    assert made(memory) == []


def test_a_plan_that_is_applied_twice_makes_one_memory(memory: Memory, clock: StillClock) -> None:
    happen(memory, 3)
    tonight = Night(memory=memory, shelf=memory.shelf, now=clock.now, run="run_test", dry_run=False)
    planned = promote.plan(tonight)

    for expected in (1, 0):
        with memory.store.transaction():
            assert len(promote.apply(tonight, planned)) == expected

    assert len(made(memory)) == 1


def test_a_very_long_episode_becomes_a_memory_of_some_length(memory: Memory) -> None:
    for number in range(3):
        memory.episode(f"{number} the pipeline broke " + "and it broke again " * 900, "failed", ["ci"])

    assert night(memory) == {"promoted": 1}

    assert 900 < len(made(memory)[0].content) < 1100


def test_two_projects_on_one_store_learn_the_same_lesson_each_for_itself(
    tmp_path_factory: pytest.TempPathFactory, clock: StillClock, start_server: Iterable[object]
) -> None:
    """A team's server: neither sees the other's memory, and neither is in the other's way."""
    import experience

    url = start_server().url  # type: ignore[operator]
    for name in ("left", "right"):
        with experience.open(tmp_path_factory.mktemp(name) / name, url=url, clock=clock) as memory:
            happen(memory, 3)
            assert night(memory) == {"promoted": 1}
            assert len(made(memory)) == 1


def work(memory: Memory, times: int, **given: object) -> list[str]:
    fields = {"intent": "ship the release", "solution": ["tag it", "push it"], **given}
    return [memory.record(**fields).id for _ in range(times)]  # type: ignore[arg-type]


def test_what_worked_three_times_is_proposed_as_a_procedure_and_is_none_yet(shared: Memory) -> None:
    ids = work(shared, 2)
    assert night(shared) == {}
    ids += work(shared, 1, intent="Ship the release!")

    assert night(shared) == {"proposed": 1}

    (asked,) = shared.shelf.reviews.list(kind="promotion")
    assert asked.detail["steps"] == ["tag it", "push it"]
    assert asked.detail["name"] == "ship the release"
    assert (asked.detail["times"], set(asked.detail["experiences"])) == (3, set(ids))
    assert shared.shelf.procedures.list() == []
    assert night(shared) == {}


@pytest.mark.parametrize(
    "third",
    [{"solution": ["push it"]}, {"success_score": 0.69}, {"intent": "ship the other release"}],
    ids=["done another way", "did not work", "another intent"],
)
def test_what_differs_in_one_of_them_does_not_count(memory: Memory, third: dict[str, object]) -> None:
    work(memory, 2)
    work(memory, 1, **third)

    assert night(memory) == {}


def test_the_same_tools_in_the_same_order_are_the_same_way(memory: Memory) -> None:
    """Whatever they were called with."""
    for number in range(3):
        chain = [{"tool": "fetch", "args": {"page": number}}, {"tool": "parse"}]
        memory.record("read the price list", chain, type="tool_chain")

    assert night(memory) == {"proposed": 1}

    assert memory.shelf.reviews.list()[0].detail["steps"] == ["fetch", "parse"]


@pytest.mark.parametrize("solution", ["x" * 1001, ["step"] * 101, [""]], ids=["too long", "too many steps", "nothing"])
def test_what_nobody_could_follow_step_by_step_is_not_proposed(memory: Memory, solution: object) -> None:
    work(memory, 3, solution=solution)

    assert night(memory) == {}


def test_what_is_proposed_can_be_approved(shared: Memory) -> None:
    work(shared, 3)
    night(shared)

    shared.decide(shared.shelf.reviews.list()[0].id, approve=True, by="ada")

    (made,) = shared.shelf.procedures.list()
    assert (made.name, made.steps) == ("ship the release", ("tag it", "push it"))
    assert night(shared) == {}


def test_an_answered_question_is_not_put_again(memory: Memory, clock: StillClock) -> None:
    work(memory, 3)
    night(memory)
    memory.shelf.reviews.decide(memory.shelf.reviews.list()[0].id, "rejected", "ada", clock.now)
    work(memory, 5)

    assert night(memory) == {}


def test_an_experience_that_stands_for_others_counts_for_them(memory: Memory) -> None:
    """One that was folded out of several was recorded as often: its reports were summed."""
    one = work(memory, 1)[0]
    memory.outcome(one, 1.0, "test")
    assert night(memory) == {}
    memory.outcome(one, 1.0, "user")

    assert night(memory) == {"proposed": 1}


def test_a_look_ahead_at_promotions_changes_nothing_and_comes_true(memory: Memory) -> None:
    happen(memory, 3)
    work(memory, 3)
    before = contents(memory)

    planned = memory.consolidate(dry_run=True, only="promote").changes

    assert contents(memory) == before
    memory.consolidate(only="promote")
    done = memory.shelf.nights.changes(memory.runs()[0].id)
    assert [(one.action, one.subject, one.was, one.became) for one in done] == [
        (one.action, one.subject, one.was, one.became) for one in planned
    ]
