"""Days and moments as the API takes them."""

from __future__ import annotations

from datetime import UTC, datetime

from experience import InvalidInput

MOMENT = {"type": "string", "maxLength": 40, "examples": ["2026-11-18", "2026-11-18T09:30:00Z"]}
YEARS = range(2, 9999)  # the first and the last year are too short for other time zones


def moment(name: str, text: str | None) -> datetime | None:
    """A day or a moment, in UTC unless it says otherwise."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"{name} {text!r} is no time; write 2026-11-18 or 2026-11-18T09:30Z") from error
    if found.year not in YEARS:
        raise InvalidInput(f"{name} {text!r} is too far away; write a year from {YEARS.start} to {YEARS.stop - 1}")
    return found if found.tzinfo else found.replace(tzinfo=UTC)
