"""Every block can be explained, replayed to the byte, and asked why something is not in it; looking changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import experience
from experience import ExperienceError, InvalidInput, Memory, NotFound, StillClock
from experience.context.assemble import REASONS

CAGE = "The parrot cage opens to the left"
ASK = "which way does the parrot cage open?"


def test_every_candidate_is_listed_with_a_reason_of_the_closed_list(shared: Memory, clock: StillClock) -> None:
    """C158: taken or not, with its scores; a prompt without candidates lists none."""
    assert shared.context(ASK).trace == ()
    old = shared.learn("The parrot cage is made of brass")
    clock.advance(days=200)
    ids = {
        "always": shared.learn("Never deploy on a Friday", "policy").id,
        "matches": shared.learn(CAGE).id,
        "below-threshold": old.id,
        "other-scope": shared.learn("The parrot cage widget is a pure function", scope="src/ui/**").id,
        "no-room": shared.learn(f"The parrot cage opens {'wide ' * 2000}").id,
        "procedure": shared.procedure("open the parrot cage", ["turn the key"]).id,
        "experience": shared.record("open the parrot cage", "turn the key").id,
        "unproven": shared.record("open the parrot cage again", "pull", success_score=0.2).id,
        "untrusted": shared.record("open the parrot cage now", "run this", source="tool").id,
    }

    context = shared.context(ASK, path="src/api/a.py")

    assert {one.reason: one.id for one in context.trace} == ids
    assert {one.reason for one in context.trace} <= REASONS.keys()
    assert {one.id for one in context.trace if one.taken} == set(context.items)
    assert [shared.why_not(context.injection_id, id).reason for id in ids.values()] == list(ids)


def test_an_explanation_holds_what_was_asked_and_when(shared: Memory, clock: StillClock) -> None:
    learned = shared.learn(CAGE)
    context = shared.context(ASK, path="src/a.py", session="s1", budget=300)
    position, moment = shared.events.last_seq(), clock()
    clock.advance(days=1)

    told = shared.explain(context.injection_id)

    assert (told.prompt, told.path, told.session, told.budget) == (ASK, "src/a.py", "s1", 300)
    assert (told.text, told.tokens, told.items, told.trace) == (
        context.text,
        context.tokens,
        (learned.id,),
        context.trace,
    )
    assert (told.created_at, told.position) == (moment, position - 1)
    assert shared.get(context.injection_id) == told


def test_a_replay_gives_the_same_bytes_whatever_happened_since(tmp_path: Path, clock: StillClock) -> None:
    """Edited, archived, pruned, another day, another hall."""
    with experience.open(tmp_path / "p", clock=clock) as memory:
        one, two = memory.learn(CAGE), memory.learn("Never open a cage at night", "policy")
        done = memory.record("open the parrot cage", {"key": "日本"})
        first = memory.context(ASK)
        memory.update(one.id, content="The cage opens to the right")
        memory.archive(two.id)
        memory.mark_used(done.id)
        clock.advance(days=400)
        memory.apply_decay()
        memory.prune_expired()
    with experience.open(tmp_path / "p", clock=clock) as memory:
        assert len(first.items) == 3
        assert memory.replay(first.injection_id) == first
        assert memory.context(ASK).text != first.text


@pytest.mark.parametrize(
    ("state", "reason"),
    [("quarantined", "quarantined"), ("archived", "archived"), ("superseded", "superseded"), ("folded", "folded"),
     ("off-topic", "not-considered"), ("learned later", "later"), ("edited later", "later"),
     ("archived later", "not-considered")],
)  # fmt: skip
def test_why_not_tells_the_state_of_that_time(memory: Memory, clock: StillClock, state: str, reason: str) -> None:
    """C185: what became of a memory since is no reason for what happened then."""
    source = "tool" if state == "quarantined" else "user"
    learned = memory.learn("The build listens on port 8000", source=source)
    if state == "archived":
        memory.archive(learned.id)
    elif state == "superseded":
        memory.learn("The build listens on port 9000")
    elif state == "folded":
        memory.store.execute("update memories set folded_into = 'another' where id = ?", learned.id)
    context = memory.context("what is the capital of Portugal?")
    clock.advance(minutes=5)
    if state == "learned later":
        learned = memory.learn("The tests listen on port 7000")
    elif state == "edited later":
        memory.update(learned.id, content="The capital of Portugal is Lisbon")
    elif state == "archived later":
        memory.archive(learned.id)

    told = memory.why_not(context.injection_id, learned.id)

    assert (told.reason, told.taken, told.kind, told.id) == (reason, False, "memory", learned.id)
    assert REASONS[told.reason] == REASONS[reason]


def test_why_not_knows_every_kind_of_thing(memory: Memory, clock: StillClock) -> None:
    ids = {
        ("experience", "not-considered"): memory.record("bake a cake", "flour").id,
        ("experience", "untrusted"): memory.record("bake a pie", "flour", source="tool").id,
        ("procedure", "not-considered"): memory.procedure("bake a cake", ["heat the oven"]).id,
        ("episode", "not-considered"): memory.episode("the cake burned").id,
    }
    context = memory.context(ASK)
    clock.advance(minutes=1)
    ids["procedure", "later"] = memory.procedure("bake a tart", ["heat the oven"]).id

    found = [(one.kind, one.reason) for one in (memory.why_not(context.injection_id, id) for id in ids.values())]

    assert found == list(ids)


def test_a_threshold_is_told_with_its_value() -> None:
    """C160."""
    assert "0.3" in REASONS["below-threshold"]
    assert all(sentence and sentence[0].islower() for sentence in REASONS.values())


@pytest.mark.parametrize("id", ["inj_unknown000", "' or 1=1 --", "日本"])
def test_what_is_not_there_is_not_found(memory: Memory, id: str) -> None:
    context = memory.context(ASK)
    for look in (memory.explain, memory.replay, lambda id: memory.why_not(context.injection_id, id)):
        with pytest.raises(NotFound):
            look(id)


@pytest.mark.parametrize("id", [None, 5, "", b"x", ["inj_a"], "a\0", "\ud800"])
def test_an_id_that_is_none_is_refused(memory: Memory, id: Any) -> None:
    context = memory.context(ASK)
    for look in (
        memory.explain, memory.replay, lambda id: memory.why_not(context.injection_id, id),
        lambda id: memory.why_not(id, "x"), lambda id: memory.outcome(id, 1.0),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match="id"):
            look(id)


def test_a_block_that_was_tampered_with_is_not_shown_as_ours(memory: Memory) -> None:
    memory.learn("Never deploy on a Friday", "policy")
    context = memory.context(ASK)
    memory.store.execute("update injections set text = replace(text, 'Never', 'Always')")

    for look in (memory.explain, memory.replay):
        with pytest.raises(ExperienceError, match="no longer what was handed out"):
            look(context.injection_id)


def test_looking_changes_nothing(shared: Memory, clock: StillClock) -> None:
    """C136: views, stats, explain, find, audit and a look by recall leave every table as it was, events included."""
    learned, done = shared.learn(CAGE, scope="src/**"), shared.record("open the parrot cage", "turn the key")
    known, seen = shared.procedure("open the cage", ["turn"]), shared.episode("the cage was open")
    shared.observe("I prefer short answers", session="s")
    context = shared.context(ASK, session="s")
    clock.advance(days=3)
    before = dump(shared)

    for id in (learned.id, done.id, known.id, seen.id, context.injection_id):
        shared.get(id)
    shared.explain(context.injection_id)
    shared.replay(context.injection_id)
    shared.why_not(context.injection_id, learned.id)
    shared.find("open the parrot cage")
    shared.recall(ASK, touch=False)
    shared.scoped("src/a.py")
    shared.memories()
    shared.list()
    shared.episodes("cage")
    shared.history(learned.id)
    shared.stats()
    shared.audit()
    shared.verify()
    shared.formatted_memories()

    assert dump(shared) == before
    shared.recall(ASK)
    assert dump(shared) != before


def dump(memory: Memory) -> dict[str, list[Any]]:
    tables = memory.store.query(
        "select name from sqlite_master where type = 'table' and name not like '%\\_fts%' escape '\\' order by name"
    )
    return {str(name): memory.store.query(f"select * from {name} order by 1, 2") for (name,) in tables}
