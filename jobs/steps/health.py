"""Health: how large a store is, how much of it is put aside, and how it grew. It writes nothing but the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experience.layers import soundness

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from experience.desks.shelf import Shelf
    from jobs.night import Change, Night

NAME = "health"
JOB = "night"


def plan(night: Night) -> list[Change]:
    """Nothing: the figures stand in the report of the run itself."""
    return []


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Nothing."""
    return []


def figures(shelf: Shelf) -> dict[str, Any]:
    """Rows by table, bytes, the shares put aside, and the growth since the last run."""
    rows = soundness.counts(shelf.store, shelf.project)
    last = next((run.after for run in shelf.nights.list(JOB, limit=10) if run.after), None)
    return {
        "rows": rows, "bytes": soundness.size(shelf.store), "rates": _rates(shelf, rows["memories"]),
        "growth": grown(rows, last["rows"]) if last else {},
    }  # fmt: skip


def grown(rows: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    """The tables that have more or fewer rows than before. Pure."""
    return {table: count - before.get(table, 0) for table, count in rows.items() if count != before.get(table, 0)}


def _rates(shelf: Shelf, memories: int) -> dict[str, float]:
    """The share of the memories in each state in which nothing of them is injected."""
    stats = shelf.memories.stats()
    states = ("archived", "quarantined", "superseded", "folded")
    return {state: round(stats[state] / memories, 4) if memories else 0.0 for state in states}
