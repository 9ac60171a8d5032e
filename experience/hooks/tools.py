"""What a tool was called with and what came of it: the file, the command line, the words, whether it went well."""

from __future__ import annotations

import json

from experience.learning import verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 16_000  # characters of a result that are kept: a third of its beginning, the rest of its end
_PATHS = ("file_path", "filePath", "notebook_path", "path", "target_file", "file")
_LISTS = ("files", "filePaths", "paths")
_COMMANDS = ("command", "cmd", "script")
_WORDS = ("stdout", "stderr", "output", "content", "text", "result", "error", "message")
_CODES = ("exit_code", "exitCode", "exit", "returncode")

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def path(given: Any) -> str | None:
    """The file that a tool is about to read or change."""
    if not isinstance(given, dict):
        return None
    for name in _PATHS:
        if isinstance(given.get(name), str) and given[name]:
            return str(given[name])
    for name in _LISTS:
        if isinstance(given.get(name), list) and given[name] and isinstance(given[name][0], str):
            return str(given[name][0])
    return None


def command(given: Any) -> str:
    """The command line that a tool is about to run; nothing where it runs none."""
    found = next((given[name] for name in _COMMANDS if given.get(name)), "") if isinstance(given, dict) else given
    if isinstance(found, list):
        words = [str(word) for word in found]
        return words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    return found if isinstance(found, str) else ""


def words(result: Any) -> str:
    """A result as text, its middle left out where it is long."""
    text = _text(result)
    return text if len(text) <= MOST else f"{text[: MOST // 3]}\n…\n{text[-2 * MOST // 3 :]}"


def went_well(command: str, result: Any, *, failed: bool) -> bool | None:
    """Whether a call went well: what its words and its exit code say, or what its host does."""
    text, code = _text(result), _code(result)
    if code is None:
        code = verdicts.exit_code(text)
    if failed and code is None:
        code = 1
    told = verdicts.verdict(command, text, code)
    if told is not None:
        return told
    if verdicts.channel(command):
        return None  # a host that shows no exit code and a runner that says nothing prove nothing
    return not (failed or code)


def _text(result: Any) -> str:
    if isinstance(result, dict):
        parts = [result[name] for name in _WORDS if isinstance(result.get(name), str) and result[name]]
        return "\n".join(parts) if parts else _encode(result)
    if isinstance(result, list):
        return "\n".join(_text(one) for one in result[:100])
    return result if isinstance(result, str) else "" if result is None else _encode(result)


def _code(result: Any) -> int | None:
    """The exit code in a result that is told in fields."""
    if isinstance(result, str) and result[:1] == "{":
        try:
            result = json.loads(result)
        except ValueError:
            return None
    places = (result, result.get("metadata")) if isinstance(result, dict) else ()
    codes = [place.get(name) for place in places if isinstance(place, dict) for name in _CODES]
    return next((code for code in codes if isinstance(code, int)), None)
