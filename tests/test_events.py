"""The event log: append-only, chained, filtered and replayed, on a file and on a server."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest

from experience import Conflict, Event, InvalidInput, Memory, NotFound, StillClock
from experience.layers.events import Events

Verb = Callable[[Memory, str], object]

GOOD = {"intent": "deploy the site", "solution": "make"}
WRITES: dict[str, tuple[Verb, list[str]]] = {
    "record": (lambda memory, _: memory.record(**GOOD), ["experience.recorded"]),
    "record_many": (lambda memory, _: memory.record_many([GOOD, GOOD]), ["experience.recorded"] * 2),
    "mark_used": (lambda memory, id: memory.mark_used(id), ["experience.used"]),
    "outcome": (lambda memory, id: memory.outcome(id, 0.5, "test", {"log": "red"}), ["experience.outcome"]),
    "apply_decay": (lambda memory, _: memory.apply_decay(), ["experience.decayed"]),
    "prune_expired": (lambda memory, _: memory.prune_expired(min_weight=1.0), ["experience.pruned"]),
    "erase": (lambda memory, id: memory.erase(id), ["experience.erased"]),
}
FAILURES: dict[str, Verb] = {
    "record": lambda memory, _: memory.record("", 1),
    "record_many": lambda memory, _: memory.record_many([GOOD, {**GOOD, "success_score": 2}]),
    "mark_used": lambda memory, _: memory.mark_used("exp_none"),
    "outcome": lambda memory, id: memory.outcome(id, 1.0, "rumour"),
    "outcome of nothing": lambda memory, _: memory.outcome("exp_none", 1.0),
    "apply_decay": lambda memory, _: memory.apply_decay(half_life_days=-1),
    "prune_expired": lambda memory, _: memory.prune_expired(min_weight=7),
    "erase": lambda memory, _: memory.erase("exp_none"),
    "log": lambda memory, _: memory.log("nonsense.happened"),
}


def content(memory: Memory) -> list[Any]:
    """Every row that the verbs may change."""
    return memory.store.query("select * from experiences") + memory.store.query("select * from outcomes")


def an_old_experience(memory: Memory, clock: StillClock) -> str:
    written = memory.record("bake the zyzzyva bread", {"run": "quokka"}, tags=["wombat"], source="narwhal")
    clock.advance(days=3)
    memory.store.execute("update experiences set weight = 0.5")
    return written.id


def test_an_event_can_be_neither_changed_nor_deleted(shared: Memory) -> None:
    """C104: UPDATE and DELETE on the table fail, and so does what replaces a row."""
    for n in range(3):
        shared.log("tool.called", n=n)
    before = shared.events.list()

    for sql in (
        "update events set data = '{}' where seq = 1", "update events set hash = hash", "delete from events",
        "delete from events where seq = 2", "insert or replace into events select * from events where seq = 1",
    ):  # fmt: skip
        with pytest.raises(Conflict, match="events are append-only"):
            shared.store.execute(sql)

    assert shared.events.list() == before
    assert shared.verify().whole


def test_the_log_offers_no_way_to_change_it() -> None:
    """C104: the API has no edit and no delete."""
    public = {name for name in vars(Events) if not name.startswith("_")}

    assert public == {"append", "append_many", "list", "replay", "count", "last_seq", "changed_keys", "verify"}


def test_six_kinds_of_events_are_logged(shared: Memory, clock: StillClock) -> None:
    """C105: tool calls, errors, user messages, task transitions, memory writes, ingestion runs."""
    said = ["tool.called", "error.raised", "message.received", "task.moved", "ingestion.finished"]
    for type in said:
        shared.log(type, "subject", run="r1", text="日本")
        clock.advance(seconds=1)
    written = shared.record("deploy the site", 1)

    events = shared.events.list()
    assert [event.type for event in events] == [*said, "experience.recorded"]
    assert [len(shared.events.list(type=type.split(".")[0])) for type in said] == [1] * 5
    assert {(event.subject, event.actor, event.data["text"]) for event in events[:5]} == {("subject", "agent", "日本")}
    assert (events[5].subject, events[5].at) == (written.id, clock())
    assert shared.events.count() == shared.stats()["events"] == 6


@pytest.mark.parametrize("name", WRITES)
def test_every_write_appends_its_event(shared: Memory, clock: StillClock, name: str) -> None:
    """C105: memory writes."""
    (write, types), old = WRITES[name], an_old_experience(shared, clock)
    write(shared, old)

    fresh = shared.events.list(after=1)
    assert [event.type for event in fresh] == types
    assert {event.at for event in fresh} == {clock()}
    assert name in ("record", "record_many", "apply_decay") or fresh[0].subject == old
    assert shared.verify().whole


@pytest.mark.parametrize("name", WRITES)
def test_a_write_whose_event_cannot_be_written_does_not_happen(shared: Memory, clock: StillClock, name: str) -> None:
    """C105: one transaction holds the change and its event."""
    old = an_old_experience(shared, clock)
    before = content(shared)
    shared.store.execute("create trigger full before insert on events begin select raise(abort, 'no more'); end")

    with pytest.raises(Conflict, match="no more"):
        WRITES[name][0](shared, old)

    assert content(shared) == before
    assert shared.events.count() == 1


@pytest.mark.parametrize("name", FAILURES)
def test_a_write_that_fails_appends_nothing(shared: Memory, clock: StillClock, name: str) -> None:
    old = an_old_experience(shared, clock)
    before = content(shared)

    with pytest.raises((InvalidInput, NotFound)):
        FAILURES[name](shared, old)

    assert (content(shared), shared.events.count()) == (before, 1)


def test_a_write_that_changes_nothing_appends_nothing(shared: Memory) -> None:
    shared.record("deploy the site", 1)

    assert (shared.apply_decay(), shared.prune_expired(), shared.record_many([])) == (0, 0, [])
    assert shared.events.count() == 1


def test_events_never_hold_the_words_of_an_experience(shared: Memory, clock: StillClock) -> None:
    """What is erased stands nowhere, and the log cannot forget: so it never knew."""
    for name in WRITES:
        (write, _), old = WRITES[name], an_old_experience(shared, clock)
        write(shared, old)

    rows, words = repr(shared.store.query("select * from events")), "zyzzyva quokka wombat narwhal deploy bread red log"
    assert [word for word in words.split() if word in rows] == []
    assert "experience.erased" in rows


def behind_the_back(memory: Memory, sql: str) -> None:
    """What somebody with the file in hand can do: drop the triggers, then write."""
    with closing(sqlite3.connect(memory.store.where)) as raw, raw:
        for name in ("updated", "deleted", "replaced"):
            raw.execute(f"drop trigger events_are_never_{name}")
        raw.execute(sql)


@pytest.mark.parametrize(
    ("sql", "seq", "reason"),
    [
        ("update events set data = '{\"n\":99}' where seq = 3", 3, "this row was altered"),
        ("update events set at = '2020-01-01T00:00:00.000000Z' where seq = 1", 1, "this row was altered"),
        ("update events set type = 'tool.failed' where seq in (4, 2)", 2, "this row was altered"),
        ("update events set subject = 'else' where seq = 7", 7, "this row was altered"),
        ("update events set project = 'else' where seq = 6", 6, "this row was altered"),
        (f"update events set hash = '{'a' * 64}' where seq = 4", 4, "this row was altered"),
        (f"update events set hash = '{'a' * 64}' where seq = 7", 7, "this row was altered"),
        ("delete from events where seq = 1", 1, "this row is missing"),
        ("delete from events where seq in (3, 5)", 3, "this row is missing"),
        ("delete from events where seq = 7", 7, "this row is missing"),
        ("delete from events where seq > 4", 5, "this row is missing"),
    ],
)
def test_verify_names_the_first_row_that_is_not_as_it_was_written(
    memory: Memory, sql: str, seq: int, reason: str
) -> None:
    """C106: alter or delete a row with sqlite3, also the newest one: it is reported."""
    for n in range(7):
        memory.log("tool.called", "it", n=n)
    assert (memory.verify().whole, memory.verify().checked, memory.verify().seq) == (True, 7, None)
    behind_the_back(memory, sql)

    found = memory.verify()

    assert (found.whole, found.seq, found.reason, found.checked) == (False, seq, reason, seq - 1)


def test_verify_follows_the_chain_through_a_long_log(memory: Memory) -> None:
    """C106: also past the first page it reads."""
    memory.record_many([GOOD] * 5200)
    assert memory.verify().checked == 5200
    behind_the_back(memory, "update events set actor = 'else' where seq = 5001")

    assert memory.verify().seq == 5001


def test_a_filter_gives_what_a_scan_of_everything_gives(shared: Memory, clock: StillClock) -> None:
    """C107: type, time range and field values, each alone and combined."""
    start = clock()
    for n in range(60):
        type = ("tool.called", "tool.failed", "toolbox", "error.raised", "task.moved")[n % 5]
        data = {"n": n % 3, "name": f"näme {n % 4}", "ok": n % 2 == 0, "deep": {"er": n % 5 / 2}, "odd 'x'": n % 6}
        shared.events.append(type, f"subject {n % 7}", clock(), actor="agent", **data)
        clock.advance(minutes=1)
    everything = shared.events.list()
    since, until = start + timedelta(minutes=10), start + timedelta(minutes=45)
    asked: list[tuple[dict[str, Any], Callable[[Event], bool]]] = [
        ({"type": "tool"}, lambda event: event.type.startswith("tool.")),
        ({"since": since}, lambda event: event.at >= since),
        ({"until": until}, lambda event: event.at < until),
        ({"where": {"n": 1}}, lambda event: event.data["n"] == 1),
        ({"after": 17}, lambda event: event.seq > 17),
    ]
    fields: list[tuple[dict[str, Any], Callable[[Event], bool]]] = [
        ({"type": "tool.failed"}, lambda event: event.type == "tool.failed"),
        ({"where": {"name": "näme 2"}}, lambda event: event.data["name"] == "näme 2"),
        ({"where": {"ok": True}}, lambda event: event.data["ok"]),
        ({"where": {"deep.er": 1.5}}, lambda event: event.data["deep"]["er"] == 1.5),
        ({"where": {"odd 'x'": 4, "n": 1}}, lambda event: event.data["odd 'x'"] == 4 and event.data["n"] == 1),
        ({"where": {"n": "1"}}, lambda event: event.data["n"] == "1"),
        ({"subject": "subject 3"}, lambda event: event.subject == "subject 3"),
    ]
    with pytest.raises(InvalidInput, match="is not a name"):
        shared.events.list(where={'a"b': 1})
    together = [c for size in range(1, len(asked) + 1) for c in combinations(asked, size)] + [(f,) for f in fields]

    for chosen in together:
        filters = {name: value for one, _ in chosen for name, value in one.items()}
        scan = tuple(event for event in everything if all(passes(event) for _, passes in chosen))
        assert shared.events.list(**filters) == scan, filters
        assert shared.events.list(**filters, newest_first=True, limit=3) == scan[::-1][:3], filters
    assert sum(len(shared.events.list(**filters)) > 0 for filters, _ in asked + fields) == len(asked + fields) - 1


def test_a_run_is_replayed_exactly_as_it_happened(shared: Memory, clock: StillClock) -> None:
    """C108: the sequence of one run, nothing of another between."""
    steps = ["message.received", "task.moved", "tool.called", "tool.called", "error.raised", "task.moved"]
    for n, type in enumerate(steps):
        shared.log(type, f"step {n}", run="r1", n=n)
        shared.log("tool.called", f"step {n}", run="r10")
        shared.log("tool.called", "r1")
        clock.advance(seconds=-1 if n == 3 else 1)  # even a clock that was set back changes no order

    found = shared.events.replay("r1")

    assert [(event.type, event.subject, event.data) for event in found] == [
        (type, f"step {n}", {"run": "r1", "n": n}) for n, type in enumerate(steps)
    ]
    assert shared.events.replay("r2") == ()
