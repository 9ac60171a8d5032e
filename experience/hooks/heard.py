"""What a host told us, in our words, whatever it calls its fields."""

from __future__ import annotations

from experience.errors import InvalidInput
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SESSION = 300  # characters of a session's name


class Heard(Value):
    """One event: where, in which conversation, and what was said or done."""

    event: str  # start, prompt, before, after, failed, said, stop, compact, end
    session: str
    cwd: str
    prompt: str = ""
    tool: str = ""
    input: Any = None
    output: Any = None
    message: str = ""
    source: str = ""


def heard(event: str, payload: dict[str, Any]) -> Heard:
    """What Claude Code's fields say, and those of the many hosts that took them over."""
    return Heard(
        event=event, session=first(payload, "session_id", "sessionId", "conversation_id", "sessionID")[:SESSION],
        cwd=first(payload, "cwd", "directory"), prompt=first(payload, "prompt", "user_prompt"),
        tool=first(payload, "tool_name", "toolName", "tool"), input=given(payload, "tool_input", "toolArgs", "args"),
        output=given(payload, "tool_response", "tool_output", "toolResult", "output", "error"),
        message=first(payload, "last_assistant_message", "text"),
        source=first(payload, "source", "trigger", "reason", "status"),
    )  # fmt: skip


def first(payload: dict[str, Any], *names: str) -> str:
    """The first of these fields that is there; it must be text."""
    found = given(payload, *names)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise InvalidInput(f"the event's {names[0]} is no text")
    return found


def given(payload: dict[str, Any], *names: str) -> Any:
    """The first of these fields that is there."""
    return next((payload[name] for name in names if payload.get(name) is not None), None)
