"""Cursor: `hooks.json` with one command line an entry; it names conversations and workspaces in its own way."""

from __future__ import annotations

import os
import re

from experience.errors import InvalidInput
from experience.hooks.heard import first, given
from experience.hooks.heard import heard as _heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.hooks.heard import Heard
    from experience.hooks.install.edits import Edit, Place

NAME = "cursor"
TITLE = "Cursor"
EVENTS = {
    "sessionStart": "start", "beforeSubmitPrompt": "prompt", "preToolUse": "before", "postToolUse": "after",
    "postToolUseFailure": "failed", "afterShellExecution": "after", "afterMCPExecution": "after",
    "afterFileEdit": "after", "afterAgentResponse": "said", "stop": "stop", "preCompact": "compact",
    "sessionEnd": "end",
}  # fmt: skip
# What is asked for: where two events tell of the same step, the one that every version has.
INSTALLED = (
    "sessionStart", "beforeSubmitPrompt", "afterShellExecution", "afterMCPExecution", "afterFileEdit",
    "afterAgentResponse", "stop", "sessionEnd",
)  # fmt: skip
_TOOLS = {"afterShellExecution": "Shell", "afterFileEdit": "Edit"}


def heard(event: str, payload: dict[str, Any]) -> Heard:
    """The event in our words."""
    roots = payload.get("workspace_roots")
    if roots is not None and not (isinstance(roots, list) and all(isinstance(root, str) for root in roots)):
        raise InvalidInput("the event's workspace_roots is no list of directories")
    found = _heard(EVENTS[event], payload)
    if not found.cwd and roots:
        found = found.replace(cwd=_native(roots[0]))
    if event in _TOOLS or event == "afterMCPExecution":
        found = found.replace(
            tool=_TOOLS.get(event) or first(payload, "tool_name"), output=given(payload, "output", "result_json"),
            input=given(payload, "tool_input") or _called(payload),
        )  # fmt: skip
    return found


def answer(event: str, text: str) -> dict[str, Any] | None:
    """The text at the start and with a prompt; elsewhere Cursor has no place for it."""
    if event == "sessionStart":
        return {"additional_context": text}
    return {"continue": True, "additional_context": text} if event == "beforeSubmitPrompt" else None


def sample(event: str, cwd: str) -> dict[str, Any]:
    """The event as Cursor sends it."""
    from experience.hooks.samples import ANSWER, PROMPT, SESSION

    shell = {"command": "ls", "output": "", "duration": 1}
    fields: dict[str, dict[str, Any]] = {
        "beforeSubmitPrompt": {"prompt": PROMPT, "attachments": []}, "afterShellExecution": shell,
        "afterFileEdit": {"file_path": os.path.join(cwd, "a.py"), "edits": []}, "afterAgentResponse": {"text": ANSWER},
        "afterMCPExecution": {"tool_name": "list", "tool_input": "{}", "result_json": "{}"},
        "stop": {"status": "completed", "loop_count": 0},
    }  # fmt: skip
    return {
        "conversation_id": SESSION, "generation_id": "1", "model": "sample", "hook_event_name": event,
        "cursor_version": "1.7", "workspace_roots": [cwd], "user_email": None, **fields.get(event, {}),
    }  # fmt: skip


def edits(place: Place) -> list[Edit]:
    """What is written where: the hooks, and the MCP server."""
    from experience.hooks.install.edits import json_edit

    folder = place.at_home(".cursor") if place.user else place.in_project(".cursor")
    place = place.replace(folder=folder)
    lines = {("hooks", name): {"command": place.command_lines(NAME, name).native} for name in INSTALLED}
    return [
        place.launcher(),
        json_edit(os.path.join(folder, "hooks.json"), lists=lines, fresh={"version": 1}),
        json_edit(os.path.join(folder, "mcp.json"), keys={("mcpServers", "experience"): place.server()}),
    ]


def _called(payload: dict[str, Any]) -> dict[str, Any]:
    """What a shell ran or which file was edited, as a tool's input."""
    return {name: payload[name] for name in ("command", "file_path", "edits") if name in payload}


def _native(root: str) -> str:
    """A Windows directory without the slash that Cursor writes before its drive."""
    return root[1:] if re.match(r"/[A-Za-z]:", root) else root
