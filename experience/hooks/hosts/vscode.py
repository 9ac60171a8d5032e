"""VS Code: hook files in `.github/hooks`, one command line an entry for each system; its answers are Claude Code's."""

from __future__ import annotations

import os
import sys

from experience.hooks.heard import heard as _heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.hooks.heard import Heard
    from experience.hooks.install.edits import Edit, Place

NAME = "vscode"
TITLE = "VS Code"
EVENTS = {
    "SessionStart": "start", "UserPromptSubmit": "prompt", "PreToolUse": "before", "PostToolUse": "after",
    "PostToolUseFailure": "failed", "Stop": "stop", "SubagentStop": "stop", "PreCompact": "compact",
    "SessionEnd": "end",
}  # fmt: skip
INSTALLED = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop", "PreCompact",
)  # fmt: skip
TELLING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure")
TIMEOUT_S = 5


def heard(event: str, payload: dict[str, Any]) -> Heard:
    """The event in our words."""
    return _heard(EVENTS[event], payload)


def answer(event: str, text: str) -> dict[str, Any] | None:
    """The text where the host takes one."""
    if event not in TELLING:
        return None
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def sample(event: str, cwd: str) -> dict[str, Any]:
    """The event as the host sends it."""
    from experience.hooks.samples import common

    return common(event, cwd)


def edits(place: Place) -> list[Edit]:
    """What is written where: a hook file of our own, and the MCP server."""
    from experience.hooks.install.edits import json_edit

    folder = place.at_home(".copilot", "hooks") if place.user else place.in_project(".github", "hooks")
    servers = os.path.join(_profile(place), "mcp.json") if place.user else place.in_project(".vscode", "mcp.json")
    place = place.replace(folder=folder)
    return [
        place.launcher(),
        json_edit(
            os.path.join(folder, "experience.json"), lists={("hooks", name): _entry(place, name) for name in INSTALLED}
        ),
        json_edit(servers, keys={("servers", "experience"): {"type": "stdio", **place.server()}}),
    ]


def _entry(place: Place, event: str) -> dict[str, Any]:
    line = place.command_lines(NAME, event)
    return {
        "type": "command", "command": line.native, "windows": line.windows, "linux": line.posix, "osx": line.posix,
        "timeout": TIMEOUT_S,
    }  # fmt: skip


def _profile(place: Place) -> str:
    """Where VS Code keeps a user's settings."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("APPDATA") or place.at_home("AppData", "Roaming"), "Code", "User")
    if sys.platform == "darwin":
        return place.at_home("Library", "Application Support", "Code", "User")
    return os.path.join(os.environ.get("XDG_CONFIG_HOME") or place.at_home(".config"), "Code", "User")
