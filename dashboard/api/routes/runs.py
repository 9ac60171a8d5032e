"""Runs: what agents said and did, a log per run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.api.route import looks
from experience.verbs.arguments import LIMIT, QUERY, SESSION, takes, text

if TYPE_CHECKING:
    from experience import Memory

RUN = takes("run", run=text("The id of a run, as runs/list shows it.", 200))
EXPORT = {"type": "object", "properties": {"lines": {"type": "string"}}, "required": ["lines"]}


def _show(memory: Memory, given: dict[str, Any]) -> object:
    return {**memory.episodic.get(**given).as_dict(), "log": memory.episodic.turns(**given)}


ROUTES = (
    looks("runs/list", "List the runs, the newest first", takes(session=SESSION, limit={**LIMIT, "default": 20}),
          "list[Run]", lambda memory, given: memory.episodic.runs(**given)),
    looks("runs/show", "Show what was said and done in a run, in order", RUN, {"type": "object"}, _show),
    looks("runs/export", "The log of a run as JSON, one turn a line", RUN, EXPORT,
          lambda memory, given: {"lines": memory.episodic.export(**given)}),
    looks("runs/search", "Find turns of all runs, of archived ones, too",
          takes("query", query=QUERY, limit={**LIMIT, "default": 20}), "list[Turn]",
          lambda memory, given: memory.episodic.search(**given)),
)  # fmt: skip
