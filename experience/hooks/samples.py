"""Events as hosts send them, for `doctor` to try a hook with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SESSION = "doctor"
PROMPT = "run the tests before the push"
ANSWER = "the tests ran"
_TOOL = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "1"}
_FIELDS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup", "model": "sample"},
    "UserPromptSubmit": {"prompt": PROMPT, "turn_id": "1"},
    "PreToolUse": _TOOL,
    "PostToolUse": {**_TOOL, "tool_response": {"stdout": "", "stderr": "", "interrupted": False}},
    "PostToolUseFailure": {**_TOOL, "error": "Exit code 2"},
    "Stop": {"stop_hook_active": False, "last_assistant_message": ANSWER},
    "SubagentStop": {"stop_hook_active": False, "last_assistant_message": ANSWER, "agent_id": "1"},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "SessionEnd": {"reason": "other"},
}


def common(event: str, cwd: str) -> dict[str, Any]:
    """An event as Claude Code, Codex and VS Code send it."""
    return {
        "session_id": SESSION, "transcript_path": None, "cwd": cwd, "permission_mode": "default",
        "hook_event_name": event, **_FIELDS[event],
    }  # fmt: skip
