"""Columns as the values the schema promises they are."""

from __future__ import annotations

import json


def whole(column: object) -> int:
    """A column known to hold a whole number."""
    assert isinstance(column, int)  # noqa: S101  # the schema is strict
    return column


def number(column: object) -> float:
    """A column known to hold a number."""
    assert isinstance(column, int | float)  # noqa: S101  # the schema is strict
    return float(column)


def words(column: object) -> tuple[str, ...]:
    """A JSON list as a tuple; most rows have none."""
    return () if column == "[]" else tuple(json.loads(str(column)))


def optional(column: object) -> str | None:
    """A column that holds text or nothing."""
    return None if column is None else str(column)


def listed(words: tuple[str, ...]) -> str:
    """A tuple of words as a JSON list."""
    return json.dumps(words, ensure_ascii=False) if words else "[]"
