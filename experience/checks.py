"""Every value is checked here before it is stored: bad input gets a sentence that names the field and the reason."""

from __future__ import annotations

import json
from math import isfinite

from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from experience.models import Json

MAX_TEXT = 20_000
MAX_JSON = 1_000_000
MAX_TAGS = 50
MAX_TAG = 100

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def text(field: str, value: object, *, most: int = MAX_TEXT) -> str:
    """Text that is there, is valid Unicode without NUL, and is not too long."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be text, not {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(f"{field} is empty; say in a few words what it is about")
    if len(value) > most:
        raise InvalidInput(f"{field} has {len(value):,} characters; at most {most:,} are kept, so shorten it")
    if "\0" in value:
        raise InvalidInput(f"{field} contains a NUL character at position {value.index(chr(0))}; remove it")
    return encodable(field, value)


def encodable(field: str, value: str) -> str:
    """Text that can be written as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{field} contains a lone surrogate at position {error.start}; it is not valid text"
        ) from error
    return value


def score(field: str, value: object) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{field} must be a number from 0 to 1, not {value!r}")
    if not 0 <= value <= 1:  # infinities and what is no number are outside, too
        raise InvalidInput(f"{field} must be a number from 0 to 1, not {value}")
    return float(value)


def one_of(field: str, value: object, allowed: Collection[str]) -> str:
    """One of a closed list of words."""
    if value not in allowed:
        raise InvalidInput(f"{field} {value!r} is unknown; choose one of {', '.join(allowed)}")
    return str(value)


def count(field: str, value: object, *, least: int = 1, most: int = 10_000) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(f"{field} must be a whole number from {least} to {most:,}, not {value!r}")
    return value


def positive(field: str, value: object) -> float:
    """A finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
        raise InvalidInput(f"{field} must be a number above 0, not {value!r}")
    return float(value)


def server(field: str, value: object) -> str:
    """The address of a libSQL server, as far as it can be seen; anything else would become a file of that name."""
    address = text(field, value, most=1000)
    if "://" not in address:
        raise InvalidInput(f"{field} {address!r} is no server; write libsql://host, https://host or http://host:port")
    return address


def loopback(field: str, value: object) -> str:
    """An address of this machine alone."""
    from ipaddress import ip_address  # only who sets a host pays for it

    host = text(field, value, most=1000)
    try:
        alone = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        alone = False
    if not alone:
        raise InvalidInput(f"{field} {host!r} is not an address of this machine alone; use 127.0.0.1")
    return host


def tags(value: Iterable[str] | None) -> tuple[str, ...]:
    """A few short distinct words, in the order given."""
    if isinstance(value, str):
        raise InvalidInput(f"tags must be a list of words, not the text {value!r}; write [{value!r}]")
    try:
        given = tuple(value or ())
    except TypeError as error:
        raise InvalidInput(f"tags must be a list of words, not {type(value).__name__}") from error
    found = tuple(dict.fromkeys(tag if isinstance(tag, str) else text("tags", tag) for tag in given))
    if len(found) > MAX_TAGS:
        raise InvalidInput(f"tags has {len(found):,} entries; at most {MAX_TAGS} are kept")
    return tuple(text("tags", tag, most=MAX_TAG).strip() for tag in found)


def json_text(field: str, value: Json) -> str:
    """Any JSON value as compact text."""
    try:
        written = _encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{field} is not JSON: {error}; use objects, lists, text, numbers, true, false, null"
        ) from error
    if len(written) > MAX_JSON:
        raise InvalidInput(f"{field} takes {len(written):,} characters as JSON; at most {MAX_JSON:,} are kept")
    return encodable(field, written)
