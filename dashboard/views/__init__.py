"""One module a page."""

from __future__ import annotations

from dashboard.views import (
    assets,
    events,
    experiences,
    health,
    memories,
    nights,
    overview,
    playground,
    review,
    sessions,
)

PAGES = tuple(
    one.pages for one in (overview, experiences, memories, review, sessions, nights, playground, events, health, assets)
)
