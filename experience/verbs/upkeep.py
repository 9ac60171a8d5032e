"""The verbs of the whole store: looking at it, checking it, keeping it sound."""

from __future__ import annotations

import json

from experience import checks
from experience.clock import to_text
from experience.layers.events import checked_type
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from experience.db import Store
    from experience.desks.audit import Audit
    from experience.layers.events import Verification
    from experience.layers.vectors import Passage
    from experience.models import Episode, Experience, Injection, Json, MemoryItem, Procedure

    Anything: TypeAlias = Experience | MemoryItem | Episode | Procedure | Injection | Passage

INDEXED = ("experiences", "memories", "episodes", "procedures", "turns", "passages")


class UpkeepVerbs(Verbs):
    """Get, erase, log, stats, audit, verify, reindex."""

    def get(self, id: str) -> Anything:
        """The thing with this id."""
        checks.text("id", id, most=200)
        shelf = self.shelf
        if id.startswith("exp_"):
            return self._desks.experiences.get(id)
        if id.startswith("inj_"):
            return shelf.injections.get(id)
        if id.startswith("pas_"):
            return self._desks.vectors.get(id)
        if id.startswith(("ep_", "proc_")):
            return self._desks.episodes.get(id)
        return self._desks.memories.get(id)

    def erase(self, id: str) -> None:
        """Remove an experience or a memory for good, every word of it; the event log keeps its id alone."""
        if id.startswith("exp_"):
            self._desks.experiences.erase(id)
        elif id.startswith("pas_"):
            self._desks.vectors.forget(id)
        else:
            self._desks.memories.forget(id)

    def log(self, type: str, subject: str = "", **data: Json) -> None:
        """Write an event of your own into the log, such as `tool.called`."""
        from experience.desks.intake import Intake

        intake = Intake()
        clean = json.loads(intake.json("data", data))
        self.shelf.events.append(
            checked_type(type), subject and intake.text("subject", subject, most=200), self._clock(), actor=self._actor,
            **{**clean, **intake.told()},
        )  # fmt: skip

    def stats(self) -> dict[str, Any]:
        """What is in the store."""
        shelf, own = self.shelf, self._stores.user(False)
        return {
            "project": self.project, "store": self.store.where, **shelf.experiences.stats(),
            "memories": shelf.memories.stats(), "user_memories": own.memories.stats() if own else None,
            "episodes": shelf.episodes.count(), "procedures": shelf.procedures.count(),
            "turns": shelf.episodic.count(), "injections": shelf.injections.count(),
            "outcomes": shelf.outcomes.count(), "events": shelf.events.count(),
            "cache": self._desks.recalls.cached(), "search": self._desks.vectors.state(),
            "at": to_text(self._clock()),
        }  # fmt: skip

    def audit(self) -> Audit:
        """What in the store should not be there: secrets, duplicates, junk, stale and contradicting memories."""
        return self._desks.audit.audit()

    @property
    def user(self) -> Store:
        """The user's own store, made when first needed; it stays on this machine whatever the project's URL says."""
        shelf = self._stores.user(True)
        assert shelf is not None  # noqa: S101  # asked to make it
        return shelf.store

    def verify(self) -> Verification:
        """Whether the event logs of both stores are as they were written; names the first row that is not."""
        found = self.shelf.events.verify()
        own = self._stores.user(False)
        if found.whole and own is not None:
            theirs = own.events.verify()
            return theirs.replace(checked=found.checked + theirs.checked)
        return found

    def reindex(self) -> int:
        """Make everything derived anew from the canonical rows; returns how many were indexed."""
        rows = sum(shelf.index(table).rebuild() for shelf in self._desks.memories.shelves() for table in INDEXED)
        self._finder.forget()
        self._desks.vectors.reindex()
        return rows

    def warm(self) -> None:
        """Build the live index now instead of after the first few finds."""
        self._finder.warm(self._clock())
