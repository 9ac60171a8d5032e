"""The commands of the night: doing it, its schedule and history, undoing it, backups, and what waits for a person."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from experience.cli import listing, show
from experience.cli.group import Call, cited, command, experience, limit
from experience.neighbours import neighbour

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from experience.layers.nights import Run
    from experience.layers.reviews import Review
    from experience.models import MemoryItem


@command("consolidate")
@click.option("--dry-run", is_flag=True, help="Only show the plan, which is the very one that would be done.")
@click.option("--only", metavar="STEP", help="Do one step alone; `experience jobs list` names them.")
def consolidate(call: Call, dry_run: bool, only: str | None) -> None:
    """Do the night now: decay, prune, fold, archive, back up."""
    with call.opened() as memory:
        report = memory.consolidate(dry_run, only=only, tell=_bar(quiet=call.as_json))
    call.answer(report, lambda: _report(report))
    sys.exit(1 if report.state == "failed" else 0)


@command("undo")
@click.argument("run", metavar="RUN")
def undo(call: Call, run: str) -> None:
    """Bring back what one run of the night took away."""
    with call.opened() as memory:
        done = memory.undo(run)
    call.answer(done, lambda: show.out(str(done)))


@command("restore")
@click.argument("what", metavar="ID|FILE")
@click.option("--user", is_flag=True, help="Of backups: the user's own store instead of the project's.")
def restore(call: Call, what: str, user: bool) -> None:
    """Bring back an archived memory by ID, or a store from a backup FILE."""
    with call.opened() as memory:
        if what.endswith(".db") or os.path.exists(what):
            done = neighbour("jobs.restore").restore(memory, what, user=user)
            call.answer(done, lambda: show.pairs(show.plain(done)))
        else:
            after = memory.restore(cited(what))
            call.answer(after, lambda: listing.memories([after]))


@experience.group("jobs")
def jobs() -> None:
    """The schedule of the night and its history."""


@command("list", group=jobs)
def list_(call: Call) -> None:
    """Show when the night is done, and its steps in order."""
    with call.opened() as memory:
        bell = neighbour("jobs.scheduler").Scheduler(memory)
        names = [step.NAME for step in neighbour("jobs.nightly").STEPS]
        coming = bell.next_night(datetime.now().astimezone())
        told = {"night": memory.settings["night"], "next": coming, "steps": names,
                "runs_now": memory.shelf.leases.holder("night", memory.now())}  # fmt: skip
    call.answer(told, lambda: show.pairs({name: show.plain(value) for name, value in told.items()}))


@command("run", group=jobs)
@click.option("--forever", is_flag=True, help="Stay, and do every night at its hour.")
def run(call: Call, forever: bool) -> None:
    """Do the night now, or stay and do every night."""
    with call.opened() as memory:
        if forever:
            ready = lambda at: show.say(f"the next night is at {at:%Y-%m-%d %H:%M %Z}; Ctrl-C ends it")  # noqa: E731
            neighbour("jobs.scheduler").run_forever(memory, ready)
            return
        report = memory.consolidate(tell=_bar(quiet=call.as_json))
    call.answer(report, lambda: _report(report))
    sys.exit(1 if report.state == "failed" else 0)


@command("history", group=jobs)
@limit(20, "The newest so many.")
def history(call: Call, limit: int) -> None:
    """List the runs of the night, the newest first."""
    with call.opened() as memory:
        found = memory.runs(limit=limit)
    call.answer(found, lambda: _runs(found))


@command("show", group=jobs)
@click.argument("run", metavar="RUN")
def show_(call: Call, run: str) -> None:
    """Show what one run did, step by step."""
    with call.opened() as memory:
        found = memory.shelf.nights.get(run)
        changes = list(memory.shelf.nights.changes(run))
    call.answer({**found.as_dict(), "changes": changes}, lambda: _run(found, len(changes)))


@experience.group("review")
def review() -> None:
    """What waits for a person's decision."""


@command("list", group=review)
@limit(50, "The oldest so many.")
def waiting(call: Call, limit: int) -> None:
    """List open questions and quarantined memories."""
    with call.opened() as memory:
        asked, held = memory.reviews(limit=limit), memory.memories(state="quarantined", limit=limit)
    call.answer({"reviews": asked, "quarantined": held}, lambda: _waiting(asked, held))


@command("approve", group=review)
@click.argument("id", type=cited, metavar="ID")
@click.option("--by", default="user", show_default=True, help="Who decides.")
def approve(call: Call, id: str, by: str) -> None:
    """Say yes to a question, or vouch for a quarantined memory."""
    _decide(call, id, by, approve=True)


@command("reject", group=review)
@click.argument("id", type=cited, metavar="ID")
@click.option("--by", default="user", show_default=True, help="Who decides.")
def reject(call: Call, id: str, by: str) -> None:
    """Say no to a question, or put a quarantined memory away."""
    _decide(call, id, by, approve=False)


def _decide(call: Call, id: str, by: str, *, approve: bool) -> None:
    with call.opened() as memory:
        done = memory.decide(id, approve=approve, by=by)
    call.answer(done, lambda: show.out(f"{id} {'approved' if approve else 'rejected'}"))


def _bar(*, quiet: bool) -> Any:
    """A progress bar on a terminal; nothing where a program reads along."""
    if quiet or not sys.stderr.isatty():
        return lambda step, share: None

    def draw(step: str, share: float) -> None:
        full = round(30 * share)
        sys.stderr.write(f"\r[{'#' * full}{'.' * (30 - full)}] {share:4.0%} {step:12}")
        if share >= 1:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return draw


def _report(report: Any) -> None:
    for one in report.steps:
        show.out(f"{one.step:12} {one.state:8} {_did(one.as_dict())}")
    for change in report.changes:
        show.out(f"would be {change.action:12} {change.kind:10} {change.subject}")
    verb = "would change" if report.dry_run else "changed"
    count = len(report.changes) if report.dry_run else report.changed
    back = "" if report.dry_run or not report.changed else f"; `experience undo {report.run}` brings it back"
    show.say(f"{verb} {count:,} things in {report.duration_s:.1f} s{back}")


def _did(step: dict[str, Any]) -> str:
    """What a step did, or why it did nothing."""
    did = ", ".join(f"{action} {count:,}" for action, count in step["actions"].items())
    return "; ".join(filter(None, (did, step.get("error"), step.get("note")))) or "nothing to do"


def _runs(found: Sequence[Run]) -> None:
    for one in found:
        changed = sum(int(step["changed"]) for step in one.report)
        show.out(f"{one.id}  {one.started_at:%Y-%m-%d %H:%M}  {one.state:11}  changed {changed:,}")
    if not found:
        show.say("no night was done yet; `experience consolidate` does one now")


def _run(found: Run, changes: int) -> None:
    show.out(f"{found.id}  {found.state}, began {found.started_at:%Y-%m-%d %H:%M:%S}, by {found.holder}")
    for step in found.report:
        show.out(f"{step['step']:12} {step['state']:8} {step['duration_s']:7.2f} s  {_did(step)}")
    show.say(f"{changes:,} changes may be undone with `experience undo {found.id}`")


def _waiting(asked: Iterable[Review], held: Iterable[MemoryItem]) -> None:
    shown = False
    for one in asked:
        show.out(f"{one.id}  {one.kind:12}  {one.subject}  {show.one_line(one.other)}")
        shown = True
    for memory in held:
        show.out(f"{memory.id}  quarantine    {memory.trust:8}  {show.one_line(memory.content)}")
        shown = True
    if not shown:
        show.say("nothing waits for a decision")
