"""OpenCode: a plugin of ours hands its events to the hook, and puts what it answers into the system prompt."""

from __future__ import annotations

import json
import os

from experience.hooks.heard import first
from experience.hooks.heard import heard as _heard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.hooks.heard import Heard
    from experience.hooks.install.edits import Edit, Place

NAME = "opencode"
TITLE = "OpenCode"
EVENTS = {
    "session.created": "start", "chat.message": "prompt", "tool.execute.before": "before",
    "tool.execute.after": "after", "session.idle": "stop", "experimental.session.compacting": "compact",
    "session.deleted": "end",
}  # fmt: skip
TELLING = ("session.created", "chat.message", "tool.execute.before", "tool.execute.after")


def heard(event: str, payload: dict[str, Any]) -> Heard:
    """The event in our words."""
    found = _heard(EVENTS[event], payload)
    return found.replace(prompt=first(payload, "text"), message="") if event == "chat.message" else found


def answer(event: str, text: str) -> dict[str, Any] | None:
    """The text, for the plugin to put into the system prompt."""
    return {"context": text} if event in TELLING else None


def sample(event: str, cwd: str) -> dict[str, Any]:
    """The event as our plugin sends it."""
    from experience.hooks.samples import ANSWER, PROMPT, SESSION

    step = {"tool": "bash", "args": {"command": "ls"}}
    fields: dict[str, dict[str, Any]] = {
        "session.created": {"source": "startup"}, "chat.message": {"text": PROMPT}, "tool.execute.before": step,
        "tool.execute.after": {**step, "output": {"output": "", "metadata": {"exit": 0}}},
        "session.idle": {"last_assistant_message": ANSWER}, "experimental.session.compacting": {"trigger": "auto"},
        "session.deleted": {"reason": "deleted"},
    }  # fmt: skip
    return {"session_id": SESSION, "cwd": cwd, **fields[event]}


def edits(place: Place) -> list[Edit]:
    """What is written where: the plugin, and the MCP server."""
    from experience.hooks.install.edits import json_edit, whole_file

    own = os.path.join(os.environ.get("XDG_CONFIG_HOME") or place.at_home(".config"), "opencode")
    folder = own if place.user else place.in_project(".opencode")
    config = os.path.join(own, "opencode.json") if place.user else place.in_project("opencode.json")
    if os.path.exists(f"{config}c"):
        config = f"{config}c"
    place = place.replace(folder=folder)
    with open(os.path.join(os.path.dirname(__file__), "opencode_plugin.js"), encoding="utf-8") as source:
        plugin = source.read().replace('["COMMAND"]', json.dumps(place.command(NAME), ensure_ascii=False))
    command = place.server()
    server = {"type": "local", "command": [command["command"], *command["args"]], "enabled": True}
    return [
        place.launcher(),
        whole_file(os.path.join(folder, "plugins", "experience.js"), plugin),
        json_edit(config, keys={("mcp", "experience"): server}, fresh={"$schema": "https://opencode.ai/config.json"}),
    ]
