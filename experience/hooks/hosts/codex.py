"""Codex: `hooks.json` beside `config.toml`; a key it does not know in an answer makes the hook fail."""

from __future__ import annotations

import os

from experience.hooks.heard import heard as _heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.hooks.heard import Heard
    from experience.hooks.install.edits import Edit, Place

NAME = "codex"
TITLE = "Codex"
EVENTS = {
    "SessionStart": "start", "UserPromptSubmit": "prompt", "PreToolUse": "before", "PostToolUse": "after",
    "Stop": "stop", "SubagentStop": "stop", "PreCompact": "compact", "SessionEnd": "end",
}  # fmt: skip
TELLING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
TIMEOUT_S = 5
LAST_S = 3  # the most Codex allows at the end of a session


def heard(event: str, payload: dict[str, Any]) -> Heard:
    """The event in our words."""
    return _heard(EVENTS[event], payload)


def answer(event: str, text: str) -> dict[str, Any] | None:
    """The text where Codex's schema has a place for it, and nothing else."""
    if event not in TELLING:
        return None
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def sample(event: str, cwd: str) -> dict[str, Any]:
    """The event as the host sends it."""
    from experience.hooks.samples import common

    return common(event, cwd)


def edits(place: Place) -> list[Edit]:
    """What is written where: the hooks as JSON, the MCP server as TOML."""
    from experience.hooks.install.edits import json_edit, toml_edit

    own = os.environ.get("CODEX_HOME") or place.at_home(".codex")
    folder = own if place.user else place.in_project(".codex")
    place = place.replace(folder=folder)
    return [
        place.launcher(),
        json_edit(os.path.join(folder, "hooks.json"), lists={("hooks", name): _group(place, name) for name in EVENTS}),
        toml_edit(os.path.join(folder, "config.toml"), ("mcp_servers", "experience"), place.server()),
    ]


def _group(place: Place, event: str) -> dict[str, Any]:
    line = place.command_lines(NAME, event)
    timeout = LAST_S if event == "SessionEnd" else TIMEOUT_S
    handler = {"type": "command", "command": line.posix, "commandWindows": line.windows, "timeout": timeout}
    return {"hooks": [handler]}
