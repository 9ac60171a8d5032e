"""Rows of a store as lines of JSON, and back: every column checked, secrets out, what is derived made anew."""

from __future__ import annotations

from math import isfinite

from experience import analyzer, checks
from experience.capture import likeness
from experience.capture.gate import suspicious
from experience.clock import from_text, to_text
from experience.desks import episodes, memories
from experience.errors import InvalidInput
from experience.layers.canon import BY_KIND
from experience.layers.experiences import KEPT
from experience.layers.injections import digest
from experience.layers.memories import strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from experience.db import Value as Column
    from experience.layers.canon import Table

    Fields: TypeAlias = Mapping[str, Any]
    Derived: TypeAlias = dict[str, Column]

_TRACE = (str, str, str, int, str, (int, float), dict, int)


def clean(fields: Fields) -> dict[str, Any]:
    """A row without the secrets that slipped in before anybody knew their kind."""
    if not suspicious(checks.json_text("row", dict(fields), most=None)):
        return dict(fields)
    from experience.capture.secrets import scrub_json

    done: dict[str, Any] = scrub_json(dict(fields))[0]
    return done


def checked(kind: str, fields: Fields) -> tuple[Table, dict[str, Any]]:
    """The table a row belongs to, and the row with every column of the kind it must be."""
    table = BY_KIND.get(kind)
    if table is None:
        raise InvalidInput(f"kind {kind!r:.100} is unknown; known are {', '.join(BY_KIND)}")
    if fields.keys() != table.columns.keys():
        odd = sorted(fields.keys() ^ table.columns.keys())
        raise InvalidInput(f"a row of the kind {kind} has {', '.join(table.columns)}; it differs in {odd!s:.200}")
    row = {name: _fits(f"{kind}.{name}", of, fields[name]) for name, of in table.columns.items()}
    if kind == "retired" and row["kind"] == "experience" and row["was"].keys() != set(KEPT):
        raise InvalidInput("retired.was is not the whole row of an experience")
    return table, row


def derived(kind: str, row: Fields) -> Derived:
    """The columns that are made anew from the others."""
    make = _DERIVED.get(kind)
    return make(row) if make else {}


def _fits(field: str, of: str, value: Any) -> Any:
    if value is None and of.endswith("?"):
        return None
    fit, told = _KINDS[of.removesuffix("?")]
    done = fit(field, value)
    if done is None:
        raise InvalidInput(f"{field} must be {told}, not {value!r:.80}")
    return done


def _text(field: str, value: Any) -> str | None:
    if not isinstance(value, str) or "\0" in value:
        return None
    return checks.encodable(field, value)


def _moment(_: str, value: Any) -> str | None:
    try:
        return to_text(from_text(value)) if isinstance(value, str) and value.endswith("Z") else None
    except (ValueError, OverflowError):
        return None


def _number(_: str, value: Any) -> float | None:
    real = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300 and isfinite(value)
    return float(value) if real else None


def _whole(_: str, value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**62 else None


def _words(field: str, value: Any) -> list[str] | None:
    fits = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return [checks.encodable(field, word) for word in value] if fits else None


def _json(field: str, value: Any) -> Any:
    checks.json_text(field, value)
    return _NOTHING if value is None else value


def _object(field: str, value: Any) -> Any:
    return _json(field, value) if isinstance(value, dict) else None


def _trace(field: str, value: Any) -> Any:
    lists = isinstance(value, list) and all(isinstance(one, list) and len(one) == len(_TRACE) for one in value)
    fits = lists and all(isinstance(part, of) for one in value for part, of in zip(one, _TRACE, strict=True))
    return _json(field, value) if fits else None


_NOTHING: Any = object()  # the JSON value null, told apart from "it does not fit"
