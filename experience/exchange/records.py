"""What a file holds, whoever wrote it: the readers turn every format into these few things."""

from __future__ import annotations

from datetime import UTC, datetime

from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Record: TypeAlias = "Said | Stated | Row | Bad"


class Said(Value):
    """One message of a conversation."""

    line: int
    session: str
    role: str  # user, assistant
    text: str
    at: datetime | None = None
    id: str = ""  # what the file calls it, if it does


class Stated(Value):
    """One statement that somebody wrote down as worth keeping."""

    line: int
    text: str
    type: str | None = None  # a hint; what the words themselves say goes before
    scope: str | None = None
    tags: tuple[str, ...] = ()
    context: str = ""
    at: datetime | None = None


class Row(Value):
    """One row of a store like ours."""

    line: int
    kind: str
    fields: dict[str, Any]


class Bad(Value):
    """A line that could not be read, and why."""

    line: int
    why: str


def moment(given: object) -> datetime | None:
    """A time as files write it: ISO text, or seconds or milliseconds since 1970; nothing where it is no time."""
    try:
        if isinstance(given, str):
            found = datetime.fromisoformat(given.strip())
        elif isinstance(given, int | float) and not isinstance(given, bool):
            found = datetime.fromtimestamp(given / 1000 if given > 1e11 else given, UTC)
        else:
            return None
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
