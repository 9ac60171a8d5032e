"""What a verb may be given, as JSON Schema: both doors for programs tell it from here, and check it here.

The verbs themselves check what a value says; here is only checked that it is of the right kind, with a sentence that a
program, or the model behind it, can act on.
"""

from __future__ import annotations

from math import isfinite

from experience.errors import InvalidInput
from experience.models import EXPERIENCE_TYPES, MEMORY_TYPES, PRIORITIES, REACHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Schema: TypeAlias = dict[str, Any]

_WORDS = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "array": "a list", "object": "an object",
}  # fmt: skip
_KINDS: dict[str, tuple[type[Any], ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,),
    "object": (dict,),
}  # fmt: skip


def text(help: str, most: int = 20_000, **more: Any) -> Schema:
    """A text that says something."""
    return {"type": "string", "minLength": 1, "maxLength": most, "description": help, **more}


def long_text(help: str) -> Schema:
    """A text of any length, of which the beginning is looked at."""
    return {"type": "string", "description": help}


def choice(words: tuple[str, ...], help: str, **more: Any) -> Schema:
    """One of a closed list of words."""
    return {"type": "string", "enum": list(words), "description": help, **more}


def count(help: str, most: int, **more: Any) -> Schema:
    """A whole number from 1 up."""
    return {"type": "integer", "minimum": 1, "maximum": most, "description": help, **more}


def share(help: str, **more: Any) -> Schema:
    """A number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1, "description": help, **more}


def flag(help: str) -> Schema:
    """True or false, false where nobody says."""
    return {"type": "boolean", "default": False, "description": help}


def several(of: Schema, help: str, most: int = 50, **more: Any) -> Schema:
    """A list."""
    return {"type": "array", "items": of, "maxItems": most, "description": help, **more}


def anything(help: str) -> Schema:
    """Any JSON value."""
    return {"description": help}


def takes(*needs: str, **properties: Schema) -> Schema:
    """What one verb is given: its arguments by name, of which it *needs* some."""
    return {"type": "object", "properties": properties, "required": list(needs), "additionalProperties": False}


TAGS = several({"type": "string", "minLength": 1, "maxLength": 100}, "Short words it is filed under.")
LIMIT = count("How many at most.", 1000, default=10)
ID = text("An id, as the answers of this service show it.", 200)
QUERY = long_text("What it is about, in any words.")
SESSION = text("The conversation it belongs to.", 200)
EXPERIENCE_TYPE = choice(EXPERIENCE_TYPES, "What kind of experience it is.")
MEMORY_TYPE = choice(MEMORY_TYPES, "What kind of statement it is.")
PRIORITY = choice(PRIORITIES, "How pressing it is; by default the type tells.")
REACH = choice(REACHES, "Whether it is about this project, or about the user wherever they work.")
SCOPE = text("The files it is about, as a glob such as src/**/*.py; by default all.", 1000)


def fitting(schema: Schema, given: object, what: str) -> dict[str, Any]:
    """What was given to *what*, its defaults filled in; anything that does not fit gets a sentence."""
    known: dict[str, Schema] = schema["properties"]
    if not isinstance(given, dict):
        raise InvalidInput(f"{what} takes an object with {_listed(known)}, not {_shown(given)}")
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InvalidInput(f"{what} does not take {_listed(unknown)}; it takes {_listed(known) or 'nothing'}")
    missing = [name for name in schema["required"] if name not in given]
    if missing:
        raise InvalidInput(f"{what} needs {_listed(missing)}; {_told(known[missing[0]], missing[0])}")
    defaults = {name: one["default"] for name, one in known.items() if "default" in one}
    return {**defaults, **{name: _fits(name, known[name], value) for name, value in given.items()}}


def _fits(name: str, schema: Schema, value: Any) -> Any:
    """The value, if it is of the kind the schema names."""
    kind = schema.get("type")
    if kind is None:
        return value
    if kind == "integer" and isinstance(value, float) and isfinite(value) and value == int(value):
        value = int(value)  # JSON knows no difference
    if not isinstance(value, _KINDS[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise InvalidInput(f"{name} must be {_WORDS[kind]}, not {_shown(value)}")
    if "enum" in schema and value not in schema["enum"]:
        raise InvalidInput(f"{name} {_shown(value)} is unknown; choose one of {', '.join(schema['enum'])}")
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        least, most = schema["minimum"], schema["maximum"]
        raise InvalidInput(f"{name} must be {_WORDS[kind]} from {least} to {most:,}, not {_shown(value)}")
    return _all_fit(name, schema, value) if kind == "array" else value


def _all_fit(name: str, schema: Schema, given: list[Any]) -> list[Any]:
    """A list of which every entry fits."""
    if len(given) > schema["maxItems"]:
        raise InvalidInput(f"{name} has {len(given):,} entries; at most {schema['maxItems']:,} are taken")
    return [_fits(f"{name}[{at}]", schema["items"], one) for at, one in enumerate(given)]


def _told(schema: Schema, name: str) -> str:
    help = str(schema["description"])
    return f"{name}: {help[0].lower()}{help[1:]}".rstrip(".")


def _listed(names: Mapping[str, object] | list[str]) -> str:
    return ", ".join(str(name)[:100] for name in names)


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return f"{value!r:.100}" if not isinstance(value, int) or abs(value) < 10**30 else "a number that large"
