"""The commands of experiences: record, find, list."""

from __future__ import annotations

import sys

import click

from experience.cli import listing, quick, show
from experience.cli.group import Call, command, json_or_text, limit, tags
from experience.models import EXPERIENCE_TYPES


@command("record")
@click.argument("intent")
@click.argument("solution")
@click.option("--type", "kind", type=click.Choice(EXPERIENCE_TYPES), default="task_solution", show_default=True)
@click.option("--success", type=float, default=1.0, show_default=True, help="How well it went, from 0 to 1.")
@tags()
def record(call: Call, intent: str, solution: str, kind: str, success: float, tags: tuple[str, ...]) -> None:
    """Record the SOLUTION, JSON or text, found for an INTENT."""
    with call.opened(make=True) as memory:
        made = memory.record(intent, json_or_text(solution), type=kind, success_score=success, tags=tags)
    call.answer(made, lambda: show.out(made.id))


@command("find")
@click.argument("query")
@tags("Prefer experiences with this tag; may be repeated.")
@limit(10)
def find(call: Call, query: str, tags: tuple[str, ...], limit: int) -> None:
    """Find past experiences similar to QUERY, best first."""
    sys.exit(quick.run("find", {**call.as_dict(), "query": query, "tag": tags, "limit": limit}))


@command("list")
@click.option("--type", "kind", type=click.Choice(EXPERIENCE_TYPES))
@click.option("--tag", metavar="WORD", help="Only those with this tag.")
@limit(20)
def list_(call: Call, kind: str | None, tag: str | None, limit: int) -> None:
    """List experiences, the newest first."""
    with call.opened() as memory:
        found = memory.list(type=kind, tag=tag, limit=limit)
    call.answer(found, lambda: listing.experiences(found))
