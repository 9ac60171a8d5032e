"""The commands of the whole store: making it, looking at it, checking it, keeping it sound, serving it."""

from __future__ import annotations

import sys
from typing import Any

import click

from experience.cli import listing, show
from experience.cli.group import Call, cited, command, json_or_text, limit, moment
from experience.cli.place import project_root
from experience.errors import InvalidInput
from experience.models import Experience, MemoryItem
from experience.neighbours import neighbour
from experience.settings import Settings, home_directory
from experience.values import Value


@command("init")
def init(call: Call) -> None:
    """Make a memory in this project, and the user's own."""
    with call.replace(project=call.project or ".").opened(make=True) as memory:
        made = {"project": memory.project, "store": memory.store.where, "user": memory.user.where}
    call.answer(made, lambda: show.pairs(made))


@command("get")
@click.argument("id", type=cited, metavar="ID")
def get(call: Call, id: str) -> None:
    """Show one thing in full by its id."""
    with call.opened() as memory:
        found = memory.get(id)
    call.answer(found, lambda: show.pairs({name: show.plain(value) for name, value in _told(found)}))


@command("stats")
def stats(call: Call) -> None:
    """Tell what is in the store."""
    with call.opened() as memory:
        found = memory.stats()
    call.answer(found, lambda: show.pairs(found))


@command("audit")
def audit(call: Call) -> None:
    """Look for secrets, duplicates, junk and the like in the store."""
    with call.opened() as memory:
        found = memory.audit()
    call.answer(found, lambda: listing.audit(found))
    sys.exit(1 if found.rate("secrets") else 0)


@command("events")
@click.option("--type", "kind", metavar="TYPE", help="Such as experience.recorded, or a whole category: experience.")
@click.option("--subject", metavar="ID", help="Only what happened to this.")
@click.option("--since", metavar="TIME", help="From this time on, such as 2026-11-18 or 2026-11-18T09:30Z.")
@click.option("--until", metavar="TIME", help="Before this time.")
@click.option("--where", multiple=True, metavar="FIELD=VALUE", help="Only events whose data says so; may be repeated.")
@click.option("--run", metavar="ID", help="Replay one run: everything in it, in order.")
@limit(50, "The newest so many.")
def events(
    call: Call, kind: str | None, subject: str | None, since: str | None, until: str | None, where: tuple[str, ...],
    run: str | None, limit: int,
) -> None:  # fmt: skip
    """List what happened, oldest first."""
    fields = dict(_field(one) for one in where)
    with call.opened() as memory:
        if run is not None:
            found = memory.events.replay(run)
        else:
            found = memory.events.list(
                type=kind, subject=subject, since=moment("--since", since), until=moment("--until", until),
                where=fields, newest_first=True, limit=limit,
            )[::-1]  # fmt: skip
    call.answer(found, lambda: listing.events(found))


@command("verify")
def verify(call: Call) -> None:
    """Check that no event was altered; name the first one."""
    with call.opened() as memory:
        found = memory.verify()
    if call.as_json:
        show.as_json(found)
    elif found.whole:
        show.out(f"{found.checked} events, every one as it was written")
    else:
        show.say(f"event {found.seq} in {found.store}: {found.reason}; {found.checked} before it are whole")
    sys.exit(0 if found.whole else 1)


@command("erase")
@click.argument("id", type=cited, metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(call: Call, id: str, yes: bool) -> None:
    """Remove an experience or a memory for good, after asking."""
    with call.opened() as memory:
        found = memory.get(id)
        if not isinstance(found, Experience | MemoryItem):
            kind = type(found).__name__.lower()
            raise InvalidInput(f"{id} is of the kind {kind}; only experiences and memories can be erased")
        words = found.intent if isinstance(found, Experience) else found.content
        if not yes:
            click.confirm(f"erase {id} ({show.one_line(words)}) for good?", abort=True, err=True)
        memory.erase(id)
    call.answer({"erased": id}, lambda: show.out(f"erased {id}"))


@command("reindex")
def reindex(call: Call) -> None:
    """Make every index anew from the stored rows."""
    with call.opened() as memory:
        rows, files = memory.reindex(), neighbour("memory_sync")
        if files.state(memory).files:
            rows += files.reindex(memory).chunks_indexed
    call.answer({"indexed": rows}, lambda: show.out(f"{rows} rows indexed anew"))


@command("settings")
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--user", is_flag=True, help="Write the user's file instead of the project's.")
def settings(call: Call, name: str | None, value: str | None, user: bool) -> None:
    """Show the settings and their sources, or set one."""
    root, home = project_root(call.project), home_directory()
    if name is not None and value is not None:
        if name == "night":
            neighbour("jobs.scheduler").trigger(value)  # refused here rather than at the next start
        Settings(home, root).write(name, value, user=user)
    found = [one for one in Settings(home, root).all() if name in (None, one.name)]
    if not found:
        raise InvalidInput(f"the setting {name!r} is unknown; `experience settings` shows them all")
    call.answer(found, lambda: listing.settings(found))


@command("up")
@click.option("--host", help="A loopback address.")
@click.option("--port", type=int, help="0 takes a free one.")
def up(call: Call, host: str | None, port: int | None) -> None:
    """Start the service on this machine and print its address."""
    from experience.cli.service import serve  # flask is loaded by the one command that serves

    with call.opened(make=True) as memory:
        serve(memory, host=host, port=port, as_json=call.as_json)


def _told(found: Value) -> list[tuple[str, object]]:
    """The fields a person reads; the trace of an injection is a table, which `explain` draws."""
    return [(name, value) for name, value in found.as_dict().items() if name != "trace"]


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"--where {text!r} must read FIELD=VALUE, such as --where type=task_solution")
    found = json_or_text(value)
    return name, found if isinstance(found, str | int | float) else value
