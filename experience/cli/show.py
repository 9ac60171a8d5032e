"""How things look on a terminal and as JSON: data to stdout, words to stderr."""

from __future__ import annotations

import json
import sys

from experience.clock import to_text
from experience.fence import visible
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from experience.models import Context, Hit, Json

WIDTH = 100

_encode = json.JSONEncoder(ensure_ascii=False).encode


def out(line: str) -> None:
    """One line of data; text no terminal can show is escaped rather than refused."""
    coding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(line.encode(coding, "backslashreplace").decode(coding) + "\n")


def lines(found: Iterable[str], empty: str) -> None:
    """Each line; where there is none, words that say what to do."""
    shown = False
    for line in found:
        out(line)
        shown = True
    if not shown:
        say(empty)


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


def exactly(text: str) -> None:
    """A text byte for byte, without a line break that is not its own."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())


def block(made: Context) -> None:
    """The very block that belongs into a prompt; how to ask about it goes beside it."""
    exactly(made.text)
    told = f"{made.tokens} tokens" if made.text else "nothing is put in"
    say(f"{told}; `experience explain {made.injection_id}` says why")


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
        return ", ".join(f"{name} {_part(part)}" for name, part in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join([visible(one) if isinstance(one, str) else _encode(one) for one in value]) or "none"
    return "none" if value is None else visible(str(value))


def _part(value: Json) -> str:
    """A value inside of another one."""
    return f"({_value(value)})" if isinstance(value, dict) else _value(value)
