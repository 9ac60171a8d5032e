"""What agents may read: the figures of the store, the core memory, and the project's notes."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote

from experience.errors import NotFound
from experience.values import Value
from experience.verbs.answers import as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from experience.memory import Memory

NOTES = "experience://notes/"
MOST, BYTES = 1000, 1_000_000  # notes that are listed, and bytes that are shown of one


class Readable(Value):
    """Something an agent may read."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str


FIXED = (
    Readable(uri="experience://stats", name="stats", title="Figures", mime_type="application/json",
             description="How much is stored, by kind."),
    Readable(uri="experience://memories", name="memories", title="Core memory", mime_type="text/markdown",
             description="Every current memory, and when to save one."),
)  # fmt: skip


def listed(memory: Memory) -> list[Readable]:
    """Everything there is to read, always in the same order."""
    return [*FIXED, *(_note(name) for name, _ in _notes(memory))]


def read(memory: Memory, uri: str) -> tuple[str, str]:
    """The text behind an address and its type."""
    if uri == "experience://stats":
        return as_json(memory.stats()), "application/json"
    if uri == "experience://memories":
        return memory.formatted_memories(), "text/markdown"
    name = unquote(uri.removeprefix(NOTES))
    for known, path in _notes(memory) if uri.startswith(NOTES) else ():  # only what is listed can be read
        if known == name:
            with open(path, "rb") as file:
                return file.read(BYTES).decode("utf-8", "replace"), "text/markdown"
    raise NotFound("resource", uri)


def _note(name: str) -> Readable:
    return Readable(
        uri=NOTES + quote(name), name=name, title=name, mime_type="text/markdown", description="A note of the project."
    )


def _notes(memory: Memory) -> list[tuple[str, str]]:
    """The notes by name, and where each is; what leads out of their directory is none."""
    top = os.path.realpath(os.path.join(memory.root, ".experience", "notes"))
    inside = [(name, path) for name, path in _files(top) if os.path.realpath(path) == path]
    return sorted(inside)[:MOST]


def _files(top: str) -> Iterator[tuple[str, str]]:
    for directory, folders, files in os.walk(top):
        folders.sort()
        for file in files:
            if file.endswith(".md"):
                path = os.path.join(directory, file)
                yield os.path.relpath(path, top).replace(os.sep, "/"), path
