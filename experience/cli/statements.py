"""The commands of memories: learning and recalling them, and what is done to one by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from experience.cli import listing, place, show
from experience.cli.group import Call, cited, command, limit, moment, tags
from experience.errors import InvalidInput
from experience.models import MEMORY_TYPES, PRIORITIES, REACHES
from experience.verbs.statements import STATES

if TYPE_CHECKING:
    from experience.models import MemoryItem

TYPES, PRESSING = click.Choice(MEMORY_TYPES), click.Choice(PRIORITIES)
identified = click.argument("id", type=cited, metavar="ID")


@command("learn")
@click.argument("content")
@click.option("--type", "kind", type=TYPES, default="fact", show_default=True)
@click.option("--priority", type=PRESSING, help="By default the type tells.")
@click.option("--scope", metavar="GLOB", help="The files it is about, such as 'src/**/*.py'; by default all.")
@tags()
@click.option("--reach", type=click.Choice(REACHES), default="project", show_default=True)
@click.option("--title", metavar="TEXT", help="By default its first words.")
@click.option("--source", default="user", show_default=True, help="Whose words these are: user, agent, tool, file, …")
def learn(call: Call, content: str, kind: str, **given: Any) -> None:
    """Store a statement; known already, it is reinforced."""
    with call.opened(make=True) as memory:
        made = memory.learn(content, kind, **given)
    call.answer(made, lambda: show.out(made.id))
    if not call.as_json:
        _comment(made)


@command("recall")
@click.argument("query")
@click.option("--type", "kind", type=TYPES)
@click.option("--scope", metavar="SCOPE", help="user, project, a glob, or a path.")
@click.option("--max-tokens", type=int, help="Only as many as fit.")
@limit(10)
@click.option("--no-touch", is_flag=True, help="Only look: it counts as no recall.")
@click.option("--as-of", metavar="TIME", help="What was held true then, such as 2026-11-18 or 2026-11-18T09:30Z.")
def recall(
    call: Call, query: str, kind: str | None, scope: str | None, max_tokens: int | None, limit: int, no_touch: bool,
    as_of: str | None,
) -> None:  # fmt: skip
    """Recall and reinforce memories about QUERY, best first."""
    then = moment("--as-of", as_of)
    with call.opened() as memory:
        found = memory.recall(query, kind, scope, max_tokens, limit, touch=not no_touch, as_of=then)
    call.answer(found, lambda: listing.recalled(found))


@command("memories")
@click.option("--type", "kind", type=TYPES)
@click.option("--state", type=click.Choice(STATES), default="current", show_default=True)
@limit(20)
def memories(call: Call, kind: str | None, state: str, limit: int) -> None:
    """List memories, the newest first."""
    with call.opened() as memory:
        found = memory.memories(kind, state, limit)
    call.answer(found, lambda: listing.memories(found))


@command("scoped")
@click.argument("path")
def scoped(call: Call, path: str) -> None:
    """List the memories whose scope covers the file at PATH."""
    with call.opened() as memory:
        found = memory.scoped(place.at_hand(memory.root, path))
    call.answer(found, lambda: listing.memories(found))


@command("update")
@identified
@click.option("--content", metavar="TEXT")
@click.option("--type", type=TYPES)
@click.option("--priority", type=PRESSING)
@click.option("--scope", metavar="GLOB", help="An empty one makes it hold everywhere.")
@tags("Replaces all tags; may be repeated; an empty one leaves none.")
@click.option("--title", metavar="TEXT")
def update(call: Call, id: str, tags: tuple[str, ...], **given: str | None) -> None:
    """Change a memory; its history keeps what it said."""
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if "scope" in changes:
        changes["scope"] = changes["scope"] or None
    if tags:
        changes["tags"] = [tag for tag in tags if tag]
    if not changes:
        raise InvalidInput("nothing to change: give --content, --type, --priority, --scope, --tag or --title")
    with call.opened() as memory:
        after = memory.update(id, **changes)
    call.answer(after, lambda: listing.memories([after]))


@command("forget")
@identified
def forget(call: Call, id: str) -> None:
    """Remove a memory for good, every word of it."""
    with call.opened() as memory:
        memory.forget(id)
    call.answer({"forgotten": id}, lambda: show.out(f"forgot {id}"))


@command("archive")
@identified
def archive(call: Call, id: str) -> None:
    """Keep a memory out of injections; it is still recalled."""
    with call.opened() as memory:
        after = memory.archive(id)
    call.answer(after, lambda: listing.memories([after]))


@command("remember")
@identified
def remember(call: Call, id: str) -> None:
    """Keep a memory fresh: it decays from today on."""
    with call.opened() as memory:
        after = memory.remember(id)
    call.answer(after, lambda: listing.memories([after]))


@command("history")
@identified
def history(call: Call, id: str) -> None:
    """Show what a memory said before, and what it replaced."""
    with call.opened() as memory:
        now, found = memory.get(id), memory.history(id)
    call.answer(found, lambda: listing.history(found))
    if not (call.as_json or found):
        show.say(f"{now.id} says what it said when it was learned")


@command("core-memory")
def core_memory(call: Call) -> None:
    """Print when to save and every entry, for a system prompt."""
    with call.opened() as memory:
        text, entries = memory.formatted_memories(), memory.manage_core_memory("search")
    call.answer({"text": text, "entries": entries}, lambda: show.out(text))


def _comment(made: MemoryItem) -> None:
    """What a person should know of what they just taught."""
    if made.quarantine_reason:
        show.say(f"in quarantine, never injected: {made.quarantine_reason}")
    elif made.reinforcement_count > 1:
        show.say(f"known already; reinforced, now {made.reinforcement_count}×")
