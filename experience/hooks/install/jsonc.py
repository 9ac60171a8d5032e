"""JSON with comments and trailing commas, edited where it stands: what is not ours keeps every byte.

Each edit reads the text anew; settings are small.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # it is there, the stubs leave it out

from experience.errors import InvalidInput
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

DEEPEST = 100
_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]*(?:/\*[^\n]*?\*/))*(?:[ \t]*//[^\r\n]*)?")
_SCALAR = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Node(Value):
    """A value in the text: from where to where, and what is in it. *names* holds a member's name by its place."""

    begin: int
    end: int
    value: Any
    children: tuple[Node, ...] = ()
    names: tuple[tuple[str, int], ...] = ()  # of an object's members: the name, and where it begins

    def member(self, name: str) -> Node | None:
        """The member of this name; of several the last, as every reader sees it."""
        found = [child for child, (own, _) in zip(self.children, self.names, strict=True) if own == name]
        return found[-1] if found else None

    def begins(self, at: int) -> int:
        """Where the child at a place begins, its name included."""
        return self.names[at][1] if self.names else self.children[at].begin


def parse(text: str) -> Node:
    """The value of a whole text; an error names the line."""
    node = _Reader(text).value(1 if text.startswith("\ufeff") else 0, 0)
    if _skip(text, node.end) != len(text):
        raise _wrong(text, _skip(text, node.end), "nothing more is expected")
    return node


def add(text: str, path: Sequence[str], item: Any) -> str:
    """Append an item to the list at a path; lists and objects on the way are made."""
    return _within(text, path, lambda missing: _nested(missing, [item]), item)


def put(text: str, path: Sequence[str], value: Any) -> str:
    """Set the member at a path that is not there yet; objects on the way are made."""
    return _within(text, path, lambda missing: _nested(missing, value), None)


def drop(text: str, path: Sequence[str | int], least: int = 0) -> str:
    """Remove the member or item at a path, and whatever holds nothing but it; the first *least* steps stay."""
    node = parse(text)
    trail = [node]
    for step in path:
        node = _step(node, step)
        trail.append(node)
    depth = len(path) - 1
    while depth > least and len(trail[depth].children) == 1:  # an empty container says nothing
        depth -= 1
    holder, step = trail[depth], path[depth]
    at = step if isinstance(step, int) else max(i for i, (name, _) in enumerate(holder.names) if name == step)
    return _without(text, holder, at)


def find(node: Node, path: Sequence[str]) -> Node | None:
    """What stands at a path of names."""
    found: Node | None = node
    for name in path:
        found = found.member(name) if found is not None and isinstance(found.value, dict) else None
    return found


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int, depth: int) -> Node:
        at = _skip(self.text, at)
        if depth > DEEPEST:
            raise _wrong(self.text, at, "it is nested too deep")
        letter = self.text[at : at + 1]
        if letter == "{":
            return self.object(at, depth)
        if letter == "[":
            return self.list(at, depth)
        if letter == '"':
            value, end = self.string(at)
            return Node(begin=at, end=end, value=value)
        if found := _SCALAR.match(self.text, at):
            return Node(begin=at, end=found.end(), value=json.loads(found[0]))
        raise _wrong(self.text, at, "a value is expected")

    def string(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] != '"':
            raise _wrong(self.text, at, "a name in quotation marks is expected")
        try:
            return scanstring(self.text, at + 1, True)  # type: ignore[no-any-return]
        except ValueError as error:
            raise _wrong(self.text, at, "the text does not end or holds what it may not") from error

    def list(self, begin: int, depth: int) -> Node:
        children: list[Node] = []
        at = _skip(self.text, begin + 1)
        while self.text[at : at + 1] != "]":
            children.append(self.value(at, depth + 1))
            at = self.after(children[-1].end, "]")
        return Node(begin=begin, end=at + 1, value=[child.value for child in children], children=tuple(children))

    def object(self, begin: int, depth: int) -> Node:
        children: list[Node] = []
        names: list[tuple[str, int]] = []
        at = _skip(self.text, begin + 1)
        while self.text[at : at + 1] != "}":
            name, end = self.string(at)
            names.append((name, at))
            at = _skip(self.text, end)
            if self.text[at : at + 1] != ":":
                raise _wrong(self.text, at, "a colon is expected")
            children.append(self.value(at + 1, depth + 1))
            at = self.after(children[-1].end, "}")
        value = {name: child.value for (name, _), child in zip(names, children, strict=True)}
        return Node(begin=begin, end=at + 1, value=value, children=tuple(children), names=tuple(names))

    def after(self, at: int, closing: str) -> int:
        """Where the next child begins, or the closing bracket stands."""
        at = _skip(self.text, at)
        if self.text[at : at + 1] == ",":
            return _skip(self.text, at + 1)
        if self.text[at : at + 1] != closing:
            raise _wrong(self.text, at, f"a comma or {closing} is expected")
        return at


def _within(text: str, path: Sequence[str], made: Callable[[Sequence[str]], Any], item: Any) -> str:
    """Go down a path as far as it goes, and write there what is missing."""
    node = parse(text)
    for depth, name in enumerate(path):
        if not isinstance(node.value, dict):
            raise InvalidInput(f"{'.'.join(path[:depth]) or 'the whole'} is no object; correct it")
        below = node.member(name)
        if below is None:
            return _with(text, node, made(path[depth + 1 :]), name)
        node = below
    if not isinstance(node.value, list):
        raise InvalidInput(f"{'.'.join(path)} is no list; correct it")
    return _with(text, node, item, None)


def _nested(path: Sequence[str], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _with(text: str, holder: Node, value: Any, name: str | None) -> str:
    """The text with one more child at the end of a container, written as its neighbours are."""
    newline, unit = "\r\n" if "\r\n" in text else "\n", _unit(text)
    label = "" if name is None else f"{json.dumps(name, ensure_ascii=False)}: "
    if holder.children and "\n" not in text[holder.begin : holder.end]:
        last = holder.children[-1].end
        return f"{text[:last]}, {label}{json.dumps(value, ensure_ascii=False)}{text[last:]}"
    outer = _indent(text, holder.begin)
    inner = _indent(text, holder.begins(-1)) if holder.children else outer + unit
    written = label + json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + inner)
    if not holder.children:
        kept = text[holder.begin + 1 : holder.end - 1].rstrip()
        return f"{text[: holder.begin + 1]}{kept}{newline}{inner}{written}{newline}{outer}{text[holder.end - 1 :]}"
    last = holder.children[-1].end
    comma = _skip(text, last)
    if text[comma] == ",":
        at = _SAME_LINE.match(text, comma + 1).end()  # type: ignore[union-attr]  # it also matches nothing
        return f"{text[:at]}{newline}{inner}{written},{text[at:]}"
    at = _SAME_LINE.match(text, last).end()  # type: ignore[union-attr]
    return f"{text[:last]},{text[last:at]}{newline}{inner}{written}{text[at:]}"


def _without(text: str, holder: Node, at: int) -> str:
    """The text without one child of a container; comments stay."""
    begin, end = holder.begins(at), holder.children[at].end
    before = holder.children[at - 1].end if at else holder.begin + 1
    start = max([before, *(before + found.end() for found in _COMMENT.finditer(text[before:begin]))])
    separator = _skip(text, before) if at else -1  # the comma before it
    start = max(start, separator + 1)
    after = _skip(text, end)
    if text[after] == ",":
        return _joined(text[:before], text[before:start] + text[end:after].strip(), text[after + 1 :], holder)
    if at:
        return _joined(text[:before], text[before:separator] + text[separator + 1 : start], text[end:], holder)
    return _joined(text[:before], text[before:start], text[end:], holder)


def _joined(left: str, kept: str, right: str, holder: Node) -> str:
    """Both sides of what was removed, and the comments between; nothing may slip into a comment."""
    within = re.search(r"//[^\n]*\Z", kept) and right.lstrip(" \t\r")[:1] != "\n"
    return _closed(left + kept + ("\n" if within else "") + right, holder)


def _closed(text: str, holder: Node) -> str:
    """The text with a container that holds nothing any more drawn together."""
    close = _skip(text, holder.begin + 1)
    inside = text[holder.begin + 1 : close]
    if text[close : close + 1] in ("}", "]") and not inside.strip():
        return text[: holder.begin + 1] + text[close:]
    return text


def _step(node: Node, step: str | int) -> Node:
    found = node.children[step] if isinstance(step, int) else node.member(step)
    if found is None:
        raise InvalidInput(f"there is no {step!r} to remove")
    return found


def _skip(text: str, at: int) -> int:
    """Past blanks and comments."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _indent(text: str, at: int) -> str:
    """The blanks at the beginning of the line of a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """What the first indented line is indented by."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _wrong(text: str, at: int, what: str) -> InvalidInput:
    return InvalidInput(f"line {text.count(chr(10), 0, at) + 1}: {what}")
