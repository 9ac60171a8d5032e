"""What each event sets in motion in the hall, and what the agent should be told because of it."""

from __future__ import annotations

import os
from datetime import timedelta

from experience import fence
from experience.hooks import trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.hooks.heard import Heard
    from experience.memory import Memory

ERROR = 500  # characters at the end of an error that are searched for
SILENT = timedelta(hours=12)  # a run in which nothing happened for so long was left by its agent
LEFT = 20  # runs looked through for such


def act(memory: Memory, heard: Heard, host: str) -> str:
    """Do what the event asks for; returns what the agent should be told, if anything."""
    if heard.event == "start":
        return _start(memory, heard, host)
    if heard.event == "prompt":
        return _prompt(memory, heard, host)
    if heard.event == "before":
        return _before(memory, heard)
    if heard.event in ("after", "failed"):
        return _after(memory, heard)
    _ENDINGS[heard.event](memory, heard)
    return ""


def _start(memory: Memory, heard: Heard, host: str) -> str:
    """What always holds, and a line on what else there is."""
    if heard.source not in ("compact", "resume"):  # the same work goes on
        for one in memory.episodic.silent(SILENT, LEFT):
            memory.finish(one.id)
        memory.episodic.start(heard.session, host)
    block = memory.context("", session=heard.session).text
    return "\n".join(filter(None, (_health(memory), block)))


def _health(memory: Memory) -> str:
    """How much is known here, and whether anything needs a look."""
    counts = [f"{table} {memory.shelf.index(table).corpus()[0]:,}" for table in ("memories", "experiences")]
    failing = len(trouble.since(memory.home, memory.now() - timedelta(days=1)))
    word = f"{failing} hooks failed since yesterday: `experience doctor` says why" if failing else "all is well"
    return f"{fence.NAME} of this project: {', '.join(counts)}; {word}."


def _prompt(memory: Memory, heard: Heard, host: str) -> str:
    """Keep what the message says; tell what is known about it."""
    if not heard.prompt.strip():
        return ""
    with memory.store.transaction():  # put on disk once, not once for each
        memory.episodic.opened(heard.session, host)
        memory.observe(heard.prompt, "user", heard.session)
        return memory.context(heard.prompt, session=heard.session).text


def _before(memory: Memory, heard: Heard) -> str:
    """What is known about the file or the command at hand."""
    from experience.hooks import tools

    command, path = tools.command(heard.input), _path(heard)
    if not (command or path):
        return ""
    return memory.pitfalls(command, path, heard.session).text


def _after(memory: Memory, heard: Heard) -> str:
    """Log the call and its result; a test or a build proves something, and a failure asks for help."""
    from experience.hooks import tools  # prompts need not pay for it
    from experience.learning import verdicts

    command = tools.command(heard.input)
    failed = heard.event == "failed"
    ok = tools.went_well(command, heard.output, failed=failed)
    said = tools.words(heard.output)
    with memory.store.transaction():
        log = memory.episodic
        log.log("tool_call", heard.input if heard.input is not None else "", session=heard.session, tool=heard.tool)
        log.log("tool_result", said, session=heard.session, tool=heard.tool, ok=ok)
        channel = verdicts.channel(command)
        if channel and ok is not None:
            memory.verified(heard.session, float(ok), channel, {"command": command[:ERROR], "ok": ok})
    if ok is not False:
        return ""
    return memory.pitfalls(f"{command} {said[-ERROR:]}", _path(heard), heard.session).text


def _said(memory: Memory, heard: Heard) -> None:
    """Log what the agent said, and count what it cites as used."""
    if heard.message.strip():
        with memory.store.transaction():
            memory.episodic.log("model_response", heard.message, session=heard.session)
            memory.cited(heard.message, heard.session)


def _checkpoint(memory: Memory, heard: Heard) -> None:
    """Leave a mark where a conversation was made shorter."""
    run = next(iter(memory.episodic.runs(heard.session, limit=1)), None)
    told = {"run": run.id, "turns": run.turns} if run else {}
    memory.log("conversation.checkpoint", heard.session, trigger=heard.source, **told)


def _end(memory: Memory, heard: Heard) -> None:
    """Close the run, and learn from it what was proven."""
    for one in memory.episodic.runs(heard.session, limit=1):
        if one.archived_at is None:
            memory.finish(one.id)


def _path(heard: Heard) -> str | None:
    """The file at hand, wherever the agent stands."""
    from experience.hooks import tools

    found = tools.path(heard.input)
    return os.path.join(heard.cwd, found.replace("\\", "/") if os.sep == "/" else found) if found else None


_ENDINGS = {"said": _said, "stop": _said, "compact": _checkpoint, "end": _end}
