"""The night: ordered steps, each read → plan → apply in short transactions → report → event.

A failing step is recorded and the rest go on. A run that was killed is finished by the next one: every step plans from
what is there, so what was done already is not planned again.
"""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from experience.errors import InvalidInput, StoreUnavailable
from experience.ids import new_id
from jobs.lease import Lease, LeaseLost
from jobs.night import Change, Night, Report, StepReport
from jobs.steps import (
    archive,
    backup,
    decay,
    dedupe,
    health,
    promote,
    prune,
    quarantine,
    reindex,
    sessions,
    supersede,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from experience.desks.shelf import Shelf
    from experience.memory import Memory
    from jobs.night import Step

    Tell: TypeAlias = Callable[[str, float], None]  # the step at work, and the share of the night that is done
    Stop: TypeAlias = Callable[[], bool]

JOB = "night"
TOGETHER = 200  # changes in one transaction: readers and writers beside it never wait long
STEPS: tuple[Step, ...] = (
    decay, prune, dedupe, supersede, promote, archive, quarantine, sessions, reindex, backup, health,
)  # fmt: skip

log = logging.getLogger("experience.night")


def consolidate(
    memory: Memory,
    *,
    dry_run: bool = False,
    only: str | None = None,
    tell: Tell = lambda step, share: None,
    stop: Stop = lambda: False,
) -> Report:
    """Do the night on the project's store, then on the user's own where there is one."""
    steps = _chosen(only)
    shelves = memory.shelves()
    reports, run = [], new_id("run_")  # one id on both shelves: undo brings back all of it
    for number, shelf in enumerate(shelves):
        share = lambda step, done, number=number: tell(step, (number + done) / len(shelves))  # noqa: E731
        reports.append(_Run(memory, shelf, run, steps, share, stop, dry_run=dry_run).run())
        if reports[-1].state == "stopped":
            break
    return _joined(reports)


def _chosen(only: str | None) -> tuple[Step, ...]:
    steps = tuple(step for step in STEPS if only in (None, step.NAME))
    if not steps:
        raise InvalidInput(f"step {only!r} is unknown; choose one of {', '.join(step.NAME for step in STEPS)}")
    return steps


class _Run:
    """One run on one shelf."""

    def __init__(
        self, memory: Memory, shelf: Shelf, run: str, steps: tuple[Step, ...], tell: Tell, stop: Stop, *, dry_run: bool
    ) -> None:
        self._memory, self._shelf, self._steps, self._tell, self._stop = memory, shelf, steps, tell, stop
        self._night = Night(memory=memory, shelf=shelf, now=memory.now(), run=run, dry_run=dry_run)
        self._reports: list[StepReport] = []
        self._changes: list[Change] = []
        self._began = monotonic()

    def run(self) -> Report:
        """Plan alone, or do everything while holding the lease."""
        if self._night.dry_run:
            for step in self._steps:
                self._look(step)
            return self._report("planned")
        with Lease(self._shelf, self._memory.now) as lease:
            self._begin(lease)
            try:
                state = self._do_all(lease)
            except KeyboardInterrupt:
                if self._reports and self._reports[-1].state == "running":
                    self._note(state="stopped")
                self._finish("stopped", lease)
                raise
            self._finish(state, lease)
            return self._report(state)

    def _begin(self, lease: Lease) -> None:
        night = self._night
        with self._shelf.store.transaction():
            lease.guard()
            self._shelf.nights.begin(night.run, JOB, lease.holder, lease.token, night.now, health.figures(self._shelf))
            night.tell("job.started", night.run, job=JOB, holder=lease.holder)

    def _do_all(self, lease: Lease) -> str:
        for number, step in enumerate(self._steps):
            if self._stop():
                return "stopped"
            self._do(step, number, lease)
            if self._reports[-1].state == "stopped":
                return "stopped"
        return "failed" if any(one.state == "failed" for one in self._reports) else "done"

    def _finish(self, state: str, lease: Lease) -> None:
        with self._shelf.store.transaction():
            lease.guard()
            self._shelf.nights.finish(
                self._night.run, state, self._memory.now(), self._told(), health.figures(self._shelf)
            )
            self._night.tell("job.finished", self._night.run, state=state, changed=self._report(state).changed)

    def _do(self, step: Step, number: int, lease: Lease) -> None:
        began = monotonic()
        self._reports.append(_begun(step, self._shelf, "running"))
        try:
            self._note(state=self._work(step, number, lease))
        except LeaseLost:
            raise
        except Exception as problem:  # one broken step must not keep the others from their work; it is written down
            log.debug("the step %s failed", step.NAME, exc_info=True)
            self._note(state="failed", error=f"{type(problem).__name__}: {problem}")
        self._note(duration_s=round(monotonic() - began, 3))
        self._advance(step, (number + 1) / len(self._steps), lease)

    def _work(self, step: Step, number: int, lease: Lease) -> str:
        """Plan and do one step; returns the state it ended in."""
        if note := _idle(step, self._night):
            self._note(note=note)
            return "skipped"
        plan, made = step.plan(self._night), Counter[str]()
        self._note(planned=len(plan))
        together = getattr(step, "TOGETHER", TOGETHER)
        for start in range(0, len(plan), together):
            if self._stop():
                return "stopped"
            self._advance(step, (number + start / len(plan)) / len(self._steps), lease)
            made += self._apply(step, plan[start : start + together], lease)
            self._note(changed=made.total(), actions=dict(made))
        return "done"

    def _note(self, **seen: Any) -> None:
        """Write into the report of the step at work."""
        self._reports[-1] = self._reports[-1].replace(**seen)

    def _apply(self, step: Step, changes: Sequence[Change], lease: Lease) -> Counter[str]:
        alone = getattr(step, "ALONE", False)  # what takes long and changes no row must not keep writers waiting
        done = step.apply(self._night, changes) if alone else []
        with self._shelf.store.transaction():
            lease.guard()
            done = done if alone else step.apply(self._night, changes)
            self._shelf.nights.keep(self._night.run, done)
        return _counted(done)

    def _advance(self, step: Step, share: float, lease: Lease) -> None:
        # Where a night stands is a courtesy: a store that is locked for a while fails what is to be done, not the rest.
        with suppress(StoreUnavailable), self._shelf.store.transaction():
            lease.guard()
            self._shelf.nights.advance(self._night.run, step.NAME, share, self._told())
        self._tell(step.NAME, share)

    def _look(self, step: Step) -> None:
        began = monotonic()
        note = _idle(step, self._night)
        plan = [] if note else step.plan(self._night)
        self._changes += plan
        self._reports.append(_begun(step, self._shelf, "skipped" if note else "planned"))
        self._note(planned=len(plan), actions=dict(_counted(plan)), note=note, duration_s=round(monotonic() - began, 3))

    def _told(self) -> list[dict[str, object]]:
        return [one.as_dict() for one in self._reports]

    def _report(self, state: str) -> Report:
        return Report(
            run=self._night.run, state=state, dry_run=self._night.dry_run, steps=tuple(self._reports),
            changes=tuple(self._changes), duration_s=round(monotonic() - self._began, 3),
        )  # fmt: skip


def _idle(step: Step, night: Night) -> str | None:
    """Why a step has nothing to do tonight, where it can say so."""
    reason: str | None = getattr(step, "idle", lambda night: None)(night)
    return reason


def _begun(step: Step, shelf: Shelf, state: str) -> StepReport:
    return StepReport(
        step=step.NAME, state=state, planned=0, changed=0, duration_s=0.0, actions={}, reach=shelf.reach
    )  # fmt: skip


def _counted(changes: Sequence[Change]) -> Counter[str]:
    """How much was done, by action; some changes stand for many rows."""
    counts = Counter[str]()
    for one in changes:
        counts[one.action] += one.became.get("rows", 1)
    return counts


def _joined(reports: Sequence[Report]) -> Report:
    """The report of the project's run with the user's behind it."""
    first = reports[0]
    if len(reports) == 1:
        return first
    worst = next((one.state for one in reports if one.state in ("stopped", "failed")), first.state)
    return first.replace(
        state=worst, steps=tuple(step for one in reports for step in one.steps),
        changes=tuple(change for one in reports for change in one.changes),
        duration_s=sum(one.duration_s for one in reports),
    )  # fmt: skip
