"""One table in a TOML file, added at its end and taken out again; the standard library checks that all else stays."""

from __future__ import annotations

import json
import re
import tomllib

from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_HEADER = re.compile(r"[ \t]*\[")


def parse(text: str) -> dict[str, Any]:
    """The whole file as a dictionary; an error names the line."""
    try:
        return tomllib.loads(text.lstrip("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(str(error)) from error


def add(text: str, path: Sequence[str], table: dict[str, Any]) -> str:
    """The text with a table of texts and lists of texts at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(path)}]", *(f"{name} = {_written(value)}" for name, value in table.items())]
    gap = "" if not text.strip("\ufeff") else newline if text.endswith("\n") else newline * 2
    made = f"{text}{gap}{newline.join(lines)}{newline}"
    return _checked(made, _put(parse(text), path, table), path)


def drop(text: str, path: Sequence[str]) -> str:
    """The text without a table and the tables below it; comments above the next one stay."""
    name = r"[ \t]*\.[ \t]*".join(f"""["']?{re.escape(part)}["']?""" for part in path)
    ours = re.compile(rf"[ \t]*\[[ \t]*{name}[ \t]*(?:\.[^\]]*)?\]")
    lines = text.splitlines(keepends=True)
    while (at := next((at for at, line in enumerate(lines) if ours.match(line)), None)) is not None:
        end = next((i for i in range(at + 1, len(lines)) if _HEADER.match(lines[i])), len(lines))
        while end < len(lines) and end > at + 1 and lines[end - 1].strip()[:1] in ("", "#"):
            end -= 1
        gap = at > 0 and not lines[at - 1].strip() and (end == len(lines) or not lines[end].strip())
        del lines[at - gap : end]
    bare = "".join(lines)
    return _checked(bare, _cut(parse(text), path), path)


def _checked(text: str, wanted: dict[str, Any], path: Sequence[str]) -> str:
    try:
        well = tomllib.loads(text.lstrip("\ufeff")) == wanted
    except tomllib.TOMLDecodeError:
        well = False
    if not well:
        raise InvalidInput(f"{'.'.join(path)} is written in a way that cannot be edited safely; write it as a table")
    return text


def _put(whole: dict[str, Any], path: Sequence[str], table: dict[str, Any]) -> dict[str, Any]:
    below = whole.get(path[0], {})
    return {**whole, path[0]: _put(below, path[1:], table) if len(path) > 1 else table}


def _cut(whole: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    if path[0] not in whole:
        return whole
    rest = {name: value for name, value in whole.items() if name != path[0]}
    if len(path) == 1:
        return rest
    below = _cut(whole[path[0]], path[1:])
    return {**whole, path[0]: below} if below else rest


def _written(value: Any) -> str:
    """A text or a list of texts; their escapes are those of JSON."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
