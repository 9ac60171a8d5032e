"""Time as the house sees it: aware, UTC, read once per operation and handed down.

A clock is anything callable that returns the time now. Tests use `StillClock`, which only moves when told to.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Clock: TypeAlias = Callable[[], datetime]


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


class StillClock:
    """A clock that stands still until it is moved."""

    def __init__(self, start: datetime | None = None) -> None:
        self.now = start or datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        """Move the clock; negative numbers move it back."""
        self.now += timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


def to_text(moment: datetime) -> str:
    """Fixed-width UTC, so that the order of the text is the order of time."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def from_text(text: str) -> datetime:
    """The moment that `to_text` wrote."""
    return datetime.fromisoformat(text)
