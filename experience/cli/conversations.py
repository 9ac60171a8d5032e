"""The commands of a conversation: what it says, what it is told and why, how it went, and making room in it."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from experience.capture.detect import detect as detected
from experience.cli import listing, quick, show
from experience.cli.group import Call, cited, command, json_or_text, said
from experience.context import compaction
from experience.desks.observing import ROLES
from experience.errors import InvalidInput

role = click.option("--role", type=click.Choice(ROLES), default="user", show_default=True, help="Who said it.")
injection = click.argument("injection", metavar="INJECTION")


@command("observe")
@click.argument("text", default="-")
@role
@click.option("--session", metavar="NAME", help="The conversation it belongs to.")
def observe(call: Call, text: str, role: str, session: str | None) -> None:
    """Keep what is worth keeping of a message (or stdin)."""
    message = said(text)
    with call.opened(make=True) as memory:
        found = memory.observe(message, role, session)
    call.answer(found, lambda: listing.captured(found))


@command("detect")
@click.argument("text", default="-")
@role
def detect(call: Call, text: str, role: str) -> None:
    """Show what observe would keep of a message (or stdin)."""
    found = detected(said(text), role)
    call.answer(found, lambda: listing.captured(found))


@command("context")
@click.argument("prompt")
@click.option("--path", metavar="FILE", help="The file at hand.")
@click.option("--session", metavar="NAME", help="The conversation it is for.")
@click.option("--budget", type=int, default=800, show_default=True, help="Tokens it may take at most.")
def context(call: Call, **given: Any) -> None:
    """Print the context block for a PROMPT (- reads stdin)."""
    sys.exit(quick.run("context", {**call.as_dict(), **given}))


@command("explain")
@injection
def explain(call: Call, injection: str) -> None:
    """Show what was considered for a block, and why."""
    with call.opened() as memory:
        found = memory.explain(injection)
    call.answer(found, lambda: listing.explained(found))


@command("why-not")
@injection
@click.argument("id", type=cited, metavar="ID")
def why_not(call: Call, injection: str, id: str) -> None:
    """Say why something was left out of a block, or taken."""
    with call.opened() as memory:
        found = memory.why_not(injection, id)
    call.answer(found, lambda: listing.reason(found))


@command("replay")
@injection
def replay(call: Call, injection: str) -> None:
    """Print a block again, to the byte."""
    with call.opened() as memory:
        found = memory.replay(injection)
    call.answer(found, lambda: show.exactly(found.text))


@command("outcome")
@click.argument("id", type=cited, metavar="ID")
@click.argument("score", type=float)
@click.option("--channel", default="user", show_default=True, help="Who vouches for it: agent, user, tests, ci, …")
@click.option("--evidence", metavar="TEXT", help="JSON or plain text that shows it.")
def outcome(call: Call, id: str, score: float, channel: str, evidence: str | None) -> None:
    """Say how it went with something: 0 (failed) to 1 (worked)."""
    with call.opened() as memory:
        after = memory.outcome(id, score, channel=channel, evidence=evidence and json_or_text(evidence))
    call.answer(after, lambda: listing.credited(after))


@command("compact")
@click.argument("file", default="-", metavar="[FILE]")
@click.option("--model", metavar="NAME", help="Whose window it has to fit; unknown ones have 128,000 tokens.")
def compact(call: Call, file: str, model: str | None) -> None:
    """Make room in a conversation: JSON messages in, fewer out."""
    messages = _messages(file)
    fewer = compaction.compact(messages, model)
    show.as_json(fewer)
    if not call.as_json:
        before, after = compaction.stats(messages, model), compaction.stats(fewer, model)
        show.say(
            f"{before.messages} messages of {before.tokens:,} tokens, now {after.messages} of {after.tokens:,}; "
            f"the window has {after.window:,}"
        )


def _messages(file: str) -> Any:
    """The conversation in a file or on stdin."""
    try:
        if file == "-":
            return json.loads(said(file))
        with open(file, encoding="utf-8") as source:
            return json.load(source)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read ({error.strerror}); name a file with JSON messages, or -") from error
    except ValueError as error:
        raise InvalidInput(
            f"{'stdin' if file == '-' else file} is not JSON ({error}); it must be a list of messages, "
            'such as [{"role": "user", "content": "…"}]'
        ) from error
