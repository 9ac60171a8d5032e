"""The first page: what the agents learned, whether it helps, what waits for a decision, whether the store is well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app

from dashboard.page import chosen, memory, page, room

if TYPE_CHECKING:
    from flask import Response

    from experience import Memory

pages = room("overview")
SPANS = {"7": "7 days", "30": "30 days", "90": "90 days", "all": "all"}
WAITING = 100  # decisions that are counted


@pages.get("/")
def shown() -> Response:
    """The figures of a span of days."""
    span = chosen("days", SPANS, "30") or "30"
    found = current_app.extensions["held"].get(("overview", span), lambda: _figures(memory(), span))
    return page("overview/whole", spans=SPANS, span=span, **found)


def _figures(known: Memory, span: str) -> dict[str, Any]:
    stats, activity = known.stats(), known.activity(None if span == "all" else int(span))
    waiting = len(known.reviews(WAITING)) + len(known.memories(state="quarantined", limit=WAITING))
    nights = known.runs(limit=1)
    injected = sum(activity.budget)
    return {
        "stats": stats, "activity": activity, "waiting": waiting, "last": nights[0] if nights else None,
        "filled": sum(activity.tokens) / injected if injected else None,
        "empty": not (stats["experiences"] or stats["memories"]["memories"] or stats["events"]),
        "charts": _charts(activity),
    }  # fmt: skip


def _charts(activity: Any) -> dict[str, dict[str, Any]]:
    counts, days = activity.counts, list(activity.days)
    return {
        "learned": _chart("bar", days, recorded=counts["recorded"], captured=counts["captured"]),
        "used": _chart("line", days, injected=counts["injected"], used=counts["used"], outcomes=counts["outcomes"]),
        "tokens": _chart("bar", days, tokens=activity.tokens),
        "weights": _chart("bar", [f"{n / 10:.1f}" for n in range(10)], experiences=activity.weights),
    }


def _chart(kind: str, labels: list[str], **series: Any) -> dict[str, Any]:
    return {"kind": kind, "labels": labels, "series": [[name, list(values)] for name, values in series.items()]}
