"""Claude Code: command hooks in `settings.json`, started without a shell."""

from __future__ import annotations

import os

from experience.hooks.heard import heard as _heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.hooks.heard import Heard
    from experience.hooks.install.edits import Edit, Place

NAME = "claude-code"
TITLE = "Claude Code"
EVENTS = {
    "SessionStart": "start", "UserPromptSubmit": "prompt", "PreToolUse": "before", "PostToolUse": "after",
    "PostToolUseFailure": "failed", "Stop": "stop", "SubagentStop": "stop", "PreCompact": "compact",
    "SessionEnd": "end",
}  # fmt: skip
TELLING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure")
MATCHERS = {"PreToolUse": "Bash|Edit|MultiEdit|Write|NotebookEdit|Read"}
TIMEOUT_S = 5


def heard(event: str, payload: dict[str, Any]) -> Heard:
    """The event in our words."""
    return _heard(EVENTS[event], payload)


def answer(event: str, text: str) -> dict[str, Any] | None:
    """The text where the host takes one; a Stop that answered would keep the agent going."""
    if event not in TELLING:
        return None
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def sample(event: str, cwd: str) -> dict[str, Any]:
    """The event as the host sends it."""
    from experience.hooks.samples import common

    return common(event, cwd)


def edits(place: Place) -> list[Edit]:
    """What is written where: the hooks, and the MCP server."""
    from experience.hooks.install.edits import json_edit

    own = os.environ.get("CLAUDE_CONFIG_DIR") or place.at_home(".claude")
    folder = own if place.user else place.in_project(".claude")
    servers = place.at_home(".claude.json") if place.user else place.in_project(".mcp.json")
    if place.user and os.environ.get("CLAUDE_CONFIG_DIR"):
        servers = os.path.join(own, ".claude.json")
    place = place.replace(folder=folder)
    return [
        place.launcher(),
        json_edit(
            os.path.join(folder, "settings.json"), lists={("hooks", name): _group(place, name) for name in EVENTS}
        ),
        json_edit(servers, keys={("mcpServers", "experience"): {"type": "stdio", **place.server()}}),
    ]


def _group(place: Place, event: str) -> dict[str, Any]:
    command, *arguments = place.command(NAME, event)
    handler = {"type": "command", "command": command, "args": arguments, "timeout": TIMEOUT_S}
    matcher = {"matcher": MATCHERS[event]} if event in MATCHERS else {}
    return {**matcher, "hooks": [handler]}
