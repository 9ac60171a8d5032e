"""Reindex: what is derived is checked against the rows it comes from, and made anew where the two disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experience.verbs.upkeep import INDEXED
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobs.night import Night

NAME = "reindex"
TOGETHER = 1  # each index is made anew in a transaction of its own


def plan(night: Night) -> list[Change]:
    """Every index that does not say what its rows say."""
    flaws = {table: night.shelf.index(table).flaw() for table in INDEXED}
    return [
        Change(step=NAME, action="rebuilt", kind="index", subject=table, was={"flaw": flaw}, became={})
        for table, flaw in flaws.items()
        if flaw
    ]


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Make them anew; live indexes hear of it."""
    for change in changes:
        night.shelf.index(change.subject).rebuild()
        event = "experience.reindexed" if change.subject == "experiences" else "ingestion.reindexed"
        night.tell(event, change.subject, flaw=change.was["flaw"])
    return list(changes)
