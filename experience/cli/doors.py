"""The commands that connect agents: the hook itself, connecting a host, letting it go, and looking for trouble."""

from __future__ import annotations

import difflib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from experience.cli import place, show
from experience.cli.group import Call, command, experience
from experience.errors import ExperienceError
from experience.hooks.hosts import NAMES, host
from experience.hooks.install import carrying, checkup, places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from experience.hooks.install.carrying import Change

HERE = "."  # what --project alone stands for


@command("hook")
@click.argument("host", metavar="HOST")
@click.argument("event", metavar="EVENT")
def hook(call: Call, host: str, event: str) -> None:
    """Answer an EVENT of a HOST: JSON on stdin, JSON out."""
    from experience.hooks.launch import main

    if call.url:
        os.environ["EXPERIENCE_URL"] = call.url
    main([host, event], root=None if call.project is None else place.project_root(call.project))


def connecting(work: Callable[..., None]) -> Callable[..., None]:
    """The arguments of install and uninstall; `--project` may stand alone, or name a directory."""

    def guarded(
        host: str, user: bool, project: str | None, url: str | None, dry_run: bool, as_json: bool
    ) -> None:  # fmt: skip
        try:
            root = place.project_root(None if project in (None, HERE) else project)
            work(Call(project=root, url=url, as_json=as_json), host, user=user, dry_run=dry_run)
        except ExperienceError as error:
            show.say(f"experience: {error}")
            sys.exit(1)

    whole: Callable[..., None] = guarded
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
        click.option("--dry-run", is_flag=True, help="Only show what would be written."),
        click.option("--url", metavar="URL", help="Use this libSQL server instead of a file."),
        click.option("--user", is_flag=True, help="In the user's settings, for every project with a memory."),
        click.option(
            "--project", is_flag=False, flag_value=HERE, metavar="[DIR]", help="In the project's settings: the default."
        ),
        click.argument("host", metavar="HOST", type=click.Choice(NAMES)),
    ):
        whole = option(whole)
    whole.__doc__ = work.__doc__
    return whole


def _install(call: Call, name: str, *, user: bool, dry_run: bool) -> None:
    """Connect a HOST: its hooks and the MCP server."""
    root = str(call.project)
    changes = carrying.connecting(places.edits(name, places.place(root, user=user)))
    if not dry_run:
        if not user:
            place.opened(root, call.url, make=True).close()  # hooks are silent where no memory lives
        carrying.carry_out(changes)
    call.answer(_plain(changes), lambda: _told(changes, dry_run=dry_run))
    if not (dry_run or call.as_json):
        after = "; run `experience init` in a project to give it a memory" if user else ""
        show.say(f"{host(name).TITLE} is connected; start a new session{after}")


def _uninstall(call: Call, name: str, *, user: bool, dry_run: bool) -> None:
    """Take exactly what install added out of a HOST again."""
    changes = carrying.leaving(places.edits(name, places.place(str(call.project), user=user)))
    if not dry_run:
        carrying.clear_away(changes)
    call.answer(_plain(changes), lambda: _told(changes, dry_run=dry_run))
    if not any(one.before != one.after for one in changes) and not call.as_json:
        other = "without --user" if user else "--user"
        show.say(f"nothing of ours is there; try `experience uninstall {name} {other}`")


install = experience.command("install")(connecting(_install))
uninstall = experience.command("uninstall")(connecting(_uninstall))


@command("doctor")
def doctor(call: Call) -> None:
    """Look for trouble and say what to do about it."""
    found = list(checkup.look(place.project_root(call.project), call.url))
    call.answer(found, lambda: _findings(found))
    sys.exit(0 if all(one.well for one in found) else 1)


def _findings(found: Sequence[checkup.Finding]) -> None:
    for one in found:
        show.out(f"{'ok  ' if one.well else 'FIX '} {one.name:20} {one.words}")
        if one.todo:
            show.say(f"{one.name}: {one.todo}")


def _plain(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [{"path": one.path, "change": one.kind} for one in changes]


def _told(changes: Sequence[Change], *, dry_run: bool) -> None:
    """What happens to each file; before it does, also the lines."""
    for one in changes:
        show.out(f"{one.kind:9}  {one.path}")
        if dry_run and one.before != one.after:
            was, becomes = (one.before or "").splitlines(), (one.after or "").splitlines()
            for line in difflib.unified_diff(was, becomes, lineterm="", n=2):
                show.out(f"  {line}")
