"""The verbs of the night: consolidating, looking back at what it did, and undoing it."""

from __future__ import annotations

from experience.neighbours import neighbour
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from experience.desks.shelf import Shelf
    from experience.layers.nights import Run
    from experience.layers.reviews import Review
    from experience.models import MemoryItem


class NightVerbs(Verbs):
    """Consolidate, undo, runs."""

    def consolidate(self, dry_run: bool = False, *, only: str | None = None, **watching: Any) -> Any:
        """Do the night now: decay, prune, dedupe, supersede, promote, archive; *dry_run* returns the very plan."""
        return neighbour("jobs.nightly").consolidate(self, dry_run=dry_run, only=only, **watching)

    def undo(self, run: str) -> Any:
        """Bring back everything one run folded, pruned, archived or promoted."""
        return neighbour("jobs.undo").undo(self, run)

    def runs(self, limit: int = 50) -> Sequence[Run]:
        """The runs of the night, the newest first."""
        return self.shelf.nights.list(limit=limit)

    def reviews(self, limit: int = 200) -> Sequence[Review]:
        """What waits for a person's decision, oldest first; quarantined memories are listed by `memories`."""
        return self._desks.reviewing.waiting(limit)

    def decide(self, id: str, *, approve: bool, by: str) -> Review | MemoryItem:
        """Answer a review, or vouch for a quarantined memory; who comes second is told."""
        return self._desks.reviewing.decide(id, approve=approve, by=by)

    def now(self) -> datetime:
        """The time by this hall's clock."""
        return self._clock()

    def shelves(self) -> Sequence[Shelf]:
        """The project's shelf, and the user's own where there is one."""
        own = self._stores.user(False)
        return [self.shelf, own] if own is not None else [self.shelf]
