"""The commands of episodes and procedures: what happened, and how things are done."""

from __future__ import annotations

import click

from experience.cli import listing, show
from experience.cli.group import Call, command, limit, tags


@command("episode")
@click.argument("event")
@click.option("--outcome", metavar="WORD", help="How it ended, such as failed or fixed.")
@tags()
@click.option("--session", metavar="NAME", help="The conversation it belongs to.")
@click.option("--source", default="agent", show_default=True, help="Whose words these are: user, agent, tool, file, …")
def episode(
    call: Call, event: str, outcome: str | None, tags: tuple[str, ...], session: str | None, source: str
) -> None:
    """Keep an EVENT worth remembering after the run."""
    with call.opened(make=True) as memory:
        made = memory.episode(event, outcome, tags, source=source, session=session)
    call.answer(made, lambda: show.out(made.id))


@command("episodes")
@click.argument("query", required=False)
@click.option("--tag", metavar="WORD", help="Only those with this tag.")
@click.option("--outcome", metavar="WORD", help="Only those that ended so.")
@limit(20)
def episodes(call: Call, query: str | None, tag: str | None, outcome: str | None, limit: int) -> None:
    """List the newest episodes, or those about a QUERY."""
    with call.opened() as memory:
        found = memory.episodes(query, tag, outcome, limit)
    call.answer(found, lambda: listing.episodes(found))


@command("procedure")
@click.argument("name")
@click.argument("steps", nargs=-1, required=True, metavar="STEP...")
@click.option("--context", metavar="TEXT", help="What it is for, in other words.")
@click.option("--source", default="agent", show_default=True, help="Whose words these are: user, agent, tool, file, …")
def procedure(call: Call, name: str, steps: tuple[str, ...], context: str | None, source: str) -> None:
    """Keep a workflow and its steps under a NAME."""
    with call.opened(make=True) as memory:
        made = memory.procedure(name, steps, context, source=source)
    call.answer(made, lambda: show.out(made.id))
    if not call.as_json and made.steps != tuple(step.strip() for step in steps):
        show.say(f"the procedure {made.name!r} kept the steps it has; `experience get {made.id}` shows them")
