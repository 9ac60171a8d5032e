"""Episodes and procedures: what happened with its outcome and tags, and how things are done, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from experience import InvalidInput, Memory, NotFound, StillClock

LONE = "\ud800"
BAD_EPISODES: list[tuple[dict[str, Any], str]] = [
    ({"event": ""}, "event is empty"), ({"event": None}, "event must be text, not NoneType"),
    ({"event": "x" * 1_000_000}, "event has 1,000,000 characters; at most 20,000"),
    ({"event": "a\0"}, "event contains a NUL"), ({"event": LONE}, "event contains a lone surrogate"),
    ({"outcome": ""}, "outcome is empty"),
    ({"outcome": 1}, "outcome must be text, not int"), ({"outcome": "x" * 201}, "outcome has 201 characters"),
    ({"tags": "ops"}, "tags must be a list of words"), ({"tags": ["x"] * 2 + [""]}, "tags is empty"),
    ({"tags": [f"t{n}" for n in range(10_000)]}, "tags has 10,000 entries"), ({"source": " "}, "source is empty"),
    ({"session": 5}, "session must be text, not int"), ({"session": LONE}, "session contains a lone surrogate"),
]  # fmt: skip
BAD_PROCEDURES: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name is empty"), ({"name": 5}, "name must be text"),
    ({"name": "x" * 201}, "name has 201 characters"),
    ({"steps": []}, "steps must be a list with at least one step"), ({"steps": "tag"}, "steps must be a list"),
    ({"steps": None}, "steps must be a list"), ({"steps": {"a": 1}}, "steps must be a list"),
    ({"steps": ["tag", 5]}, r"steps\[1\] must be text, not int"), ({"steps": ["tag", " "]}, r"steps\[1\] is empty"),
    ({"steps": ["a\0"]}, r"steps\[0\] contains a NUL"), ({"steps": ["x"] * 101}, "steps has 101 entries; at most 100"),
    ({"steps": ["x" * 1001]}, r"steps\[0\] has 1,001 characters"), ({"context": 5}, "context must be text"),
    ({"context": LONE}, "context contains a lone surrogate"), ({"source": ""}, "source is empty"),
]  # fmt: skip


def ids(found: list[Any]) -> list[str]:
    return [one.id for one in found]


def test_an_episode_is_kept_with_its_outcome_and_tags(shared: Memory, clock: StillClock) -> None:
    """C145, C174: round trip."""
    one = shared.episode(" the deploy hung at 90 % ", "failure", ["deploy", "ops"], session="s1", source="tool:ci")
    bare = shared.episode("lunch")

    assert shared.get(one.id) == one
    assert (one.event, one.outcome, one.tags) == ("the deploy hung at 90 %", "failure", ("deploy", "ops"))
    assert (one.session, one.trust, one.source, one.created_at) == ("s1", "tool", "tool:ci", clock())
    assert (bare.outcome, bare.tags, bare.session, bare.trust) == (None, (), None, "agent")
    assert [event.subject for event in shared.events.list(type="memory.episode_recorded")] == [one.id, bare.id]


def test_episodes_are_searched_by_tag_outcome_and_words(shared: Memory, clock: StillClock) -> None:
    """C174: alone and together; without words the newest first."""
    first = shared.episode("the deploy hung", "failure", ["deploy", "night"])
    clock.advance(hours=1)
    second = shared.episode("the deploy went through", "success", ["deploy"])
    clock.advance(hours=1)
    third = shared.episode("lint failed on the laptop", "failure", ["lint"])

    assert ids(shared.episodes()) == [third.id, second.id, first.id]
    assert ids(shared.episodes(tag="deploy")) == [second.id, first.id]
    assert ids(shared.episodes(outcome="failure")) == [third.id, first.id]
    assert ids(shared.episodes(tag="deploy", outcome="failure")) == [first.id]
    assert ids(shared.episodes(tag="dep")) == []
    assert ids(shared.episodes("deploy hung")) == [first.id, second.id]
    assert ids(shared.episodes("deploy", outcome="success")) == [second.id]
    assert ids(shared.episodes("deploy", tag="night")) == [first.id]
    assert ids(shared.episodes("night")) == [first.id]
    assert shared.episodes("nothing of the kind") == []
    assert ids(shared.episodes(limit=1)) == [third.id]


def test_a_tag_is_found_behind_many_others(memory: Memory) -> None:
    """C174: a filter is no second guess: the limit counts what passed it."""
    rare = memory.episode("the deploy hung once", "failure", ["rare"])
    for number in range(120):
        memory.episode(f"deploy deploy deploy {number}", "success", ["common"])

    assert ids(memory.episodes("deploy", tag="rare", limit=5)) == [rare.id]
    assert ids(memory.episodes("deploy", outcome="failure", limit=1)) == [rare.id]
    assert len(memory.episodes("deploy", limit=7)) == 7


@pytest.mark.parametrize(("fields", "message"), BAD_EPISODES)
def test_a_bad_episode_is_refused_by_its_field(memory: Memory, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        memory.episode(**{"event": "the deploy hung", **fields})

    assert (memory.episodes(), memory.events.count()) == ([], 0)


@pytest.mark.parametrize(
    ("asked", "message"),
    [({"query": 5}, "query must be text"), ({"tag": []}, "tag must be text, not list"),
     ({"outcome": 1}, "outcome must be text, not int"), ({"limit": 0}, "limit must be a whole number from 1 to 1,000")],
)  # fmt: skip
def test_a_bad_question_is_refused_by_its_field(memory: Memory, asked: dict[str, Any], message: str) -> None:
    memory.episode("the deploy hung")
    with pytest.raises(InvalidInput, match=f"^{message}"):
        memory.episodes(**asked)


def test_a_procedure_keeps_its_steps_in_order(shared: Memory, clock: StillClock) -> None:
    """C145, C175: by id and by name."""
    steps = ["run the tests", "tag", "push", "tag"]
    one = shared.procedure("release", steps, "when the milestone is closed")

    assert (shared.get(one.id), one.steps) == (one, tuple(steps))
    assert shared.procedure("other", ("z", "a")).steps == ("z", "a")
    assert (one.name, one.context) == ("release", "when the milestone is closed")
    assert (one.success_count, one.failure_count, one.created_at) == (0, 0, clock())


def test_the_same_name_gets_new_steps_and_keeps_its_counts(shared: Memory, clock: StillClock) -> None:
    """C175: id, counts and age stay; steps, context and the index are new."""
    one = shared.procedure("release", ["tag", "push"])
    shared.outcome(one.id, 1.0, "test")
    shared.outcome(one.id, 0.0, "test")
    shared.outcome(one.id, 0.9, "user")
    clock.advance(days=1)
    new = shared.procedure(" release ", ["lint", "tag", "push"], "on Tuesdays")

    assert (new.id, new.created_at, new.updated_at) == (one.id, one.created_at, clock())
    assert (new.steps, new.context, new.success_count, new.failure_count) == (
        ("lint", "tag", "push"),
        "on Tuesdays",
        2,
        1,
    )
    assert shared.get(one.id) == new
    assert shared.stats()["procedures"] == 1


def test_a_source_that_is_trusted_less_cannot_rewrite_a_procedure(shared: Memory) -> None:
    """Promise 5."""
    mine = shared.procedure("release", ["tag", "push"], source="user")
    for source in ("agent", "tool:shell", "web"):
        assert shared.procedure("release", ["rm -rf /"], source=source) == mine

    assert shared.get(mine.id) == mine
    assert shared.procedure("release", ["lint"], source="user").steps == ("lint",)


@pytest.mark.parametrize(("fields", "message"), BAD_PROCEDURES)
def test_a_bad_procedure_is_refused_by_its_field(memory: Memory, fields: dict[str, Any], message: str) -> None:
    kept = memory.procedure("release", ["tag"])
    events = memory.events.count()
    with pytest.raises(InvalidInput, match=f"^{message}"):
        memory.procedure(**{"name": "release", "steps": ["push"], **fields})

    assert (memory.get(kept.id), memory.events.count()) == (kept, events)


@pytest.mark.parametrize("id", ["ep_unknown", "proc_unknown"])
def test_an_unknown_id_is_an_error(shared: Memory, id: str) -> None:
    verbs: tuple[Callable[[str], object], ...] = (shared.get, lambda id: shared.outcome(id, 1.0))
    for verb in verbs[: 1 if id.startswith("ep_") else 2]:
        with pytest.raises(NotFound, match=id):
            verb(id)


def test_secrets_are_taken_out_of_both(memory: Memory) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    memory.episode(f"push with {key}", key, [key], source=f"tool:{key}", session=key)
    memory.procedure(f"push {key}", [f"export TOKEN={key}"], f"needs {key}")

    for table in ("episodes", "procedures", "events", "episodes_vocabulary", "procedures_vocabulary"):
        assert key.lower() not in str(memory.store.query(f"select * from {table}")).lower()
