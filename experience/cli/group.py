"""What all commands share: the group they belong to, the options each one takes, and how it answers."""

from __future__ import annotations

import functools
import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from experience.cli import place, show
from experience.errors import ExperienceError, InvalidInput
from experience.values import Value
from experience.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from experience.memory import Memory

    Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="experience")
def experience() -> None:
    """A memory that lets AI agents learn from what happened."""


class Call(Value):
    """How a command was called: which store it speaks of, and whether a person or a program reads the answer."""

    project: str | None
    url: str | None
    as_json: bool

    def opened(self, *, make: bool = False) -> Memory:
        """The hall the command speaks of."""
        return place.opened(self.project, self.url, make=make)

    def answer(self, thing: object, shown: Callable[[], None]) -> None:
        """The thing as one JSON document, or shown to a person."""
        if self.as_json:
            show.as_json(thing)
        else:
            shown()


def command(name: str, *, group: click.Group = experience) -> Callable[[Callable[..., None]], click.Command]:
    """A command with the options all share; errors raised on purpose become one sentence and exit code 1."""

    def made(work: Callable[..., None]) -> click.Command:
        @functools.wraps(work)
        def guarded(project: str | None, url: str | None, as_json: bool, **options: Any) -> None:
            try:
                work(Call(project=project, url=url, as_json=as_json), **options)
            except ExperienceError as error:
                show.say(f"experience: {error}")
                sys.exit(1)

        whole: Callable[..., Any] = guarded
        for option in (
            click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
            click.option("--url", metavar="URL", help="Use this libSQL server instead of a file."),
            click.option("--project", metavar="DIR", help="The project's directory; by default the nearest above."),
        ):
            whole = option(whole)
        return group.command(name)(whole)

    return made


def tags(help: str = "May be given several times.") -> Decorator:
    """The option `--tag`, as often as there are tags."""
    return click.option("--tag", "tags", multiple=True, metavar="WORD", help=help)


def limit(default: int, help: str | None = None) -> Decorator:
    """The option `--limit`."""
    return click.option("--limit", type=int, default=default, show_default=True, help=help)


def cited(text: str) -> str:
    """An id, also as a block cites it: `[m:7f3a9cd]` is the memory 7f3a9cd."""
    bare = text.strip().removeprefix("[").removesuffix("]")
    prefix, colon, id = bare.partition(":")
    return id if colon and prefix in ("m", "e", "p") else bare


def said(text: str) -> str:
    """The words given, or all of stdin for a dash."""
    return place.read_stdin() if text == "-" else text


def json_or_text(text: str) -> Any:
    """What reads as JSON as that, anything else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def moment(option: str, text: str | None) -> datetime | None:
    """A day or a moment, in local time unless it says otherwise."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"{option} {text!r} is no time; write 2026-11-18 or 2026-11-18T09:30Z") from error
    return found if found.tzinfo else found.astimezone(UTC)
