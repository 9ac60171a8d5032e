"""Experiences: record, find, list."""

from __future__ import annotations

from dashboard.api.route import does, looks
from experience.verbs.arguments import EXPERIENCE_TYPE, LIMIT, QUERY, TAGS, anything, share, takes, text

SOURCE = text("Whose words these are: user, agent, tool, file, …; it decides how far they are trusted.", 200,
              default="agent")  # fmt: skip
TAG = text("Only those with this tag.", 100)

ROUTES = (
    does("record", "Record what was tried for an intent and how well it went", takes(
        "intent", "solution", intent=text("The task, as somebody would ask for it."),
        solution=anything("What was done: text, or any JSON."), type={**EXPERIENCE_TYPE, "default": "task_solution"},
        success_score=share("From 0 (failed) to 1 (worked).", default=1.0), tags=TAGS, source=SOURCE,
    ), "Experience"),
    looks("find", "Find past experiences with a similar intent, best first", takes("query", query=QUERY, tags={
        **TAGS, "description": "Experiences with one of these tags come first."}, limit=LIMIT), "list[Hit]"),
    looks("list", "List experiences, the newest first",
          takes(type=EXPERIENCE_TYPE, tag=TAG, limit={**LIMIT, "default": 20}), "list[Experience]"),
)  # fmt: skip
