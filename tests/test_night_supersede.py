"""The night lets a newer value replace an older one, and asks a person where that is not sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jobs.night import Night
from jobs.steps import supersede
from tests.test_dedupe import put

if TYPE_CHECKING:
    from experience.clock import StillClock
    from experience.memory import Memory

OLD, NEW = "The port of the billing service is 8080", "The port of the billing service is 9090"


def questions(memory: Memory) -> list[tuple[str, str]]:
    return [(one.subject, one.other) for one in memory.shelf.reviews.list(kind="supersession", limit=1000)]


def told_twice(memory: Memory, clock: StillClock, old: str, new: str, **given: str) -> tuple[str, str]:
    first = put(memory, old)
    clock.advance(hours=1)
    return first, put(memory, new, **given)


def test_the_newer_value_holds_and_the_older_is_kept_as_history(memory: Memory, clock: StillClock) -> None:
    old, new = told_twice(memory, clock, OLD, NEW)

    memory.consolidate(only="supersede")

    was = memory.get(old)
    assert (was.superseded_by, was.valid_to) == (new, clock())
    assert memory.get(new).superseded_by is None
    assert [entry["id"] for entry in memory.history(new)] == [old]


def test_of_many_values_each_is_replaced_by_the_next(memory: Memory, clock: StillClock) -> None:
    ids = []
    for port in (8080, 8081, 8082):
        ids.append(put(memory, f"The port of the billing service is {port}"))
        clock.advance(hours=1)

    memory.consolidate(only="supersede")

    assert [memory.get(id).superseded_by for id in ids] == [ids[1], ids[2], None]


def test_a_source_trusted_less_replaces_nothing_but_is_asked_about(memory: Memory, clock: StillClock) -> None:
    old, new = told_twice(memory, clock, OLD, NEW, source="agent")

    memory.consolidate(only="supersede")

    assert memory.get(old).superseded_by is None
    assert questions(memory) == [(new, old)]


def test_what_nobody_vouches_for_is_not_even_asked_about(memory: Memory, clock: StillClock) -> None:
    """Strangers cannot fill the queue of questions: what they say waits in quarantine."""
    old, _ = told_twice(memory, clock, OLD, NEW, source="web")

    memory.consolidate(only="supersede")

    assert memory.get(old).superseded_by is None
    assert questions(memory) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always squash commits before merging", "Never squash commits before merging"),
        ("Never log request bodies", "Always log request bodies"),
    ],
)
def test_an_order_turned_round_replaces_the_one_before(memory: Memory, clock: StillClock, old: str, new: str) -> None:
    first, second = told_twice(memory, clock, old, new)

    memory.consolidate(only="supersede")

    assert memory.get(first).superseded_by == second


def test_a_value_that_may_stand_beside_the_other_is_asked_about_once(memory: Memory, clock: StillClock) -> None:
    old, new = told_twice(memory, clock, "Maria speaks Spanish", "Maria speaks Portuguese")

    memory.consolidate(only="supersede")
    (question,) = memory.shelf.reviews.list(kind="supersession")
    assert (question.subject, question.other) == (new, old)
    memory.shelf.reviews.decide(question.id, "rejected", "a person", memory.now())
    clock.advance(days=1)

    assert memory.consolidate(only="supersede").changed == 0
    assert questions(memory) == []
    assert memory.get(old).superseded_by is None


def test_a_question_holds_no_words_so_that_forgetting_leaves_none(memory: Memory, clock: StillClock) -> None:
    told_twice(memory, clock, "Maria speaks Spanish", "Maria speaks Portuguese")

    memory.consolidate(only="supersede")

    (question,) = memory.shelf.reviews.list(kind="supersession")
    assert "Maria" not in str(question.detail)
    assert "Spanish" not in str(question.detail)


def test_no_more_than_two_hundred_questions_wait(memory: Memory, clock: StillClock) -> None:
    for number in range(230):
        told_twice(memory, clock, f"Person{number} speaks Spanish", f"Person{number} speaks Portuguese")

    memory.consolidate(only="supersede")

    assert len(questions(memory)) == supersede.OPEN
    assert memory.consolidate(only="supersede").changed == 0


def test_claims_of_other_scopes_are_other_claims(memory: Memory, clock: StillClock) -> None:
    put(memory, OLD, scope="api/**")
    clock.advance(hours=1)
    put(memory, NEW, scope="web/**")

    assert memory.consolidate(only="supersede").changed == 0


def test_statements_that_only_look_alike_are_left(memory: Memory, clock: StillClock) -> None:
    told_twice(memory, clock, OLD, "The port of the shipping service is 9090")
    told_twice(memory, clock, "Fixed the slow import on Monday", "Fixed the slow export on Tuesday")

    assert memory.consolidate(only="supersede").changed == 0


def test_a_dry_run_shows_the_very_changes_and_a_second_run_makes_none(memory: Memory, clock: StillClock) -> None:
    told_twice(memory, clock, OLD, NEW)
    told_twice(memory, clock, "Maria speaks Spanish", "Maria speaks Portuguese")
    plan = memory.consolidate(dry_run=True, only="supersede").changes

    report = memory.consolidate(only="supersede")

    assert tuple(one.replace(key=0) for one in memory.shelf.nights.changes(report.run)) == plan
    assert sorted(one.action for one in plan) == ["asked", "superseded"]
    assert memory.consolidate(only="supersede").changed == 0


def test_undo_makes_the_older_value_hold_again(memory: Memory, clock: StillClock) -> None:
    old, _ = told_twice(memory, clock, OLD, NEW)
    told_twice(memory, clock, "Maria speaks Spanish", "Maria speaks Portuguese")
    before = memory.get(old)

    memory.undo(memory.consolidate(only="supersede").run)

    assert memory.get(old) == before
    assert questions(memory) == []


def test_a_memory_edited_since_the_plan_is_not_replaced(memory: Memory, clock: StillClock) -> None:
    old, _ = told_twice(memory, clock, OLD, NEW)
    night = Night(memory=memory, shelf=memory.shelf, now=memory.now(), run="run_test", dry_run=False)
    plan = supersede.plan(night)
    memory.update(old, content="The billing service was written by Ada")

    with memory.store.transaction():
        made = supersede.apply(night, plan)

    assert (len(plan), made) == (1, [])
    assert memory.get(old).superseded_by is None
