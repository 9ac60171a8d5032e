"""What was learned as rules for hosts without hooks: `AGENTS.md`, Claude's rules with `paths:`, Cursor's `.mdc`.

Only what is held true now and was said or vouched for by a person or a proof goes out, and nothing personal: these
files are versioned with the project.
"""

from __future__ import annotations

import os
import re

from experience.capture.gate import suspicious
from experience.context import render
from experience.errors import InvalidInput
from experience.exchange import blocks
from experience.exchange.writers.hosts import HOSTS, file_name, is_ours
from experience.files import write_atomically
from experience.layers.memories import most_pressing
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from experience.desks.shelf import Shelf
    from experience.models import MemoryItem

    Wanted: TypeAlias = dict[str, tuple[str | None, Sequence[MemoryItem]]]  # by path: the scope, and what holds there

TYPES = ("policy", "preference", "architecture", "pitfall", "workflow")
VOUCHED = ("user", "verified")
MOST = 150  # lines of one file: an agent reads all of it every time
FORMATS = ("agents-md", *HOSTS)
TITLE = "## What was learned in this project\n\nNotes from earlier work. Cite what you use by its id.\n\n"
# What Claude Code would take for a file to read in: its path is shown, not followed
_IMPORT = r"@(?=[~\w.-]*[/.~])"


class Exported(Value):
    """What an export did: the files that hold it, those it was taken out of, and how much there is."""

    format: str
    files: tuple[str, ...]
    removed: tuple[str, ...]
    count: int
    left_out: int  # that found no room


def write(shelf: Shelf, format: str, target: str, *, remove: bool = False) -> Exported:
    """Write a project's rules where a host reads them, or take them out again; what is around them stays."""
    wanted = {} if remove else _wanted(_held(shelf), format, target)
    fresh = {path: _filled(path, format, *wanted[path]) for path in wanted}  # all of them before the first is written
    gone = {path: _emptied(path, format) for path in _present(format, target) if path not in wanted}
    for path, text in fresh.items():
        if text != _read(path):
            write_atomically(path, text)
    for path, rest in gone.items():
        _left(path, rest)
    sizes = [len(found) for _, found in wanted.values()]
    return Exported(
        format=format, files=tuple(sorted(fresh)), removed=tuple(sorted(gone)),
        count=sum(min(MOST, size) for size in sizes), left_out=sum(max(0, size - MOST) for size in sizes),
    )  # fmt: skip


def line(one: MemoryItem) -> str:
    """A memory as one line of a rule, which nothing in it can leave."""
    written = re.sub(_IMPORT, "&#64;", render.memory(one))
    if not suspicious(written):
        return written
    from experience.capture.secrets import scrub

    return scrub(written).text


def _held(shelf: Shelf) -> list[MemoryItem]:
    """What goes out, the most pressing first."""
    held = (one for _, one in shelf.memories.everything() if one.type in TYPES and one.trust in VOUCHED)
    states = ("quarantined_at", "archived_at", "superseded_by", "folded_into")
    return sorted((one for one in held if not any(getattr(one, state) for state in states)), key=most_pressing)


def _wanted(held: Sequence[MemoryItem], format: str, target: str) -> Wanted:
    """Which file is to hold what."""
    if not held:
        return {}
    if format == "agents-md":
        return {target: (None, held)}
    scopes: dict[str | None, list[MemoryItem]] = {}
    for one in held:
        scopes.setdefault(one.scope, []).append(one)
    host = HOSTS[format]
    return {
        os.path.join(target, host.directory, file_name(host, scope)): (scope, found) for scope, found in scopes.items()
    }


def _present(format: str, target: str) -> Iterable[str]:
    """The files that hold a block of ours now."""
    if format == "agents-md":
        places = [target]
    else:
        directory = os.path.join(target, HOSTS[format].directory)
        names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
        places = [os.path.join(directory, name) for name in names if is_ours(HOSTS[format], name)]
    return [path for path in places if blocks.holds(_read(path))]


def _filled(path: str, format: str, scope: str | None, found: Sequence[MemoryItem]) -> str:
    """The text of a file with its rules in it; one that is not there yet begins with what its host wants on top."""
    text = _read(path)
    if not text and format != "agents-md":
        text = HOSTS[format].front(scope)
    return blocks.replaced(path, text, TITLE + "".join(map(line, found[:MOST])))


def _emptied(path: str, format: str) -> str:
    """The text of a file without its rules; nothing where only what we put on top is left."""
    rest = blocks.removed(path, _read(path))
    ours = format != "agents-md" and re.fullmatch(r"(?:---\n(?:(?!---).*\n)*---\n)?\s*", rest)
    return "" if ours else rest


def _left(path: str, rest: str) -> None:
    """Leave the rest of a file; a file of ours of which nothing is left goes."""
    if rest:
        write_atomically(path, rest)
        return
    try:
        os.remove(path)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be removed ({error.strerror}); check its permissions") from error


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read as UTF-8 ({error}); it was left as it is") from error
