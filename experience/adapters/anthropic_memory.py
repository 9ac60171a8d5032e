"""Anthropic's memory tool (`memory_20250818`) over the project's notes: `/memories/x.md` is `.experience/notes/x.md`.

`MemoryFiles` needs no SDK: hand it each command as the model wrote it. `tool(memory)` makes of it what the SDK's tool
runner takes. A note belongs to people, too: it is a plain file in the project, and secrets never reach it.
"""

from __future__ import annotations

import os
import shutil
import stat
from importlib import import_module

from experience.capture.gate import suspicious
from experience.desks.stores import DIRECTORY
from experience.errors import ExperienceError, InvalidInput, StoreUnavailable
from experience.ids import new_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from experience.memory import Memory

ROOT = "/memories"
DEPTH = 2
MOST_LINES = 999_999
MOST_BYTES = 10_000_000
WIDTH = len(str(MOST_LINES))
UNITS = "BKMG"
DEFINITION = {"type": "memory_20250818", "name": "memory"}
_NEEDS = {
    "view": ("path",), "create": ("path", "file_text"), "str_replace": ("path", "old_str"),
    "insert": ("path", "insert_line", "insert_text"), "delete": ("path",), "rename": ("old_path", "new_path"),
}  # fmt: skip


class MemoryFiles:
    """The six commands of the tool. What goes wrong is an error whose words are for the model."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._home = os.path.realpath(memory.root)
        self._root = os.path.join(self._home, DIRECTORY, "notes")

    def call(self, command: Mapping[str, Any]) -> str:
        """Do what the model asks for and return what it is told."""
        name = command.get("command")
        if name not in _NEEDS:
            raise InvalidInput(f"Unknown command: {name}")
        for field in _NEEDS[name]:
            fits = isinstance(command.get(field), int if field == "insert_line" else str)
            if not fits or isinstance(command[field], bool):
                raise InvalidInput(f"The parameter `{field}` of the command {name} is missing or of the wrong type")
        if name == "view":
            return self._view(command["path"], command.get("view_range"))
        with self._memory.store.transaction():  # one writer at a time, in whichever process
            done: str = getattr(self, f"_{name}")(*(command[field] for field in _NEEDS[name]), **_extra(name, command))
        return done

    def _view(self, path: str, view_range: Any) -> str:
        place = self._place(path)
        if path.rstrip("/") == ROOT and not os.path.lexists(place):
            _made(place)
        if os.path.isdir(place):
            listed = "\n".join(f"{_size(size)}\t{name}" for size, name in self._listed(place, path.rstrip("/")))
            head = f"Here're the files and directories up to {DEPTH} levels deep in {path}, excluding hidden items:"
            return f"{head}\n{listed}"
        lines = self._text(path, place, "The path {path} does not exist. Please provide a valid path.").split("\n")
        if len(lines) > MOST_LINES:
            raise InvalidInput(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
        first, last = _range(view_range, len(lines))
        return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first, last)}"

    def _create(self, path: str, file_text: str) -> str:
        place = self._place(path)
        if os.path.lexists(place):
            raise InvalidInput(f"File {path} already exists")
        _made(os.path.dirname(place))
        self._write(path, place, file_text, "created")
        return f"File created successfully at: {path}"

    def _str_replace(self, path: str, old_str: str, *, new_str: str) -> str:
        place = self._place(path)
        text = self._text(path, place, "The path {path} does not exist. Please provide a valid path.")
        at = _only(path, text, old_str)
        fresh = self._write(path, place, text[:at] + new_str + text[at + len(old_str) :], "edited")
        line = text.count("\n", 0, at) + 1
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return f"{head}\n{_numbered(fresh.split(chr(10)), max(1, line - 2), line + 2)}"

    def _insert(self, path: str, insert_line: int, insert_text: str) -> str:
        place = self._place(path)
        text = self._text(path, place, "The path {path} does not exist. Please provide a valid path.")
        lines = text.removesuffix("\n").split("\n") if text else []
        if not 0 <= insert_line <= len(lines):
            raise InvalidInput(
                f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
            )
        lines.insert(insert_line, insert_text.removesuffix("\n"))
        self._write(path, place, "\n".join(lines) + "\n", "edited")
        return f"The file {path} has been edited."

    def _delete(self, path: str) -> str:
        place = self._place(path)
        if place == self._root:
            raise InvalidInput(f"Cannot delete the {ROOT} directory itself")
        if not os.path.lexists(place):
            raise InvalidInput(f"The path {path} does not exist")
        try:
            shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)
        except OSError as error:
            raise StoreUnavailable(f"{path} cannot be deleted ({error.strerror})") from error
        self._tell(path, "deleted")
        return f"Successfully deleted {path}"

    def _rename(self, old_path: str, new_path: str) -> str:
        old, new = self._place(old_path), self._place(new_path)
        if old == self._root:
            raise InvalidInput(f"Cannot rename the {ROOT} directory itself")
        if not os.path.lexists(old):
            raise InvalidInput(f"The path {old_path} does not exist")
        if os.path.lexists(new):
            raise InvalidInput(f"The destination {new_path} already exists")
        if new.startswith(os.path.join(old, "")):
            raise InvalidInput(f"The destination {new_path} is inside of {old_path}")
        _made(os.path.dirname(new))
        try:
            os.rename(old, new)
        except OSError as error:
            raise StoreUnavailable(f"{old_path} cannot be renamed ({error.strerror})") from error
        self._tell(new_path, "renamed")
        return f"Successfully renamed {old_path} to {new_path}"

    def _place(self, path: str) -> str:
        """The file a path of the tool means; nothing outside of the notes, whatever links lead there."""
        if path != ROOT and not path.startswith(f"{ROOT}/"):
            raise InvalidInput(f"Path must start with {ROOT}, got: {path}")
        parts = [part for part in path.removeprefix(ROOT).split("/") if part]
        if any(part in (".", "..") or "\\" in part or not part.isprintable() for part in parts):
            raise InvalidInput(f"Path {path!a} would escape {ROOT} directory")
        place = os.path.join(self._root, *parts)
        if os.path.realpath(place) != place:
            raise InvalidInput(f"Path {path} would escape {ROOT} directory via symlink")
        return place

    def _listed(self, place: str, shown: str, depth: int = 0) -> Iterator[tuple[int, str]]:
        """A directory and what is in it, links and hidden things left out."""
        yield os.stat(place).st_size, shown if depth == 0 else f"{shown}/"
        for entry in sorted(os.scandir(place), key=lambda one: one.name) if depth < DEPTH else ():
            name = f"{shown}/{entry.name}"
            if entry.name.startswith(".") or entry.is_symlink():
                continue
            if entry.is_dir():
                yield from self._listed(entry.path, name, depth + 1)
            elif entry.is_file():
                yield entry.stat().st_size, name

    def _text(self, path: str, place: str, missing: str) -> str:
        try:
            with os.fdopen(os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise InvalidInput(f"The path {path} is not a file.")
                return file.read(MOST_BYTES).decode("utf-8")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise InvalidInput(missing.format(path=path)) from error
        except IsADirectoryError as error:
            raise InvalidInput(f"The path {path} is not a file.") from error
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"The file {path} cannot be read as text ({error})") from error

    def _write(self, path: str, place: str, text: str, did: str) -> str:
        """Put the text, its secrets taken out, safely in its place; returns what was written."""
        clean = text
        if suspicious(text):
            from experience.capture.secrets import scrub

            clean = scrub(text).text
        data = clean.encode("utf-8", "replace")
        if len(data) > MOST_BYTES:
            raise InvalidInput(f"The file {path} would have {len(data):,} bytes; at most {MOST_BYTES:,} are kept")
        _replaced(place, data)
        self._tell(path, did)
        return clean

    def _tell(self, path: str, did: str) -> None:
        self._memory.log("file.note", path[:200], did=did, by="memory tool")


def tool(memory: Memory, **options: Any) -> Any:
    """The notes as a tool of the `anthropic` package, for `client.beta.messages.tool_runner(tools=[…])`."""
    tools = import_module("anthropic.lib.tools")
    broken: Any = getattr(tools, "ToolError", ValueError)  # older versions hand on the words of any error
    files = MemoryFiles(memory)

    def ask(_: object, command: Any) -> str:
        try:
            return files.call(command.model_dump(exclude_none=True))
        except ExperienceError as error:
            raise broken(str(error)) from error

    made = type("NotesMemoryTool", (tools.BetaAbstractMemoryTool,), dict.fromkeys(_NEEDS, ask))
    return made(**options)


def _extra(name: str, command: Mapping[str, Any]) -> dict[str, str]:
    """`new_str` may be left out: then nothing comes in the place of the old."""
    if name != "str_replace":
        return {}
    new = command.get("new_str", "")
    if not isinstance(new, str):
        raise InvalidInput("The parameter `new_str` of the command str_replace is of the wrong type")
    return {"new_str": new}


def _only(path: str, text: str, old: str) -> int:
    """Where the one place is that has these words."""
    at = text.find(old) if old else -1
    if at < 0:
        raise InvalidInput(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    places = [at]
    while (at := text.find(old, at + 1)) >= 0:
        places.append(at)
    if len(places) > 1:
        lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
        raise InvalidInput(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    return places[0]


def _range(given: Any, lines: int) -> tuple[int, int]:
    """The first and the last line that are asked for; -1 is the end."""
    if not isinstance(given, list | tuple) or len(given) != 2 or not all(isinstance(one, int) for one in given):
        return 1, lines
    return max(1, given[0]), lines if given[1] == -1 else given[1]


def _numbered(lines: list[str], first: int, last: int) -> str:
    some = enumerate(lines[first - 1 : last], first)
    return "\n".join(f"{number:>{WIDTH}}\t{line}" for number, line in some)


def _size(size: int) -> str:
    """Bytes as a person reads them: 0B, 512B, 1.5K."""
    step = min(max(0, size.bit_length() - 1) // 10, len(UNITS) - 1)
    return f"{size / 1024**step:.1f}".removesuffix(".0") + UNITS[step]


def _made(directory: str) -> None:
    """The directory and those above it that are missing, for nobody but their owner."""
    if os.path.isdir(directory):
        return
    try:
        _made(os.path.dirname(directory))
        os.mkdir(directory, 0o700)
        os.chmod(directory, 0o700)
    except FileExistsError as error:
        raise InvalidInput(f"{os.path.basename(directory)} is a file, no directory") from error
    except OSError as error:
        raise StoreUnavailable(f"the notes cannot be written ({error.strerror}); check their permissions") from error


def _replaced(place: str, data: bytes) -> None:
    """All of the new or all of the old, whatever happens."""
    fresh = os.path.join(os.path.dirname(place), f".{new_id()}.tmp")
    try:
        try:
            with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, place)
        finally:
            if os.path.exists(fresh):
                os.remove(fresh)
    except OSError as error:
        raise StoreUnavailable(f"the note cannot be written ({error.strerror}) and is as it was") from error
