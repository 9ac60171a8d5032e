"""What the tests of the night share: everything a store holds, a store that has been lived in, and its soundness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from experience.layers import soundness
from experience.verbs.upkeep import INDEXED

if TYPE_CHECKING:
    from experience import Memory
    from experience.clock import StillClock
    from experience.db import Store
    from jobs.night import Report, StepReport

BOOKS = frozenset(("events", "job_runs", "job_changes", "leases", "sqlite_sequence"))  # kept about the night itself


def dump(store: Store, *, without: frozenset[str] = frozenset()) -> dict[str, list[Any]]:
    """Every row of every table, the insides of the keyword indexes left out."""
    names = [str(name) for (name,) in store.query("select name from sqlite_master where type = 'table' order by name")]
    inside = ("_fts", "_vocabulary")
    plain = [name for name in names if not any(part in name for part in inside) and name not in without]
    return {name: sorted(store.query(f"select * from {name}"), key=repr) for name in plain}


def contents(memory: Memory) -> dict[str, list[Any]]:
    """Everything but the books that the night keeps about itself."""
    return dump(memory.store, without=BOOKS)


def assert_sound(memory: Memory) -> None:
    """The pages, every keyword index with its counts, and the chain of events are whole."""
    assert soundness.damage(memory.store) is None
    assert {table: memory.shelf.index(table).flaw() for table in INDEXED} == dict.fromkeys(INDEXED)
    assert memory.verify().whole


def step(report: Report, name: str) -> StepReport:
    """What one step says of itself."""
    return next(one for one in report.steps if one.step == name)


def live_in(memory: Memory, clock: StillClock) -> None:
    """Fill a store so that every step finds work once the clock stands 400 days on."""
    memory.record_many([{"intent": f"{what} the {part}", "solution": [what, part]} for what, part in _tasks()])
    memory.learn("The build runs on four cores")
    memory.learn("Never push to main on a Friday", "policy")
    memory.learn("The mirror answers slowly", source="tool:probe")
    memory.observe("Where do the logs go?", session="early")
    clock.advance(days=400)
    memory.record_many([{"intent": f"{what} the new {part}", "solution": [what, part]} for what, part in _tasks()])
    for number in range(3):
        memory.record(f"ship the release number {number}" if number > 2 else "ship the release", ["tag", "push"])
        memory.episode(f"the nightly deploy stopped half way, try {number}", "failed: timeout", ["deploy"])
    memory.learn("Staging is rebuilt every Monday", "workflow")
    memory.observe("I prefer tabs over spaces", session="late")


def _tasks() -> list[tuple[str, str]]:
    return [(what, part) for what in ("build", "test", "deploy", "measure") for part in ("site", "app", "service")]
