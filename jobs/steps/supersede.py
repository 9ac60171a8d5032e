"""Supersede: of two memories that give one thing another value the newer holds, and the older becomes history.

The newer replaces the older only where both make a sure claim and the newer is trusted no less. Whatever is less clear
is put to a person, once: a value that may stand beside the other, and a contradiction by somebody trusted less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from experience.clock import to_text
from jobs.copies import Memo
from jobs.night import Change
from jobs.rivals import rivals, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jobs.night import Night

NAME = "supersede"
OPEN = 200  # questions that may wait for an answer
KIND = "supersession"


def plan(night: Night) -> list[Change]:
    """Every older value that a newer one replaces, then the questions, as many as the queue has room for."""
    shelf = night.shelf
    since = shelf.nights.last_step("night", NAME)
    last = to_text(since) if since else ""
    memos = (Memo._make(row) for row in shelf.memories.copies())
    found = rivals(memos, lambda one: max(one.updated_at, one.accessed_at) >= last)
    asked = shelf.reviews.asked(KIND)
    fresh = [pair for pair in found if pair[2] == "ask" and (pair[0].id, pair[1].id) not in asked]
    return [_replaced(newer, older) for newer, older, said in found if said == "replace"] + [
        _asked(newer, older) for newer, older, _ in fresh[: _room(night)]
    ]


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Replace and ask where both memories still say what they said."""
    ids = list({id for one in changes for id in (one.subject, _other(one))})
    here = {row[1]: Memo._make(row) for row in night.shelf.memories.copies(ids)}
    made = []
    for one in changes:
        newer, older = (
            here.get(one.became.get("superseded_by", one.subject)),
            here.get(one.became.get("other", one.subject)),
        )
        if newer is None or older is None or newer.folded_into or older.folded_into or older.superseded_by:
            continue
        said = verdict(newer, older)
        if (one.action == "superseded" and said == "replace" and _replace(night, newer, older)) or (
            one.action == "asked" and said and _ask(night, newer, older)
        ):
            made.append(one)
    return made


def _replace(night: Night, newer: Memo, older: Memo) -> bool:
    change = _replaced(newer, older)
    key = night.shelf.memories.change(older.id, **change.became)
    night.tell("memory.superseded", older.id, key=key, by=newer.id)
    return True


def _ask(night: Night, newer: Memo, older: Memo) -> bool:
    """Put the question; its detail holds no words of theirs, so that forgetting one leaves none behind."""
    less = newer.trust != older.trust or newer.quarantined_at is not None
    why = "the newer one is vouched for less" if less else "both may hold at once"
    asked = night.shelf.reviews.ask(KIND, newer.id, older.id, {"why": why, "run": night.run}, night.now)
    if asked:
        night.tell("memory.questioned", newer.id, review=asked, other=older.id)
    return asked is not None


def _room(night: Night) -> int:
    return max(0, OPEN - len(night.shelf.reviews.list(kind=KIND, limit=OPEN)))


def _replaced(newer: Memo, older: Memo) -> Change:
    return Change(
        step=NAME, action="superseded", kind="memory", subject=older.id,
        was={"superseded_by": older.superseded_by, "valid_to": older.valid_to},
        became={"superseded_by": newer.id, "valid_to": newer.valid_from},
    )  # fmt: skip


def _asked(newer: Memo, older: Memo) -> Change:
    return Change(
        step=NAME, action="asked", kind="review", subject=newer.id, was={}, became={"kind": KIND, "other": older.id}
    )


def _other(change: Change) -> str:
    return str(change.became.get("superseded_by") or change.became["other"])
