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
    ids = [change.subject for change in changes]
    done = night.shelf.episodic.archive(ids, night.now, idle_since=_silent_since(night))
    made = [change for change in changes if change.subject in done]
    facts = [(change.subject, {"run": night.run}) for change in made]
    night.shelf.events.append_many("conversation.archived", facts, night.now, actor="night")
    return made


def _silent_since(night: Night) -> datetime:
    return night.now - timedelta(days=night.setting("night_session_days"))
