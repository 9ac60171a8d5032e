"""Files for the tests of what stays in memory, and what tests ask of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import memory_sync
from experience import Memory


def write(directory: Path | str, files: dict[str, str]) -> None:
    """Write texts into files of these names."""
    for name, text in files.items():
        path = Path(directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def sections(count: int, lines: int = 12, *, word: str = "plain") -> str:
    """A Markdown file of so many sections, no two lines alike."""
    body = "\n".join("\n".join([f"## Part {part}", "", *(said(word, part, line) for line in range(lines)), ""])
                     for part in range(count))  # fmt: skip
    return f"# Title\n\n{body}\n"


def said(word: str, part: int, line: int) -> str:
    return f"The {word} line {line} of part {part} says something that no other line of this file says."


def found(memory: Memory, query: str, **more: object) -> list[str]:
    """The paths that a search finds."""
    return [chunk.path for chunk in memory_sync.search(memory, query, **more).chunks]  # type: ignore[arg-type]


def stored(memory: Memory) -> list[str]:
    """The paths that are in memory."""
    return [str(path) for (path,) in memory.store.query("select path from files where skipped is null order by path")]


def until(holds: Callable[[], object], *, within_s: float = 20.0) -> None:
    """Wait until something holds; fail where it never does."""
    end = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > end:
            raise AssertionError("it never came to hold")
        time.sleep(0.01)
