"""How values read on a page: numbers, shares, times, JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

LONGEST = 20_000  # characters of one text on a page; the rest is one click away as JSON


def count(value: int | float | None) -> str:
    """A whole number in groups of three."""
    return "–" if value is None else f"{value:,.0f}"


def share(value: float | None) -> str:
    """A share as per cent."""
    return "–" if value is None else f"{value:.0%}"


def score(value: float | None) -> str:
    """A score to three places."""
    return "–" if value is None else f"{value:.3f}"


def moment(value: datetime | str | None) -> Markup:
    """A time: UTC until the script on the page tells it in the viewer's zone; UTC stays in the tooltip."""
    if value is None:
        return Markup("–")
    at = datetime.fromisoformat(value) if isinstance(value, str) else value
    utc = at.astimezone(UTC)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        utc.strftime("%Y-%m-%dT%H:%M:%SZ"), utc.strftime("%Y-%m-%d %H:%M:%S UTC"), utc.strftime("%Y-%m-%d %H:%M")
    )


def pretty(value: Any) -> str:
    """Text as it is, anything else as indented JSON."""
    whole = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return clipped(whole)


def clipped(text: str, most: int = LONGEST) -> str:
    """Text of any length, shortened where it is very long."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"


def plain(word: str) -> str:
    """A name of the code as words."""
    return word.replace("_", " ")


FILTERS = {
    "count": count, "share": share, "score": score, "moment": moment, "pretty": pretty, "clipped": clipped,
    "plain": plain,
}  # fmt: skip
