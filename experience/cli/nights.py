"""The commands of the night: doing it, its schedule and history, undoing it, backups, and what waits for a person."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

import click

from experience.cli import listing, show
from experience.cli.group import Call, cited, command, experience, limit
from experience.errors import NotFound
from experience.neighbours import neighbour

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from experience.layers.nights import Change, Run
    from experience.layers.reviews import Review
    from experience.memory import Memory
    from experience.models import MemoryItem

LASTING = ("weighed", "purged", "rebuilt", "copied", "removed")  # done to weights, indexes and copies: no way back


@command("consolidate")
@click.option("--dry-run", is_flag=True, help="Only show the plan, which is the very one that would be done.")
@click.option("--only", metavar="STEP", help="Do one step alone; `experience jobs list` names them.")
def consolidate(call: Call, dry_run: bool, only: str | None) -> None:
    """Do the night now: decay, prune, fold, archive, back up."""
    _night(call, dry_run=dry_run, only=only)


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
    """Bring back an archived memory, or a store from a backup."""
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
    seen = {**told, "next": f"{coming:%Y-%m-%d %H:%M %Z}" if coming else "never"}
    call.answer(told, lambda: show.pairs({name: show.plain(value) for name, value in seen.items()}))


@command("run", group=jobs)
@click.option("--forever", is_flag=True, help="Stay, and do every night at its hour.")
def run(call: Call, forever: bool) -> None:
    """Do the night now, or stay and do every night."""
    if not forever:
        _night(call)
    with call.opened() as memory:
        ready = lambda at: show.say(f"the next night is at {at:%Y-%m-%d %H:%M %Z}; Ctrl-C ends it")  # noqa: E731
        neighbour("jobs.scheduler").run_forever(memory, ready)


@command("history", group=jobs)
@limit(20, "The newest so many.")
def history(call: Call, limit: int) -> None:
    """List the runs of the night, the newest first."""
    with call.opened() as memory:
        found, held = memory.runs(limit=limit), memory.shelf.leases.holder("night", memory.now())
    call.answer(found, lambda: _runs(found, held))


@command("show", group=jobs)
@click.argument("run", metavar="RUN")
def show_(call: Call, run: str) -> None:
    """Show what one run did, step by step."""
    with call.opened() as memory:
        found = memory.shelf.nights.get(run)
        changes = [one for shelf in memory.shelves() for one in shelf.nights.changes(run)]
    call.answer({**found.as_dict(), "changes": changes}, lambda: _run(found, changes))


@experience.group("review")
def review() -> None:
    """What waits for a person's decision."""


@command("list", group=review)
@limit(50, "The oldest so many.")
def waiting(call: Call, limit: int) -> None:
    """List open questions and quarantined memories."""
    with call.opened() as memory:
        asked, held = memory.reviews(limit=limit), memory.memories(state="quarantined", limit=limit)
        questions = [] if call.as_json else [(one, _question(memory, one)) for one in asked]
    call.answer({"reviews": asked, "quarantined": held}, lambda: _waiting(questions, held))


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


def _night(call: Call, *, dry_run: bool = False, only: str | None = None) -> NoReturn:
    """Do the night and tell about it; Ctrl-C ends it between two changes."""
    try:
        with call.opened() as memory:
            report = memory.consolidate(dry_run, only=only, tell=_bar(quiet=call.as_json))
    except KeyboardInterrupt:
        show.say("\nthe night was stopped; what it did stays done, and `experience consolidate` does the rest")
        sys.exit(130)
    call.answer(report, lambda: _report(report))
    sys.exit(1 if report.state == "failed" else 0)


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
    own = [one for one in report.steps if one.reach == "user"]
    for one in report.steps:
        if one.reach != "user":
            show.out(f"{one.step:12} {one.state:8} {_did(one.as_dict())}")
    if own:
        show.out(f"the user's own store:{'' if _busy(own) else ' nothing to do'}")
    for one in _busy(own):
        show.out(f"  {one.step:12} {one.state:8} {_did(one.as_dict())}")
    for change in report.changes:
        show.out(f"would be {change.action:12} {change.kind:10} {change.subject}{_fate(change)}")
    verb = "would change" if report.dry_run else "changed"
    count = len(report.changes) if report.dry_run else report.changed
    back = any(action not in LASTING for one in report.steps for action in one.actions) and not report.dry_run
    way = f"; `experience undo {report.run}` brings back what it took" if back else ""
    show.say(f"{verb} {count:,} {'thing' if count == 1 else 'things'} in {report.duration_s:.1f} s{way}")


def _busy(steps: Iterable[Any]) -> list[Any]:
    return [one for one in steps if one.actions or one.error]


def _fate(change: Change) -> str:
    """What becomes of it, where that can be said in a few words."""
    became = change.became
    into = became.get("folded_into") or became.get("superseded_by") or became.get("other")
    return f" → {into}" if into else f"  {show.one_line(became['content'])}" if "content" in became else ""


def _did(step: dict[str, Any]) -> str:
    """What a step did, or why it did nothing."""
    did = ", ".join(f"{action} {count:,}" for action, count in step["actions"].items())
    return "; ".join(filter(None, (did, step.get("error"), step.get("note")))) or "nothing to do"


def _runs(found: Sequence[Run], held: str | None) -> None:
    for one in found:
        changed = sum(int(step["changed"]) for step in one.report)
        began, live = one.started_at.astimezone(), _live(one, held) if one.state == "running" else ""
        show.out(f"{one.id}  {began:%Y-%m-%d %H:%M}  {one.state:11}  changed {changed:,}{live}")
    if not found:
        show.say("no night was done yet; `experience consolidate` does one now")


def _live(one: Run, held: str | None) -> str:
    """How far a run has come."""
    gone = "" if held else "; its runner is gone, the next night finishes it"
    return f"  {one.progress:.0%} {one.step or ''}{gone}"


def _run(found: Run, changes: Sequence[Change]) -> None:
    began = found.started_at.astimezone()
    show.out(f"{found.id}  {found.state}, began {began:%Y-%m-%d %H:%M:%S}, by {found.holder}")
    for step in found.report:
        show.out(f"{step['step']:12} {step['state']:8} {step['duration_s']:7.2f} s  {_did(step)}")
    for table, before, after in _figures(found):
        show.out(f"{table:12} {before:>10} → {after}")
    back = sum(change.kind in neighbour("jobs.undo").KINDS for change in changes)
    show.say(f"{back:,} changes may be undone with `experience undo {found.id}`")


def _figures(found: Run) -> Iterator[tuple[str, str, str]]:
    """Rows of each table that grew or shrank, and the bytes, before the run and after it."""
    before, after = ({**one.get("rows", {}), "bytes": one.get("bytes", 0)} for one in (found.before, found.after))
    for name in before:
        if found.after and before[name] != after.get(name, before[name]):
            yield name, f"{before[name]:,}", f"{after[name]:,}"


def _waiting(asked: Iterable[tuple[Review, str]], held: Iterable[MemoryItem]) -> None:
    questions = (f"{one.id}  {one.kind:12}  {question}" for one, question in asked)
    kept = (f"{one.id}  quarantine    {one.trust:8}  {show.one_line(one.content)}" for one in held)
    show.lines(chain(questions, kept), "nothing waits for a decision")


def _question(memory: Memory, one: Review) -> str:
    """What a person is asked, in the words it is about."""
    if one.kind == "supersession":
        return f"{_words(memory, one.subject)} – instead of: {_words(memory, one.other)}"
    steps = one.detail.get("steps") or ()
    named = str(one.detail.get("name") or one.subject)
    return show.one_line(f"{named}: {' → '.join(map(str, steps)) if isinstance(steps, list) else steps}")


def _words(memory: Memory, id: str) -> str:
    try:
        return show.one_line(str(getattr(memory.get(id), "content", id)))
    except NotFound:
        return f"{id} (gone)"
