"""What a verb answers, as JSON and as JSON Schema: both are read off the values' own declarations."""

from __future__ import annotations

import json

from experience import models
from experience.clock import to_text
from experience.context.compaction import MemoryStats
from experience.desks.audit import Audit, Finding
from experience.layers.events import Verification
from experience.layers.nights import Change, Run
from experience.layers.reviews import Review
from experience.settings import Setting
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Schema: TypeAlias = dict[str, Any]

_NOUNS = [one for one in vars(models).values() if isinstance(one, type) and issubclass(one, Value) and one is not Value]
NOUNS: dict[str, type[Value]] = {
    **{one.__name__: one for one in (*_NOUNS, Audit, Finding, MemoryStats, Review, Setting, Verification)},
    "Night": Run, "NightChange": Change,
}  # fmt: skip
_SIMPLE: dict[str, Schema] = {
    "str": {"type": "string"}, "int": {"type": "integer"}, "float": {"type": "number"}, "bool": {"type": "boolean"},
    "None": {"type": "null"}, "datetime": {"type": "string", "format": "date-time"}, "Json": {}, "Any": {},
    "object": {"type": "object"}, "tuple[int, int]": {"type": "array", "items": {"type": "integer"}},
}  # fmt: skip


def _plain(thing: object) -> object:
    """Values and times as what JSON knows."""
    if isinstance(thing, Value):
        return thing.as_dict()
    if hasattr(thing, "astimezone"):
        return to_text(thing)  # type: ignore[arg-type]
    raise TypeError(f"{type(thing).__name__} has no place in an answer")


as_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain).encode


def schema(declared: str) -> Schema:
    """The JSON Schema of a declared type, such as `list[Hit]` or `str | None`."""
    parts = [part.strip() for part in declared.split(" | ")]
    if len(parts) > 1:
        return {"anyOf": [schema(part) for part in parts]}
    if declared in _SIMPLE:
        return _SIMPLE[declared]
    outer, bracket, inner = declared.partition("[")
    if not bracket:
        return {"$ref": f"#/components/schemas/{declared}"}
    if outer == "dict":
        return {"type": "object", "additionalProperties": schema(inner.removesuffix("]").partition(", ")[2])}
    return {"type": "array", "items": schema(inner.removesuffix("]").removesuffix(", ..."))}


def nouns() -> dict[str, Schema]:
    """The JSON Schema of every value that answers are made of, by name."""
    return {name: _noun(NOUNS[name]) for name in sorted(NOUNS)}


def _noun(of: type[Value]) -> Schema:
    declared: dict[str, str] = of.__dict__["__annotations__"]  # noqa: RUF063  # `inspect` is left out of start-up
    fields = {name: schema(type) for name, type in declared.items() if not name.startswith("_")}
    return {"type": "object", "description": (of.__doc__ or "").strip(), "properties": fields, "required": [*fields]}
