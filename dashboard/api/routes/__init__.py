"""The table of the API, one file a noun, as the command line has it."""

from __future__ import annotations

from dashboard.api.routes import conversations, episodes, experiences, files, nights, runs, statements, upkeep

ROUTES = (
    *experiences.ROUTES, *statements.ROUTES, *conversations.ROUTES, *episodes.ROUTES, *runs.ROUTES, *files.ROUTES,
    *nights.ROUTES, *upkeep.ROUTES,
)  # fmt: skip
