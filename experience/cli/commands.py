"""Every command, with its help; each opens the hall, asks it one thing and shows the answer."""

from __future__ import annotations

import functools
import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from experience.cli import quick, show
from experience.cli.place import opened, project_root
from experience.errors import ExperienceError, InvalidInput
from experience.models import EXPERIENCE_TYPES
from experience.settings import Settings, home_directory
from experience.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="experience")
def experience() -> None:
    """A memory that lets AI agents learn from what happened."""


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the options all share; errors raised on purpose become one sentence and exit code 1."""

    def made(work: Callable[..., Any]) -> click.Command:
        @functools.wraps(work)
        def guarded(**options: Any) -> None:
            try:
                work(**options)
            except ExperienceError as error:
                show.say(f"experience: {error}")
                sys.exit(1)

        for option in (
            click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
            click.option("--url", metavar="URL", help="Use this libSQL server instead of a file."),
            click.option("--project", metavar="DIR", help="The project's directory; by default the nearest above."),
        ):
            guarded = option(guarded)
        return experience.command(name)(guarded)

    return made


@command("init")
def init(project: str | None, url: str | None, as_json: bool) -> None:
    """Make a memory in this project, and the user's own where there is none."""
    with opened(project or ".", url, make=True) as memory:
        made = {"project": memory.project, "store": memory.store.where, "user": memory.user.where}
    show.as_json(made) if as_json else show.pairs(made)


@command("record")
@click.argument("intent")
@click.argument("solution")
@click.option("--type", "kind", type=click.Choice(EXPERIENCE_TYPES), default="task_solution", show_default=True)
@click.option("--success", type=float, default=1.0, show_default=True, help="How well it went, from 0 to 1.")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="May be given several times.")
def record(
    project: str | None, url: str | None, as_json: bool, intent: str, solution: str, kind: str, success: float,
    tags: tuple[str, ...],
) -> None:  # fmt: skip
    """Record what was done for an INTENT; the SOLUTION is JSON or plain text."""
    with opened(project, url, make=True) as memory:
        made = memory.record(intent, _json_or_text(solution), type=kind, success_score=success, tags=tags)
    show.as_json(made) if as_json else show.out(made.id)


@command("find")
@click.argument("query")
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="Prefer experiences with this tag; may be repeated.")
@click.option("--limit", type=int, default=10, show_default=True)
def find(project: str | None, url: str | None, as_json: bool, query: str, tags: tuple[str, ...], limit: int) -> None:
    """Find past experiences similar to QUERY, best first."""
    asked = {"project": project, "url": url, "json": as_json, "query": query, "tag": tags, "limit": limit}
    sys.exit(quick.run(asked))


@command("get")
@click.argument("id")
def get(project: str | None, url: str | None, as_json: bool, id: str) -> None:
    """Show one experience in full."""
    with opened(project, url) as memory:
        found = show.plain(memory.get(id))
    show.as_json(found) if as_json else show.pairs(found)


@command("list")
@click.option("--type", "kind", type=click.Choice(EXPERIENCE_TYPES))
@click.option("--tag", metavar="WORD", help="Only those with this tag.")
@click.option("--limit", type=int, default=20, show_default=True)
def list_(project: str | None, url: str | None, as_json: bool, kind: str | None, tag: str | None, limit: int) -> None:
    """List experiences, the newest first."""
    with opened(project, url) as memory:
        found = memory.list(type=kind, tag=tag, limit=limit)
    show.as_json(found) if as_json else show.experiences(found)


@command("outcome")
@click.argument("id")
@click.argument("score", type=float)
@click.option("--channel", default="user", show_default=True, help="Who vouches for it: agent, user, tests, ci, …")
@click.option("--evidence", metavar="TEXT", help="JSON or plain text that shows it.")
def outcome(
    project: str | None, url: str | None, as_json: bool, id: str, score: float, channel: str, evidence: str | None
) -> None:
    """Say how the work with experience ID went: SCORE from 0 (failed) to 1 (worked)."""
    with opened(project, url) as memory:
        after = memory.outcome(id, score, channel=channel, evidence=evidence and _json_or_text(evidence))
    if as_json:
        show.as_json(after)
    else:
        show.out(f"{after.id}  success {after.success_score:.2f}, used {after.use_count} times")


@command("stats")
def stats(project: str | None, url: str | None, as_json: bool) -> None:
    """Tell what is in the store."""
    with opened(project, url) as memory:
        found = memory.stats()
    show.as_json(found) if as_json else show.pairs(found)


@command("events")
@click.option("--type", "kind", metavar="TYPE", help="Such as experience.recorded, or a whole category: experience.")
@click.option("--subject", metavar="ID", help="Only what happened to this.")
@click.option("--since", metavar="TIME", help="From this time on, such as 2026-11-18 or 2026-11-18T09:30Z.")
@click.option("--until", metavar="TIME", help="Before this time.")
@click.option("--where", multiple=True, metavar="FIELD=VALUE", help="Only events whose data says so; may be repeated.")
@click.option("--run", metavar="ID", help="Replay one run: everything in it, in order.")
@click.option("--limit", type=int, default=50, show_default=True, help="The newest so many.")
def events(
    project: str | None, url: str | None, as_json: bool, kind: str | None, subject: str | None, since: str | None,
    until: str | None, where: tuple[str, ...], run: str | None, limit: int,
) -> None:  # fmt: skip
    """List what happened, oldest first."""
    fields = dict(_field(one) for one in where)
    with opened(project, url) as memory:
        if run is not None:
            found = memory.events.replay(run)
        else:
            found = memory.events.list(
                type=kind, subject=subject, since=_moment("--since", since), until=_moment("--until", until),
                where=fields, newest_first=True, limit=limit,
            )[::-1]  # fmt: skip
    show.as_json(found) if as_json else show.events(found)


@command("verify")
def verify(project: str | None, url: str | None, as_json: bool) -> None:
    """Check that no event was altered; name the first that was."""
    with opened(project, url) as memory:
        found = memory.verify()
    if as_json:
        show.as_json(found)
    elif found.whole:
        show.out(f"{found.checked} events, every one as it was written")
    else:
        show.say(f"event {found.seq} in {found.store}: {found.reason}; {found.checked} before it are whole")
    sys.exit(0 if found.whole else 1)


@command("erase")
@click.argument("id")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(project: str | None, url: str | None, as_json: bool, id: str, yes: bool) -> None:
    """Remove an experience for good, every word of it."""
    with opened(project, url) as memory:
        intent = memory.get(id).intent
        if not yes:
            click.confirm(f"erase {id} ({show.one_line(intent)}) for good?", abort=True, err=True)
        memory.erase(id)
    show.as_json({"erased": id}) if as_json else show.out(f"erased {id}")


@command("reindex")
def reindex(project: str | None, url: str | None, as_json: bool) -> None:
    """Make every index anew from the stored rows."""
    with opened(project, url) as memory:
        rows = memory.reindex()
    show.as_json({"indexed": rows}) if as_json else show.out(f"{rows} experiences indexed anew")


@command("settings")
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--user", is_flag=True, help="Write the user's file instead of the project's.")
def settings(
    project: str | None, url: str | None, as_json: bool, name: str | None, value: str | None, user: bool
) -> None:
    """Show the settings and where each comes from; with NAME and VALUE, set one."""
    root, home = project_root(project), home_directory()
    if name is not None and value is not None:
        Settings(home, root).write(name, value, user=user)
    found = [one for one in Settings(home, root).all() if name in (None, one.name)]
    if not found:
        raise InvalidInput(f"the setting {name!r} is unknown; `experience settings` shows them all")
    if as_json:
        show.as_json(found)
    for one in () if as_json else found:
        show.out(f"{one.name:15} {show.one_line(str(one.value)):12} {one.source:10} {one.help}")


@command("up")
@click.option("--host", help="A loopback address.")
@click.option("--port", type=int, help="0 takes a free one.")
def up(project: str | None, url: str | None, as_json: bool, host: str | None, port: int | None) -> None:
    """Start the service on this machine and print its address."""
    from experience.cli.service import serve  # flask is loaded by the one command that serves

    with opened(project, url, make=True) as memory:
        serve(memory, host=host, port=port, as_json=as_json)


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"--where {text!r} must read FIELD=VALUE, such as --where type=task_solution")
    found = _json_or_text(value)
    return name, found if isinstance(found, str | int | float) else value


def _moment(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"{option} {text!r} is no time; write 2026-11-18 or 2026-11-18T09:30Z") from error
    return found if found.tzinfo else found.astimezone(UTC)
