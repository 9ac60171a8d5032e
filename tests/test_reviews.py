"""What waits for a person: each question is answered once, and the answer is carried out."""

from __future__ import annotations

import pytest

import experience
from experience.clock import StillClock
from experience.errors import Conflict, NotFound


def a_question(memory: experience.Memory, kind: str, subject: str, other: str = "", **detail: object) -> str:
    with memory.store.transaction():
        asked = memory.shelf.reviews.ask(kind, subject, other, detail, memory.now())
    assert asked is not None
    return asked


def test_a_question_is_asked_once_whatever_the_answer(shared: experience.Memory) -> None:
    one = shared.learn("Logs are kept for thirty days")
    id = a_question(shared, "quarantine", one.id)
    shared.decide(id, approve=False, by="ana")

    assert shared.shelf.reviews.ask("quarantine", one.id, "", {}, shared.now()) is None


def test_of_two_rivals_the_newer_holds_once_a_person_says_so(shared: experience.Memory, clock: StillClock) -> None:
    old = shared.learn("Ana likes the blue theme of the editor")
    clock.advance(days=1)
    new = shared.learn("Ana likes the green theme of the editor")
    id = a_question(shared, "supersession", new.id, old.id)

    assert [one.id for one in shared.reviews()] == [id]
    assert shared.decide(id, approve=True, by="ana").state == "approved"

    assert shared.get(old.id).superseded_by == new.id
    assert shared.reviews() == []


def test_a_rejected_rival_changes_nothing(shared: experience.Memory) -> None:
    old, new = shared.learn("We deploy with Fabric"), shared.learn("Tuesdays are for planning meetings")
    id = a_question(shared, "supersession", new.id, old.id)

    shared.decide(id, approve=False, by="ana")

    assert shared.get(old.id).superseded_by is None


def test_who_decides_second_is_told(shared: experience.Memory) -> None:
    old, new = shared.learn("We deploy with Fabric"), shared.learn("Tuesdays are for planning meetings")
    id = a_question(shared, "supersession", new.id, old.id)
    shared.decide(id, approve=False, by="ana")

    with pytest.raises(Conflict, match="rejected already by ana"):
        shared.decide(id, approve=True, by="ben")

    assert shared.get(old.id).superseded_by is None


def test_every_decision_is_an_event_with_who_and_when(shared: experience.Memory, clock: StillClock) -> None:
    held = shared.learn("Run the migration twice", source="tool")
    clock.advance(hours=2)

    shared.decide(held.id, approve=True, by="ana")

    event = shared.events.list(type="memory.reviewed")[-1]
    assert (event.actor, event.at, event.data["decision"]) == ("ana", clock.now, "approved")


def test_an_approved_candidate_may_be_injected_from_now_on(shared: experience.Memory) -> None:
    held = shared.learn("Run the migration twice before a release", source="tool")
    assert held.id not in shared.context("how to run the migration").items

    shared.decide(held.id, approve=True, by="ana")

    assert shared.get(held.id).trust == "user"
    assert held.id in shared.context("how to run the migration").items


def test_a_rejected_candidate_never_is(shared: experience.Memory) -> None:
    held = shared.learn("Run the migration twice before a release", source="tool")

    shared.decide(held.id, approve=False, by="ana")

    assert shared.get(held.id).archived_at is not None
    assert held.id not in shared.context("how to run the migration").items


def test_a_memory_that_is_not_held_back_cannot_be_decided(shared: experience.Memory) -> None:
    free = shared.learn("Logs are kept for thirty days")

    with pytest.raises(Conflict, match="not in quarantine"):
        shared.decide(free.id, approve=True, by="ana")


def test_an_approved_promotion_becomes_a_procedure(shared: experience.Memory) -> None:
    tried = [shared.record("release the library", ["run the tests", "tag", "push"]) for _ in range(4)]
    shared.consolidate(only="promote")
    (asked,) = shared.reviews()

    shared.decide(asked.id, approve=True, by="ana")

    (made,) = shared.shelf.procedures.list()
    assert made.steps == ("run the tests", "tag", "push")
    assert asked.subject in [one.id for one in tried]


def test_an_unknown_review_is_not_found(shared: experience.Memory) -> None:
    with pytest.raises(NotFound, match="rev_nothing"):
        shared.decide("rev_nothing", approve=True, by="ana")
