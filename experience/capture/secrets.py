"""Secrets never reach the store: each is replaced by a placeholder that says only what kind of secret it was.

Almost no text holds one, and this stands in the way of every write. So a text first passes a cheap gate; only behind it
are the kinds looked at whose triggers stand in the text, and only those patterns are ever compiled.
"""

from __future__ import annotations

from functools import cache

from experience.capture.gate import has_token, has_word, suspicious
from experience.capture.secret_kinds import KINDS, Kind
from experience.capture.secret_kinds.promises import group, named
from experience.capture.secret_kinds.randomness import compiled
from experience.capture.secret_kinds.shape import GROUPS
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Match, Pattern
    from typing import Any, TypeAlias

    Span: TypeAlias = tuple[int, int, int]  # from, to, number of the kind

__all__ = ["KINDS", "Kind", "Scrubbed", "scrub", "scrub_json"]

ROUNDS = 20  # what is left beside a placeholder is looked at again; more rounds than this only malice needs
_KNOWN = frozenset(kind.name for kind in KINDS)
_PLACEHOLDER = r"\[secret:([a-z0-9-]{1,40})\]"


class Scrubbed(Value):
    """A text without its secrets, and how many of each kind were taken out."""

    text: str
    found: dict[str, int]


def scrub(text: str) -> Scrubbed:
    """Replace each secret by a placeholder such as `[secret:jwt]`; a text without secrets is returned as it is."""
    if not suspicious(text):
        return Scrubbed(text=text, found={})
    found: dict[str, int] = {}
    clean = "".join(_cleaned(part, found, ROUNDS) for part in _parts(text))
    return Scrubbed(text=clean if found else text, found=found)


def scrub_json(value: Any) -> tuple[Any, dict[str, int]]:
    """The same for every text in a JSON value, its keys too, and for texts whose key says that they are secret."""
    found: dict[str, int] = {}
    root: list[Any] = [None]
    waiting: list[tuple[Any, Any, Any, str]] = [(value, root, 0, "")]
    while waiting:  # no recursion: JSON may be nested deeper than calls
        source, home, place, name = waiting.pop()
        if isinstance(source, str):
            home[place] = _text(source, name, found)
        elif isinstance(source, dict):
            home[place] = fresh = _emptied(source, found)
            called = _called(source)
            for (key, item), new in zip(source.items(), list(fresh), strict=True):
                waiting.append((item, fresh, new, called if called and key in _VALUES else str(key)))
        elif isinstance(source, list | tuple):
            home[place] = copy = [None] * len(source)
            waiting += [(item, copy, index, _before(source, index) or name) for index, item in enumerate(source)]
        else:
            home[place] = source
    return (root[0], found) if found else (value, found)


_VALUES = ("value", "Value", "VALUE")


def _before(source: list[Any] | tuple[Any, ...], index: int) -> str:
    """The name right before an item of a list: an option of a command, the first half of a pair."""
    name = source[index - 1] if index else ""
    tells = isinstance(name, str) and (name.startswith("-") or len(source) == 2) and " " not in name and group(name)
    return name if tells else ""


def _called(source: dict[Any, Any]) -> str:
    """The name in a pair such as {"name": "API_TOKEN", "value": …}."""
    name = next((source[key] for key in ("name", "Name", "key", "Key") if key in source), "")
    return name if isinstance(name, str) and group(name) else ""


def _text(source: str, name: str, found: dict[str, int]) -> str:
    """One text of a JSON value, under the key *name*."""
    done = scrub(source)
    if done.found.keys() <= {"high-entropy"} and named(name, source) and not compiled(_PLACEHOLDER).search(source):
        done = Scrubbed(text="[secret:credential]", found={"credential": 1})
    for kind, count in done.found.items():
        found[kind] = found.get(kind, 0) + count
    return done.text


def _emptied(source: dict[Any, Any], found: dict[str, int]) -> dict[Any, Any]:
    """A dict with clean keys in the same order, all different, and without values yet."""
    fresh: dict[Any, Any] = {}
    for key in source:
        clean = plain = _text(key, "", found) if isinstance(key, str) else key
        while clean in fresh or (clean is not key and clean in source):
            clean = f"{plain} ({len(fresh) + 1})"
            plain = f"{plain}'"
        fresh[clean] = None
    return fresh


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text cut at its placeholders, each part with whether it is one."""
    at = 0
    for match in compiled(_PLACEHOLDER).finditer(text):
        if match[1] in _KNOWN:
            yield text[at : match.start()], False
            yield match[0], True
            at = match.end()
    yield text[at:], False


def _cleaned(part: tuple[str, bool], found: dict[str, int], rounds: int) -> str:
    """One part without its secrets; what stands between them is looked at again, for now it stands alone."""
    text, placeholder = part
    if placeholder or not text or not rounds or not suspicious(text):
        return text
    spans = _merged(sorted(_spans(text)))
    if not spans:
        return text
    pieces, at = [], 0
    for start, end, number in spans:
        name = KINDS[number].name
        found[name] = found.get(name, 0) + 1
        pieces += [_cleaned((text[at:start], False), found, rounds - 1), f"[secret:{name}]"]
        at = end
    return "".join([*pieces, _cleaned((text[at:], False), found, rounds - 1)])


def _merged(spans: list[Span]) -> list[Span]:
    """Spans that overlap become one, named by the most telling kind."""
    done: list[Span] = []
    for start, end, number in spans:
        if done and start < done[-1][1]:
            first, last, kind = done[-1]
            done[-1] = (first, max(last, end), min(kind, number))
        else:
            done.append((start, end, number))
    return done


def _spans(text: str) -> Iterator[Span]:
    """Every secret that any kind sees."""
    lower, numbers = text.lower(), set[int]()
    for here, triggers in zip((has_word(text), has_token(text)), _triggers(), strict=True):
        if here:
            numbers.update(number for trigger, some in triggers.items() if trigger in lower for number in some)
    for number in sorted(numbers):
        yield from _seen(number, text)


@cache
def _triggers() -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Each trigger with the numbers of its kinds: of kinds without a long run of characters, and of those with one."""
    found: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
    for number, kind in enumerate(KINDS):
        for trigger in kind.triggers:
            found[kind.long].setdefault(trigger, []).append(number)
    return found


def _seen(number: int, text: str) -> Iterator[Span]:
    """Every secret of one kind; after a false alarm the search goes on right behind where it began."""
    pattern, groups = _compiled(number)
    proof, at = KINDS[number].proof, 0
    while match := pattern.search(text, at):
        if proof is None or proof(match):
            start, end = next((match.span(name) for name in groups if match[name] is not None), match.span())
            yield start, end, number
            at = max(match.end(), at + 1)
        else:
            at = _resume(match)


def _resume(match: Match[str]) -> int:
    """Where a rejected match lets the search go on: behind the name, where it has one."""
    name = match.re.groupindex.get("name")
    after = match.end(name) if name and match[name] is not None else match.end()
    return max(after, match.start() + 1)


@cache
def _compiled(number: int) -> tuple[Pattern[str], tuple[str, ...]]:
    """A kind's pattern and the names of the groups that hold the secret."""
    pattern = compiled(KINDS[number].pattern)
    return pattern, tuple(name for name in pattern.groupindex if name[:2] in GROUPS)
