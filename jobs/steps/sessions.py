"""Sessions: conversations nobody has spoken in for a while are put aside; what was said in them is still found."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from experience.clock import to_text
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from jobs.night import Night

NAME = "sessions"


def plan(night: Night) -> list[Change]:
    """The sessions that fell silent."""
    return [
        Change(
            step=NAME, action="archived", kind="session", subject=id, was={"archived_at": None},
            became={"archived_at": to_text(night.now)},
        )
        for id in night.shelf.episodic.idle(_silent_since(night))
    ]  # fmt: skip


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Put them aside, those left out in which somebody spoke again."""
    made = []
    for change in changes:
        if night.shelf.episodic.archive(change.subject, night.now, idle_since=_silent_since(night)):
            night.tell("conversation.archived", change.subject)
            made.append(change)
    return made


def _silent_since(night: Night) -> datetime:
    return night.now - timedelta(days=night.setting("night_session_days"))
