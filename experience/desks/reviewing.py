"""The desk where a person decides: quarantined memories, rival statements, proposed procedures."""

from __future__ import annotations

from experience import checks
from experience.clock import to_text
from experience.desks.shelf import Desk
from experience.errors import Conflict, InvalidInput, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from experience.desks.episodes import EpisodeDesk
    from experience.desks.memories import MemoryDesk
    from experience.desks.shelf import Shelf
    from experience.layers.reviews import Review
    from experience.models import MemoryItem


class ReviewingDesk(Desk):
    """Lists what waits for a person, and carries out what the person says. Each thing is decided once."""

    def __init__(self, *given: Any, memories: MemoryDesk, episodes: EpisodeDesk) -> None:
        super().__init__(*given)
        self._memories, self._episodes = memories, episodes

    def waiting(self, limit: int) -> list[Review]:
        """Every open question, oldest first."""
        found = [one for shelf in self.shelves() for one in shelf.reviews.list(limit=limit)]
        return sorted(found, key=lambda one: to_text(one.created_at))[:limit]

    def quarantined(self, limit: int) -> list[MemoryItem]:
        """Every memory that nobody vouches for yet, the newest first."""
        return self._memories.listed(state="quarantined", limit=limit)

    def decide(self, id: str, *, approve: bool, by: str) -> Review | MemoryItem:
        """Say yes or no to a question, or to a quarantined memory by its own id."""
        person = checks.text("by", by, most=100)
        if not id.startswith("rev_"):
            return self._memory(id, approve=approve, by=person)
        now, shelf = self.now(), self._shelf_of(id)
        with shelf.store.transaction():
            decided = shelf.reviews.decide(id, "approved" if approve else "rejected", person, now)
            doing = {"supersession": self._replace, "promotion": self._promote}.get(decided.kind)
            if doing is not None:
                doing(shelf, decided, now, approve=approve)
            shelf.events.append(
                "memory.reviewed", id, now, actor=person, kind=decided.kind, subject=decided.subject,
                decision=decided.state,
            )  # fmt: skip
        return decided

    def _memory(self, id: str, *, approve: bool, by: str) -> MemoryItem:
        """Vouch for a quarantined memory, or put it away for good."""
        was = self._memories.get(id)
        if was.quarantined_at is None:
            raise Conflict(f"the memory {id} is not in quarantine (any more); nothing was changed")
        shelf, now = self.shelf(was.reach), self.now()
        with shelf.store.transaction():
            if approve:
                self._memories.release(id, vouched="user")
            else:
                self._memories.archive(id)
            decision = "approved" if approve else "rejected"
            shelf.events.append("memory.reviewed", id, now, actor=by, kind="quarantine", decision=decision)
        return self._memories.get(id)

    def _replace(self, shelf: Shelf, decided: Review, now: datetime, *, approve: bool) -> None:
        """Of two rival statements the newer holds from now on."""
        newer, older = shelf.memories.find(decided.subject), shelf.memories.find(decided.other)
        if not approve:
            return
        if newer is None or older is None:
            raise Conflict(f"one of the two memories of review {decided.id} is gone; there is nothing to decide")
        if older.superseded_by is None:
            key = shelf.memories.change(older.id, superseded_by=newer.id, valid_to=to_text(now))
            shelf.events.append("memory.superseded", older.id, now, actor=self.actor, key=key, by=newer.id)

    def _promote(self, _: Shelf, decided: Review, __: datetime, *, approve: bool) -> None:
        """A way that proved itself becomes a procedure."""
        if not approve:
            return
        name, steps = decided.detail.get("name"), decided.detail.get("steps")
        if not name or not steps:
            raise InvalidInput(f"the review {decided.id} proposes no steps; reject it")
        self._episodes.procedure(str(name), steps, str(decided.detail.get("context") or "") or None, "user")

    def _shelf_of(self, id: str) -> Shelf:
        for shelf in self.shelves():
            try:
                shelf.reviews.get(id)
            except NotFound:
                continue
            return shelf
        raise NotFound("review", id)
