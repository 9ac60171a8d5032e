"""Rows of a store as they leave it and come back: every column checked, secrets out, what is derived made anew."""

from __future__ import annotations

import json
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
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from experience.db import Value as Column
    from experience.layers.canon import Table

    Fields: TypeAlias = Mapping[str, Any]
    Derived: TypeAlias = dict[str, Column]

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_TRACE: tuple[type | tuple[type, ...], ...] = (str, str, str, int, str, (int, float), dict, int)


def clean(fields: Fields) -> dict[str, Any]:
    """A row without the secrets that slipped in before anybody knew their kind."""
    named = "name" in fields and "value" in fields  # the one may tell that the other is a secret
    doubtful = {name: value for name, value in fields.items() if named or _doubtful(name, value)}
    if not doubtful:
        return dict(fields)
    from experience.capture.secrets import scrub_json

    return {**fields, **scrub_json(doubtful)[0]}


def _doubtful(name: str, value: Any) -> bool:
    """Whether a column could hold a secret: times and numbers cannot, and most words show that they do not."""
    if value is None or isinstance(value, int | float) or name.endswith("_at"):
        return False
    return suspicious(value if isinstance(value, str) else encode(value))


def checked(kind: str, fields: Fields) -> tuple[Table, dict[str, Any]]:
    """The table a row belongs to, and the row with every column of the kind it must be."""
    table = BY_KIND.get(kind)
    if table is None:
        raise InvalidInput(f"the kind {kind!r:.100} is unknown; known are {', '.join(BY_KIND)}")
    if fields.keys() != table.columns.keys():
        odd = ", ".join(sorted(map(str, fields.keys() ^ table.columns.keys())))
        raise InvalidInput(f"a row of the kind {kind} differs in its columns: {odd:.200}")
    row = {name: _fitting(f"{kind}.{name}", of, fields[name]) for name, of in table.columns.items()}
    if kind == "retired" and row["kind"] == "experience" and row["was"].keys() != set(KEPT):
        raise InvalidInput("retired.was is not the whole row of an experience")
    checks.encodable(f"a row of the kind {kind}", encode(row))
    return table, row


def derived(kind: str, row: Fields) -> Derived:
    """The columns that are made anew from the others."""
    make = _DERIVED.get(kind)
    return make(row) if make else {}


def _fitting(field: str, of: str, value: Any) -> Any:
    """The value, if it is of the kind its column holds."""
    if value is None and of.endswith("?"):
        return None
    fits, told = _KINDS[of.removesuffix("?")]
    if not fits(value):
        raise InvalidInput(f"{field} must be {told}, not {value!r:.80}")
    if of.startswith("moment"):
        return to_text(from_text(value))
    return float(value) if of.startswith("number") else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_moment(value: Any) -> bool:
    try:
        return isinstance(value, str) and value.endswith("Z") and bool(to_text(from_text(value)))
    except (ValueError, OverflowError):
        return False


def _is_number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and abs(value) < 1e300 and isfinite(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**62


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_trace(value: Any) -> bool:
    lists = isinstance(value, list) and all(isinstance(one, list) and len(one) == len(_TRACE) for one in value)
    return lists and all(isinstance(part, of) for one in value for part, of in zip(one, _TRACE, strict=True))


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "text": (_is_text, "text without NUL"),
    "moment": (_is_moment, "a time such as 2026-11-18T09:30:00.000000Z"),
    "number": (_is_number, "a number"),
    "whole": (_is_whole, "a whole number"),
    "words": (_is_words, "a list of texts"),
    "json": (lambda _: True, "JSON"),
    "object": (lambda value: isinstance(value, dict), "an object"),
    "trace": (_is_trace, "a list of what was considered, eight values each"),
}


def _lines(terms: Iterable[str]) -> Derived:
    found = tuple(terms)
    return {"terms": " ".join(found), "length": len(found)}


def _memory(row: Fields) -> Derived:
    known = {name: row[name] for name in ("title", "content", "keywords", "scope")}
    terms = {**memories.indexed(**known, tags=tuple(row["tags"])), "context_terms": analyzer.terms(row["context"])}
    return {
        **{name: " ".join(found) for name, found in terms.items()}, "length": sum(map(len, terms.values())),
        "fingerprint": likeness.fingerprint(row["content"]),
        "follows": likeness.fingerprint(row["context"]) if row["context"].strip() else None,
        "strength": _strength(row),
    }  # fmt: skip


def _strength(row: Fields) -> float:
    if row["type"] not in memories.PRIORITY or row["reinforcement_count"] < 1:
        raise InvalidInput(f"a memory of the type {row['type']!r:.40}, counted {row['reinforcement_count']} times")
    return strength(row["type"], row["reinforcement_count"], from_text(row["accessed_at"]))


_DERIVED: dict[str, Callable[[Fields], Derived]] = {
    "experience": lambda row: _lines(analyzer.terms(row["intent"])),
    "memory": _memory,
    "episode": lambda row: _lines(episodes.of_episode(row["event"], row["outcome"], row["tags"])),
    "passage": lambda row: {
        **_lines(analyzer.terms(row["text"])), "fingerprint": likeness.fingerprint(row["text"]),
    },
    "procedure": lambda row: _lines(episodes.of_procedure(row["name"], row["context"], row["steps"])),
    "turn": lambda row: _lines(analyzer.terms(row["content"])),
    "session": lambda _: {"turns": 0},
    "injection": lambda row: {"hash": digest(row["text"])},
}  # fmt: skip
