"""Prune: experiences that hardly weigh anything leave; for a month undo brings them back, then nothing does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from jobs.night import Night

NAME = "prune"


def plan(night: Night) -> list[Change]:
    """What weighs less than the least worth keeping, and what was kept for undo for long enough."""
    light = [
        Change(step=NAME, action="pruned", kind="experience", subject=id, was={}, became={})
        for id in night.shelf.experiences.lighter(*_scales(night))
    ]
    outdated = night.shelf.nights.outdated(_horizon(night))
    return light + [_purge(outdated)] * bool(outdated)


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Take out what is still too light; its row is kept for the way back, the log keeps a tombstone."""
    pruned = [change for change in changes if change.action == "pruned"]
    ids = [change.subject for change in pruned]
    light = set(night.shelf.experiences.lighter(*_scales(night), among=ids)) if ids else set()
    _take_out(night, [id for id in ids if id in light])
    purged = night.shelf.nights.purge(_horizon(night)) if len(pruned) < len(changes) else 0
    return [change for change in pruned if change.subject in light] + [_purge(purged)] * bool(purged)


def _take_out(night: Night, ids: Sequence[str]) -> None:
    if not ids:
        return
    rows = night.shelf.experiences.rows(ids)
    night.shelf.nights.retire(night.run, "experience", [(row["id"], row, None) for row in rows], "pruned", night.now)
    gone = night.shelf.experiences.take_out(ids)
    night.shelf.events.append_many(
        "experience.pruned", [(id, {"run": night.run, "key": key}) for key, id in gone], night.now, actor="night"
    )


def _scales(night: Night) -> tuple[float, datetime, float]:
    return night.setting("min_weight"), night.now, night.setting("half_life_days")


def _horizon(night: Night) -> datetime:
    return night.now - timedelta(days=night.setting("night_retired_days"))


def _purge(rows: int) -> Change:
    """One change for all of them: nothing is left that it could be told of one by one."""
    return Change(step=NAME, action="purged", kind="retired", subject="", was={}, became={"rows": rows})
