"""The commands of the exchange: bringing in what was learned elsewhere, taking out what was learned here."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from experience.cli import show
from experience.cli.group import Call, command
from experience.errors import InvalidInput
from experience.exchange.arrival import TRUSTED
from experience.exchange.kinds import KINDS
from experience.verbs.exchange import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from experience.exchange.arrival import Imported
    from experience.exchange.writers.rules import Exported

user = click.option("--user", is_flag=True, help="The user's own store instead of the project's.")


@command("import")
@click.argument("path", metavar="FILE|DIR")
@click.option("--from", "kind", type=click.Choice(list(KINDS)), help="The format; by default the file tells.")
@click.option("--trust", type=click.Choice(TRUSTED), help="user: you vouch for it; external: believe nothing.")
@user
def import_(call: Call, path: str, kind: str | None, trust: str | None, user: bool) -> None:
    """Bring in transcripts, instructions or an export."""
    reach, whole = "user" if user else "project", os.path.abspath(path)
    with call.opened(make=True) as memory:
        done = memory.import_from(whole, kind, trust=trust, reach=reach, tell=_bar(quiet=call.as_json))
    call.answer(done, lambda: _imported(done))


@command("export")
@click.option("--format", "format", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option("--out", metavar="PATH", help="A file; for rules the project's directory. By default stdout, or here.")
@click.option("--remove", is_flag=True, help="Take rules out again that an export put in.")
@user
def export(call: Call, format: str, out: str | None, remove: bool, user: bool) -> None:
    """Print the store as JSON lines, or write rules for agents."""
    reach = "user" if user else "project"
    if user and format != "jsonl":
        raise InvalidInput("rules are versioned with the project; what is the user's own stays out of them")
    with call.opened() as memory:
        if format == "jsonl" and out is None and not remove:
            for line in memory.export_lines(reach=reach):
                show.exactly(line)
            return
        target = None if out is None else os.path.abspath(out)
        done = memory.export_to(target, format, reach=reach, remove=remove)
    call.answer(done, lambda: _exported(done))


def _bar(*, quiet: bool) -> Callable[[str, float], None]:
    """How far an import is, on a terminal; nothing where a program reads along."""
    if quiet or not sys.stderr.isatty():
        return lambda name, share: None

    def draw(name: str, share: float) -> None:
        sys.stderr.write(f"\r{min(share, 1):4.0%}  {show.one_line(name)[:60]:60}")
        if share >= 1:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return draw


def _imported(done: Imported) -> None:
    for kind, count in sorted(done.added.items()):
        show.out(f"{kind:14} {count:,} new")
    files = ", ".join(f"{count:,} × {kind}" for kind, count in sorted(done.files.items()))
    besides = f"; {done.outdated:,} are outdated by what is known since" if done.outdated else ""
    show.say(f"read {files or 'no file of a known format'}; {done.known:,} things were known{besides}")
    for one in done.complaints:
        show.say(f"left out: {one.file}:{one.line}: {show.one_line(one.why)}")
    if done.bad > len(done.complaints):
        show.say(f"left out: {done.bad - len(done.complaints):,} more lines")


def _exported(done: Exported) -> None:
    for path in done.files:
        show.out(path)
    for path in done.removed:
        show.say(f"taken out of {path}")
    rest = f"; {done.left_out:,} found no room" if done.left_out else ""
    show.say(f"{done.count:,} {'rows' if done.format == 'jsonl' else 'rules'} in {len(done.files):,} files{rest}")
