"""Decay: every experience is weighed by its last use, so that once or thirty times over the same span is the same.

Memories need no such step: their activation is computed from their last recall whenever it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobs.night import Night

NAME = "decay"
TOGETHER = 1  # a change here is a whole range of keys: each is a transaction of its own
RANGE = 2_000


def plan(night: Night) -> list[Change]:
    """The ranges of keys in which weights are due; a weight of tonight is not."""
    ranges = night.shelf.experiences.unweighed(night.now, night.setting("half_life_days"), RANGE)
    return [
        Change(
            step=NAME, action="weighed", kind="weights", subject=f"{first}-{last}", was={},
            became={"rows": count, "last": (first, last) == ranges[-1][:2]},
        )
        for first, last, count in ranges
    ]  # fmt: skip


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Weigh range by range; what live indexes must hear is told once, after the last."""
    made = []
    for change in changes:
        first, last = map(int, change.subject.split("-"))
        rows = night.shelf.experiences.reweigh(first, last, night.now, night.setting("half_life_days"))
        if rows:
            made.append(change.replace(became={**change.became, "rows": rows}))
        if change.became["last"]:
            night.tell("experience.decayed", "", half_life_days=night.setting("half_life_days"))
    return made
