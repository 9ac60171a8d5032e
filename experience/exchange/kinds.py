"""Every format that is read, and which one a file has."""

from __future__ import annotations

import os
from importlib import import_module

from experience.errors import InvalidInput
from experience.exchange.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

# The most telling first: our own header, then shapes, then names alone.
KINDS = {
    "jsonl": "jsonl", "codex": "codex", "claude-code": "claude_code", "claude-mem": "claude_mem", "mem0": "mem0",
    "aider": "aider", "specstory": "specstory", "instructions": "instructions",
}  # fmt: skip
_ENDINGS = (".jsonl", ".json", ".md", ".mdc", ".cursorrules", ".windsurfrules")
_LEFT_ALONE = frozenset(
    ".git .hg .svn .venv venv node_modules __pycache__ .mypy_cache .ruff_cache .experience dist build target".split()
)


def reader(kind: str) -> Any:
    """The reader of a format."""
    return import_module(f"experience.exchange.readers.{KINDS[kind]}")


def known(source: Source) -> str | None:
    """The format a file has, or nothing where it is none of ours."""
    return next((kind for kind in KINDS if reader(kind).looks(source)), None)


def found(path: str, kind: str | None, root: str) -> Iterator[tuple[str, Source]]:
    """The files at a path that are read, each with its format; of a directory those that have a known one."""
    if kind is not None and kind not in KINDS:
        raise InvalidInput(f"--from {kind!r} is unknown; choose one of {', '.join(KINDS)}")
    if not os.path.isdir(path):
        source = Source(path, _inside(path, root))
        seen = kind or known(source)
        if seen is None:
            raise InvalidInput(f"{path} has none of the known formats; say which with --from: {', '.join(KINDS)}")
        yield seen, source
        return
    for file in _files(path):
        readable = _readable(file, root)
        format = known(readable) if readable else None
        if readable and format and kind in (None, format):
            yield format, readable


def _readable(file: str, root: str) -> Source | None:
    try:
        return Source(file, _inside(file, root))
    except InvalidInput:
        return None  # of a whole directory some files may be pictures, or somebody else's


def _files(path: str) -> Iterable[str]:
    """The files in a directory that could be of a known format, in order; links are not followed."""
    for where, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if name not in _LEFT_ALONE)
        for name in sorted(names):
            if name.endswith(_ENDINGS) and not os.path.islink(os.path.join(where, name)):
                yield os.path.join(where, name)


def _inside(path: str, root: str) -> str:
    """The part of the project that instructions at this place speak for: '' for all of it."""
    place = os.path.relpath(os.path.dirname(os.path.abspath(path)), root).replace(os.sep, "/")
    outside = place.startswith("..") or os.path.isabs(place)
    return "" if outside or place == "." or "/." in f"/{place}" else place
