"""How things look on a terminal and as JSON: data to stdout, words to stderr."""

from __future__ import annotations

import json
import sys

from experience.clock import to_text
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from experience.models import Event, Experience, Hit, Json

WIDTH = 100

_encode = json.JSONEncoder(ensure_ascii=False).encode


def out(line: str) -> None:
    """One line of data; text no terminal can show is escaped rather than refused."""
    coding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(line.encode(coding, "backslashreplace").decode(coding) + "\n")


def say(words: str) -> None:
    """Words for a person, apart from the data."""
    sys.stderr.write(words + "\n")


def as_json(thing: object) -> None:
    """One JSON document."""
    out(json.dumps(plain(thing), ensure_ascii=False, indent=2))


def plain(thing: object) -> Json:
    """Values as the dictionaries, lists and texts that JSON knows."""
    if isinstance(thing, Value):
        return {name: plain(value) for name, value in thing.as_dict().items()}
    if isinstance(thing, dict):
        return {name: plain(value) for name, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [plain(value) for value in thing]
    return to_text(thing) if hasattr(thing, "astimezone") else thing  # type: ignore[arg-type]


def hits(found: Iterable[Hit]) -> None:
    """Each hit on two lines: how good and what for, then what was done."""
    shown = False
    for hit in found:
        out(f"{hit.score:.3f}  {hit.id}  {one_line(hit.experience.intent)}")
        out(f"       {solution(hit.experience.solution)}")
        shown = True
    if not shown:
        say("nothing similar was recorded yet")


def experiences(found: Iterable[Experience]) -> None:
    """One line each, newest first."""
    for one in found:
        out(f"{one.id}  {one.created_at:%Y-%m-%d}  {one.success_score:.2f}  {one.type:15}  {one_line(one.intent)}")


def events(found: Iterable[Event]) -> None:
    """One line each."""
    for one in found:
        data = one_line(_encode(one.data))
        out(f"{one.seq:>7}  {one.at:%Y-%m-%d %H:%M:%S}  {one.type:22}  {one.subject:14}  {one.actor:6}  {data}")


def pairs(found: dict[str, Json]) -> None:
    """A name and its value on each line."""
    wide = max(map(len, found), default=0)
    for name, value in found.items():
        out(f"{name:{wide}}  {_value(value)}")


def solution(value: Json) -> str:
    """A solution on one line; text as it is, all else as JSON."""
    return one_line(value if isinstance(value, str) else _encode(value))


def one_line(text: str) -> str:
    """Text without line breaks and control characters, cut at the width of a page."""
    if not text.isprintable():
        text = "".join([letter if letter.isprintable() else " " for letter in text])
    words = " ".join(text.split())
    return words if len(words) <= WIDTH else words[: WIDTH - 1] + "…"


def _value(value: Json) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items()) or "none"
    return "none" if value is None else str(value)
