"""What a step is given, and what it gives back: a plan of changes, made before anything is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from experience.layers.nights import Change as Change
from experience.values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from experience.desks.shelf import Shelf
    from experience.memory import Memory


class Night(Value):
    """One run on one shelf: the hall, the shelf, the time it began, and its id."""

    memory: Memory
    shelf: Shelf
    now: datetime
    run: str
    dry_run: bool

    def tell(self, event: str, subject: str, **data: Any) -> None:
        """Append an event of this run."""
        self.shelf.events.append(event, subject, self.now, actor="night", **{"run": self.run, **data})

    def setting(self, name: str) -> Any:
        """A setting in force."""
        return self.memory.settings[name]


class Step(Protocol):
    """A module of `jobs.steps`: one verb. `plan` reads and decides; `apply` does some of the plan, all or nothing.

    A step may also have `idle(night)`, which says why there is nothing to do tonight, `TOGETHER`, how many changes go
    into one transaction, and `ALONE`, for work that changes no row and takes too long to keep writers waiting.
    """

    NAME: str

    def plan(self, night: Night) -> Sequence[Change]:
        """Everything the step would change, decided without touching anything."""

    def apply(self, night: Night, changes: Sequence[Change]) -> Sequence[Change]:
        """Make these changes inside the transaction that is open; returns those that still held, for the way back."""


class StepReport(Value):
    """What one step did."""

    step: str
    state: str  # running, done, failed, skipped, stopped, planned
    planned: int
    changed: int
    duration_s: float
    actions: dict[str, int]
    error: str | None = None
    note: str | None = None  # why there was nothing to do
    reach: str = "project"  # whose store: the project's, or the user's own


class Report(Value):
    """What a night did, on one shelf or on both."""

    run: str
    state: str
    dry_run: bool
    steps: tuple[StepReport, ...]
    changes: tuple[Change, ...]  # of a dry run: the very plan
    duration_s: float

    @property
    def changed(self) -> int:
        """How many things were changed."""
        return sum(one.changed for one in self.steps)
