"""Quarantine: what verified outcomes vouch for is let out; what nobody vouched for in a month is put aside."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from experience.capture import trust
from experience.clock import to_text
from experience.desks.outcomes import VOUCHES
from experience.layers.memories import strength
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from experience.models import MemoryItem
    from jobs.night import Night

NAME = "quarantine"


def plan(night: Night) -> list[Change]:
    """What is let out, and what has waited for too long."""
    return _decided(night, list(night.shelf.memories.quarantined()))


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Let out and put aside what is still in quarantine, by the outcomes of this moment."""
    found = [night.shelf.memories.find(change.subject) for change in changes]
    made = []
    for change in _decided(night, [one for one in found if one is not None]):
        key = night.shelf.memories.change(change.subject, **change.became)
        vouched = {"vouched": change.became["trust"]} if change.action == "released" else {}
        night.tell(f"memory.{change.action}", change.subject, key=key, **vouched)
        made.append(change)
    return made


def decide(
    waiting: Iterable[MemoryItem], vouched: Mapping[str, tuple[datetime, str]], now: datetime, most: timedelta
) -> list[Change]:
    """A change for each that is vouched for since it was put there, or has waited longer than *most*. Pure."""
    found = []
    for one in waiting:
        if one.quarantined_at is None or one.superseded_by or one.folded_into:
            continue
        at, trusted = vouched.get(one.id, (None, ""))
        if at is not None and at >= one.quarantined_at:
            found.append(_released(one, trusted, now))
        elif one.archived_at is None and now - one.quarantined_at > most:
            found.append(_change("archived", one, {"archived_at": None}, {"archived_at": to_text(now)}))
    return found


def _decided(night: Night, waiting: Sequence[MemoryItem]) -> list[Change]:
    return decide(waiting, _vouched(night, [one.id for one in waiting]), night.now,
                  timedelta(days=night.setting("night_quarantine_days")))  # fmt: skip


def _vouched(night: Night, ids: Sequence[str]) -> dict[str, tuple[datetime, str]]:
    """The last verified outcome of each, where it was good: its time, and the trust it lends.

    Outcomes stand on the project's shelf, also those of the user's own memories.
    """
    last = {}
    for shelf in {id(shelf): shelf for shelf in (night.memory.shelf, night.shelf)}.values():
        for subject, score, channel, at in shelf.outcomes.verified(ids):
            last[subject] = (score, at, "user" if trust.trust_of(channel) == "user" else "verified")
    return {subject: (at, trusted) for subject, (score, at, trusted) in last.items() if score >= VOUCHES}


def _released(one: MemoryItem, trusted: str, now: datetime) -> Change:
    moment = max(one.accessed_at, now)
    was: dict[str, Any] = {
        "quarantined_at": one.quarantined_at and to_text(one.quarantined_at),
        "quarantine_reason": one.quarantine_reason, "trust": one.trust, "accessed_at": to_text(one.accessed_at),
        "strength": strength(one.type, one.reinforcement_count, one.accessed_at),
    }  # fmt: skip
    became: dict[str, Any] = {
        "quarantined_at": None, "quarantine_reason": None, "trust": trusted, "accessed_at": to_text(moment),
        "strength": strength(one.type, one.reinforcement_count, moment),
    }  # fmt: skip
    return _change("released", one, was, became)


def _change(action: str, one: MemoryItem, was: dict[str, Any], became: dict[str, Any]) -> Change:
    return Change(step=NAME, action=action, kind="memory", subject=one.id, was=was, became=became)
