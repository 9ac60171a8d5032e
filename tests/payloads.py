"""Events in the exact shape of each host, and the schemas that each host holds an answer against."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from experience.hooks.hosts import NAMES, host
from experience.hooks.install.launcher import script

CORRECTION = "No, never use npm here, always use pnpm to install packages."
ANSWER = "Understood, I will install packages with pnpm."
LATER = "install the packages of the new frontend"
WORD = "pnpm"


def claude(event: str, session: str, cwd: str, **fields: Any) -> dict[str, Any]:
    return {
        "session_id": session, "transcript_path": f"{cwd}/t.jsonl", "cwd": cwd, "permission_mode": "default",
        "hook_event_name": event, **fields,
    }  # fmt: skip


def cursor(event: str, session: str, cwd: str, **fields: Any) -> dict[str, Any]:
    return {
        "conversation_id": session, "generation_id": "g1", "model": "m", "hook_event_name": event,
        "cursor_version": "1.7.2", "workspace_roots": [cwd], "user_email": None, **fields,
    }  # fmt: skip


def opencode(event: str, session: str, cwd: str, **fields: Any) -> dict[str, Any]:
    del event
    return {"session_id": session, "cwd": cwd, **fields}


def codex(event: str, session: str, cwd: str, **fields: Any) -> dict[str, Any]:
    found = claude(event, session, cwd, model="gpt", turn_id="t1", **fields)
    return {**found, "transcript_path": None}


def vscode(event: str, session: str, cwd: str, **fields: Any) -> dict[str, Any]:
    return {
        "timestamp": "2026-11-18T09:00:00.000Z", "sessionId": session, "cwd": cwd, "hookEventName": event,
        "transcript_path": f"{cwd}/t.json", **fields,
    }  # fmt: skip


MAKERS = {"claude-code": claude, "codex": codex, "cursor": cursor, "opencode": opencode, "vscode": vscode}
_SHELL = {"tool_name": "Bash", "tool_input": {"command": "pnpm test"}, "tool_use_id": "1"}
_BROKEN = {"tool_name": "Bash", "tool_input": {"command": "npm install"}, "tool_use_id": "2"}
_WELL = "Tests  12 passed (12)\nDuration 1s"
_LIKE_CLAUDE = [
    ("UserPromptSubmit", {"prompt": CORRECTION}),
    ("PreToolUse", _SHELL),
    ("PostToolUse", {**_SHELL, "tool_response": {"stdout": _WELL, "stderr": "", "interrupted": False}}),
]
_STOP = ("Stop", {"stop_hook_active": False, "last_assistant_message": ANSWER})
# What happens in a day after the start of the session: the event and its own fields.
DAYS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "claude-code": [
        *_LIKE_CLAUDE, ("PostToolUseFailure", {**_BROKEN, "error": "Exit code 1\nnpm ERR! lockfile"}), _STOP,
        ("PreCompact", {"trigger": "auto", "custom_instructions": ""}), ("SessionEnd", {"reason": "other"}),
    ],
    "codex": [
        *_LIKE_CLAUDE[:2],
        ("PostToolUse", {**_SHELL, "tool_response": f"Exit code: 0\nWall time: 1 seconds\nOutput:\n{_WELL}"}),
        ("PostToolUse", {**_BROKEN, "tool_response": "Exit code: 1\nWall time: 1 seconds\nOutput:\nno lockfile"}),
        _STOP, ("PreCompact", {"trigger": "auto"}), ("SessionEnd", {"reason": "other"}),
    ],
    "cursor": [
        ("beforeSubmitPrompt", {"prompt": CORRECTION, "attachments": []}),
        ("afterShellExecution", {"command": "pnpm test", "output": _WELL, "duration": 1200}),
        ("postToolUseFailure", {"tool_name": "Shell", "tool_input": {"command": "npm install"}, "error": "exit 1"}),
        ("afterFileEdit", {"file_path": "/x/a.ts", "edits": [{"old_string": "a", "new_string": "b"}]}),
        ("afterAgentResponse", {"text": ANSWER}), ("stop", {"status": "completed", "loop_count": 0}),
        ("sessionEnd", {"reason": "completed"}),
    ],
    "opencode": [
        ("chat.message", {"text": CORRECTION}),
        ("tool.execute.before", {"tool": "bash", "args": {"command": "pnpm test"}}),
        ("tool.execute.after", {
            "tool": "bash", "args": {"command": "pnpm test"}, "output": {"output": _WELL, "metadata": {"exit": 0}},
        }),
        ("tool.execute.after", {
            "tool": "bash", "args": {"command": "npm install"}, "output": {"output": "no", "metadata": {"exit": 1}},
        }),
        ("session.idle", {"last_assistant_message": ANSWER}),
        ("experimental.session.compacting", {"trigger": "auto"}), ("session.deleted", {"reason": "deleted"}),
    ],
    "vscode": [
        *_LIKE_CLAUDE[:2], ("PostToolUse", {**_SHELL, "tool_response": _WELL}),
        ("PostToolUse", {**_BROKEN, "tool_response": "Command exited with code 1"}), _STOP,
        ("PreCompact", {"trigger": "auto"}),
    ],
}  # fmt: skip
START = {"cursor": ("sessionStart", {}), "opencode": ("session.created", {"source": "startup"})}
PROMPT = {"cursor": "beforeSubmitPrompt", "opencode": "chat.message"}

_TEXT = {"type": "string", "minLength": 1}
_BASE: dict[str, Any] = {
    "continue": {"type": "boolean"}, "stopReason": {"type": "string"}, "suppressOutput": {"type": "boolean"},
    "systemMessage": {"type": "string"},
}  # fmt: skip


def envelope(event: str, *more: str) -> dict[str, Any]:
    """The answer of Claude Code's family: one object about the event, besides a few general fields."""
    own = {"hookEventName": {"const": event}, "additionalContext": _TEXT, **{name: {} for name in more}}
    inner = {"type": "object", "properties": own, "required": ["hookEventName"], "additionalProperties": False}
    outer = {**_BASE, "decision": {"const": "block"}, "reason": {"type": "string"}, "hookSpecificOutput": inner}
    return {"type": "object", "properties": outer, "additionalProperties": False, "minProperties": 1}


def schema(name: str, event: str) -> dict[str, Any] | None:
    """What the host accepts as the answer to an event; None where it takes none with a text in it."""
    if name == "cursor":
        shapes = {
            "sessionStart": {"additional_context": _TEXT, "env": {"type": "object"}},
            "beforeSubmitPrompt": {
                "continue": {"type": "boolean"}, "user_message": {"type": "string"}, "additional_context": _TEXT,
            },
        }  # fmt: skip
        if event not in shapes:
            return None
        needed = ["continue"] if event == "beforeSubmitPrompt" else []
        return {"type": "object", "properties": shapes[event], "required": needed, "additionalProperties": False}
    if name == "opencode":
        if event not in ("session.created", "chat.message", "tool.execute.before", "tool.execute.after"):
            return None
        whole = {"type": "object", "properties": {"context": _TEXT}, "required": ["context"]}
        return {**whole, "additionalProperties": False}
    if event not in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"):
        return None
    decisions = ("permissionDecision", "permissionDecisionReason", "updatedInput") if event == "PreToolUse" else ()
    return envelope(event, *decisions)


def text_of(name: str, answer: dict[str, Any]) -> str:
    """What the agent gets to read of an answer."""
    if name == "cursor":
        return str(answer["additional_context"])
    return str(answer["context"] if name == "opencode" else answer["hookSpecificOutput"]["additionalContext"])


class Hooks:
    """The hooks of one host in one project, run as the host runs them: a process an event."""

    def __init__(self, name: str, folder: Path, project: Path, home: Path) -> None:
        self.name, self.project, self.home = name, project, home
        self.file = folder / "experience-hook.py"
        self.file.write_text(script(), encoding="utf-8")

    def command(self, event: str) -> list[str]:
        return [sys.executable, "-I", "-S", str(self.file), self.name, event]

    def raw(self, event: str, given: bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
        """The finished process for these bytes on stdin."""
        whole = {**os.environ, "EXPERIENCE_HOME": str(self.home), **env}
        return subprocess.run(
            self.command(event), input=given, capture_output=True, cwd=self.project, env=whole, timeout=60, check=False
        )

    def payload(self, event: str, session: str, **fields: Any) -> dict[str, Any]:
        return MAKERS[self.name](event, session, str(self.project), **fields)

    def tell(self, event: str, session: str, **fields: Any) -> dict[str, Any] | None:
        """The answer to an event, None where nothing was printed; it must end well either way."""
        done = self.raw(event, json.dumps(self.payload(event, session, **fields)).encode())
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout) if done.stdout else None

    def start(self, session: str) -> dict[str, Any] | None:
        event, fields = START.get(self.name, ("SessionStart", {"source": "startup"}))
        return self.tell(event, session, **fields)

    def prompt(self, session: str, text: str) -> dict[str, Any] | None:
        field = "text" if self.name == "opencode" else "prompt"
        return self.tell(PROMPT.get(self.name, "UserPromptSubmit"), session, **{field: text})


EVERY = [(name, event) for name in NAMES for event in host(name).EVENTS]
