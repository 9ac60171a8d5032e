"""The commands of runs: what an agent said and did, a log per run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from experience.cli import show
from experience.cli.group import Call, command, experience, limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experience.models import Run, Turn

run = click.argument("run", metavar="RUN")


@experience.group("runs")
def runs() -> None:
    """The logs of what agents said and did, a log per run."""


@command("list", group=runs)
@click.option("--session", metavar="NAME", help="Only those of one conversation.")
@limit(20, "The newest so many.")
def list_(call: Call, session: str | None, limit: int) -> None:
    """List the runs, the newest first."""
    with call.opened() as memory:
        found = memory.episodic.runs(session, limit)
    call.answer(found, lambda: _runs(found))


@command("show", group=runs)
@run
def show_(call: Call, run: str) -> None:
    """Show what was said and done in a run, in order."""
    with call.opened() as memory:
        one, turns = memory.episodic.get(run), memory.episodic.turns(run)
    call.answer({**one.as_dict(), "log": turns}, lambda: _run(one, turns))


@command("export", group=runs)
@run
def export(call: Call, run: str) -> None:
    """Print the log of a run as JSON, one turn a line."""
    with call.opened() as memory:
        show.exactly(memory.episodic.export(run))


@command("search", group=runs)
@click.argument("query")
@limit(20)
def search(call: Call, query: str, limit: int) -> None:
    """Find turns of all runs, of archived ones, too."""
    with call.opened() as memory:
        found = memory.episodic.search(query, limit)
    call.answer(found, lambda: _turns(found))


def _runs(found: Sequence[Run]) -> None:
    for one in found:
        state = f"archived {one.archived_at:%Y-%m-%d %H:%M}" if one.archived_at else "open"
        learned = f"  learned {one.experience}" if one.experience else ""
        show.out(f"{one.id}  {one.started_at:%Y-%m-%d %H:%M}  {one.turns:>5} turns  {state}  {one.host}{learned}")
    if not found:
        show.say("no run was logged yet; `experience install HOST` connects an agent")


def _run(one: Run, turns: Sequence[Turn]) -> None:
    state = f"archived {one.archived_at:%Y-%m-%d %H:%M}" if one.archived_at else "open"
    show.out(
        f"{one.id}  began {one.started_at:%Y-%m-%d %H:%M:%S}, {state}, session {show.one_line(one.session or '-')}"
    )
    _turns(turns)


def _turns(found: Sequence[Turn]) -> None:
    for at, turn in enumerate(found, 1):
        ended = "" if turn.ok is None else " ok" if turn.ok else " failed"
        label = f"{turn.kind}{f' {turn.tool}' if turn.tool else ''}{ended}"
        show.out(f"{at:>4}  {turn.created_at:%H:%M:%S}  {show.one_line(label):24}  {show.one_line(turn.content)}")
    if not found:
        show.say("nothing was logged")
