"""What an adapter asks to be written: entries in lists, members, a table, a whole file; each can be undone."""

from __future__ import annotations

import json
import os

from experience.errors import InvalidInput
from experience.hooks.install import jsonc, tables
from experience.hooks.install.launcher import FILE, script
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MARK = "experience-hook"  # stands in every command of ours: the name of the file it starts


class Lines(Value):
    """A command as one line for a shell of either kind, and for the one of this machine."""

    posix: str
    windows: str
    native: str


class Place(Value):
    """Where a host is connected: for the user or for one project, and by which Python."""

    user: bool
    home: str
    root: str
    python: str
    folder: str = ""  # where the file that every hook starts is written

    def at_home(self, *names: str) -> str:
        """A path in the user's home."""
        return os.path.join(self.home, *names)

    def in_project(self, *names: str) -> str:
        """A path in the project."""
        return os.path.join(self.root, *names)

    def launcher(self) -> Edit:
        """The file that every hook of a host starts, beside the host's settings: it goes when they go."""
        return whole_file(os.path.join(self.folder, FILE), script())

    def command(self, host: str, *event: str) -> list[str]:
        """The command of a hook, for hosts that need no shell."""
        return [self.python, "-I", "-S", os.path.join(self.folder, FILE), host, *event]

    def command_lines(self, host: str, event: str) -> Lines:
        """The command of a hook, for hosts that hand it to a shell."""
        from shlex import join
        from subprocess import list2cmdline

        command = self.command(host, event)
        posix, windows = join(command), list2cmdline(command)
        return Lines(posix=posix, windows=windows, native=windows if os.name == "nt" else posix)

    def server(self) -> dict[str, Any]:
        """How the MCP server is started."""
        project = [] if self.user else ["--project", self.root]
        return {"command": self.python, "args": ["-I", "-m", "experience", "mcp", *project]}


class Edit(Value):
    """One file that is changed: *write* gives its new text, *clean* the text without anything of ours."""

    path: str

    def write(self, text: str | None) -> str:
        """The file's text with what is ours in it; None stands for no file."""
        raise NotImplementedError

    def clean(self, text: str, origin: str | None = None) -> str | None:
        """The file's text without what is ours; None where nothing is left. What *origin* held empty stays so."""
        raise NotImplementedError


class WholeFile(Edit):
    """A file that is ours alone."""

    text: str

    def write(self, text: str | None) -> str:
        if text is not None and text.strip() and not _ours_alone(text):
            raise InvalidInput("it is somebody else's file; move it away")
        return self.text

    def clean(self, text: str, origin: str | None = None) -> str | None:
        return None if _ours_alone(text) else text


class JsonEdit(Edit):
    """Entries in a JSON file, with or without comments."""

    lists: dict[tuple[str, ...], Any] = {}  # noqa: RUF012  # values are frozen
    keys: dict[tuple[str, ...], Any] = {}  # noqa: RUF012
    fresh: dict[str, Any] = {}  # noqa: RUF012

    def write(self, text: str | None) -> str:
        if text is not None and self._holds(text):
            return text
        text = self._begun(text) if text is None or not text.strip("\ufeff \t\r\n") else self._cleaned(text)
        for path, item in self.lists.items():
            text = jsonc.add(text, path, item)
        for path, value in self.keys.items():
            if jsonc.find(jsonc.parse(text), path):
                raise InvalidInput(f"{'.'.join(path)} is there already and is not ours; rename or remove it")
            text = jsonc.put(text, path, value)
        return text

    def clean(self, text: str, origin: str | None = None) -> str | None:
        return self._cleaned(text, jsonc.parse(origin) if origin and origin.strip("\ufeff \t\r\n") else None)

    def _begun(self, text: str | None) -> str:
        if not self.fresh:
            return "{}\n"
        return json.dumps(self.fresh, indent=2) + "\n"

    def _holds(self, text: str) -> bool:
        """Whether everything of ours is there just so, and nothing else of ours."""
        whole = jsonc.parse(text)
        if sum(1 for _ in _handlers(whole)) != len(self.lists):
            return False
        listed = all((found := jsonc.find(whole, path)) and item in found.value for path, item in self.lists.items())
        return listed and all(
            (found := jsonc.find(whole, path)) and found.value == value for path, value in self.keys.items()
        )

    def _cleaned(self, text: str, origin: jsonc.Node | None = None) -> str:
        while (path := next(_handlers(jsonc.parse(text)), None)) is not None:
            text = jsonc.drop(text, path, _held(origin, path))
        for key in self.keys:
            found = jsonc.find(jsonc.parse(text), key)
            if found and is_server(found.value):
                text = jsonc.drop(text, key, _held(origin, key))
        return text


class TomlEdit(Edit):
    """One table in a TOML file."""

    table: tuple[str, ...]
    values: dict[str, Any]

    def write(self, text: str | None) -> str:
        held = self._held(text or "")
        if held is not None and self.values.items() <= held.items():
            return text or ""
        if held is not None and not is_server(held):
            raise InvalidInput(f"{'.'.join(self.table)} is there already and is not ours; rename or remove it")
        return tables.add(self.clean(text or "") or "", self.table, self.values)

    def clean(self, text: str, origin: str | None = None) -> str | None:
        held = self._held(text)
        return tables.drop(text, self.table) if held is not None and is_server(held) else text

    def _held(self, text: str) -> dict[str, Any] | None:
        held: Any = tables.parse(text)
        for name in self.table:
            held = held.get(name) if isinstance(held, dict) else None
        return held if isinstance(held, dict) else None


def json_edit(path: str, **what: Any) -> Edit:
    """Entries in lists and members of objects of a JSON file."""
    return JsonEdit(path=path, **what)


def toml_edit(path: str, table: tuple[str, ...], values: dict[str, Any]) -> Edit:
    """A table in a TOML file."""
    return TomlEdit(path=path, table=table, values=values)


def whole_file(path: str, text: str) -> Edit:
    """A file of our own."""
    return WholeFile(path=path, text=text)


def is_server(value: Any) -> bool:
    """Whether an entry starts our MCP server."""
    if not isinstance(value, dict):
        return False
    command = value.get("command")
    words = [*(command if isinstance(command, list) else [command]), *(value.get("args") or [])]
    return "mcp" in words and any(str(word).rpartition("/")[2] in ("experience", "experience.exe") for word in words)


def _handlers(whole: jsonc.Node) -> Any:
    """The path of every hook of ours, also of one that stands in a group among others."""
    hooks = whole.member("hooks") if isinstance(whole.value, dict) else None
    for event, entries in hooks.value.items() if hooks and isinstance(hooks.value, dict) else ():
        for at, entry in enumerate(entries if isinstance(entries, list) else ()):
            group = entry.get("hooks") if isinstance(entry, dict) else None
            if isinstance(group, list):
                own = [i for i, handler in enumerate(group) if MARK in json.dumps(handler)]
                if own:
                    yield ("hooks", event, at) if len(own) == len(group) else ("hooks", event, at, "hooks", own[0])
            elif MARK in json.dumps(entry):
                yield ("hooks", event, at)


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Every hook of ours in a settings file: the event, and its command as words."""
    from shlex import split

    whole, found = jsonc.parse(text), []
    for path in _handlers(whole):
        entry: Any = whole.value
        for step in path:
            entry = entry[step]
        handlers: Sequence[Any] = entry["hooks"] if isinstance(entry.get("hooks"), list) else [entry]
        for one in handlers:
            words = [one["command"], *one["args"]] if "args" in one else split(one["command"], posix=os.name != "nt")
            found.append((str(path[1]), [str(word).strip('"') for word in words]))
    return found


def _held(origin: jsonc.Node | None, path: Sequence[str | int]) -> int:
    """How many steps of a path were there before us."""
    names = [step for step in path if isinstance(step, str)]
    return max((at for at in range(len(names) + 1) if origin and jsonc.find(origin, names[:at])), default=0)


def _ours_alone(text: str) -> bool:
    return "Written by `experience install" in text[:400]
