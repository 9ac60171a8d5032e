"""Episodes and procedures: what happened, and how things are done."""

from __future__ import annotations

from dashboard.api.route import does, looks
from dashboard.api.routes.experiences import SOURCE, TAG
from experience.verbs.arguments import LIMIT, QUERY, SESSION, TAGS, several, takes, text

ROUTES = (
    does("episode", "Keep an event worth remembering after the run", takes(
        "event", event=text("What happened."), outcome=text("How it ended, in a word.", 200), tags=TAGS,
        session=SESSION, source=SOURCE), "Episode"),
    looks("episodes", "List the newest episodes, or those about something", takes(
        query=QUERY, tag=TAG, outcome=text("Only those that ended so.", 200), limit={**LIMIT, "default": 20},
    ), "list[Episode]"),
    does("procedure", "Keep a workflow and its steps under a name", takes(
        "name", "steps", name=text("What it is called.", 200),
        steps=several(text("One step.", 1000), "The steps in order.", 100, minItems=1),
        context=text("What it is for, in other words."), source=SOURCE), "Procedure"),
    looks("procedures", "List procedures, the newest first", takes(limit={**LIMIT, "default": 20}), "list[Procedure]",
          lambda memory, given: memory.shelf.procedures.list(**given)),
)  # fmt: skip
