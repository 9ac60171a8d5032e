"""The night: doing it, its history, undoing it, and what waits for a person."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from dashboard.api.route import does, looks
from experience.neighbours import neighbour
from experience.verbs.arguments import ID, LIMIT, flag, takes, text

if TYPE_CHECKING:
    from experience import Memory

OBJECT = {"type": "object"}
RUN = takes("run", run=text("The id of a run: run_…", 200))
DECIDES = takes("id", "by", id=ID, by=text("Who decides: the name of a person.", 100))
WAITING = {"type": "object", "required": ["reviews", "quarantined"]}


def _schedule(memory: Memory, _: dict[str, Any]) -> object:
    coming = neighbour("jobs.scheduler").Scheduler(memory).next_night(datetime.now().astimezone())
    steps = [step.NAME for step in neighbour("jobs.nightly").STEPS]
    return {"night": memory.settings["night"], "next": coming, "steps": steps}


def _run(memory: Memory, given: dict[str, Any]) -> object:
    found = memory.shelf.nights.get(given["run"])
    return {**found.as_dict(), "changes": list(memory.shelf.nights.changes(given["run"]))}


def _waiting(memory: Memory, given: dict[str, Any]) -> object:
    return {"reviews": memory.reviews(**given), "quarantined": memory.memories(state="quarantined", **given)}


ROUTES = (
    does("consolidate", "Do the night now: decay, prune, fold, archive, back up", takes(
        dry_run=flag("Only show the plan, which is the very one that would be done."),
        only=text("Do one step alone; jobs/list names them.", 100)), OBJECT),
    does("undo", "Bring back what one run of the night took away", RUN, OBJECT),
    looks("jobs/list", "Show when the night is done, and its steps in order", takes(), OBJECT, _schedule),
    looks("jobs/history", "List the runs of the night, the newest first", takes(limit={**LIMIT, "default": 20}),
          "list[Night]", lambda memory, given: memory.runs(**given)),
    looks("jobs/show", "Show what one run did, step by step", RUN, OBJECT, _run),
    looks("review/list", "List open questions and quarantined memories", takes(limit={**LIMIT, "default": 50}), WAITING,
          _waiting),
    does("review/approve", "Say yes to a question, or vouch for a quarantined memory", DECIDES, "Review | MemoryItem",
         lambda memory, given: memory.decide(**given, approve=True)),
    does("review/reject", "Say no to a question, or put a quarantined memory away", DECIDES, "Review | MemoryItem",
         lambda memory, given: memory.decide(**given, approve=False)),
)  # fmt: skip
