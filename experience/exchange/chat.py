"""A plain chat loop, remembered: the block goes beside the user's last message, in the shape the conversation has."""

from __future__ import annotations

from experience import fence
from experience.desks.intake import Intake
from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from experience.desks.wiring import Desks

PROMPT = 2_000  # characters of a message that are kept with the block that was made for it
_ABOVE = ("system", "developer")
_TEXTS = ("text", "input_text", "output_text")
_BACK = 200  # turns that are looked through for a message that was heard before


def wrapped(desks: Desks, messages: Sequence[Any], session: str, path: str | None, budget: int) -> list[Any]:
    """The messages with the block; the user's last one, and the answer before it, are heard once."""
    if not isinstance(messages, list | tuple):
        raise InvalidInput(f"messages must be a list of messages, not {type(messages).__name__}")
    last = next((at for at in range(len(messages) - 1, -1, -1) if _spoken(messages[at])), None)
    if last is None or any(_words(one).startswith(fence.OPEN) for one in messages[max(0, last - 1) : last + 1]):
        return list(messages)  # nobody asks anything, or the block is in already
    said = _words(messages[last])
    if last == len(messages) - 1:  # further down a tool is being called for the same message
        _hear(desks, messages, last, session)
    text = _block(desks, said, session, path, budget)
    return _placed(list(messages), last, text) if text else list(messages)


def _hear(desks: Desks, messages: Sequence[Any], last: int, session: str) -> None:
    """The user's message, and the answer it replies to where nobody logged that."""
    answer = next((at for at in range(last - 1, -1, -1) if _spoken(messages[at], "assistant", "user")), None)
    known = {(turn.role, turn.content) for turn in desks.observing.project.episodic.last(session, limit=_BACK)}
    for at in (answer, last):
        role = None if at is None else _role(messages[at])
        if at is None or (at != last and role != "assistant"):
            continue
        words = _words(messages[at])
        if at == last or (role, Intake().beginning("text", words)) not in known:
            desks.observing.observe(words, str(role), session)


def _block(desks: Desks, said: str, session: str, path: str | None, budget: int) -> str:
    """The block for a message; asked again within the same turn it is the very same, so that caches hold."""
    before = desks.contexts.project.injections.last(session)
    same = before is not None and before.prompt == Intake().beginning("prompt", said, most=PROMPT)
    if before is not None and same and (before.path, before.budget) == (path, budget):
        turns = desks.contexts.project.episodic.last(session, role="user", limit=1)
        if turns and turns[-1].created_at <= before.created_at:
            return before.text
    return desks.contexts.context(said, path, session, budget).text


def _placed(messages: list[Any], last: int, block: str) -> list[Any]:
    """The block as a message of its own where the conversation has a system's voice, else within the user's message."""
    above = next((_role(one) for one in messages if _role(one) in _ABOVE), None)
    if above is not None:
        return [*messages[:last], {"role": above, "content": block}, *messages[last:]]
    content = _content(messages[last])
    if isinstance(content, str):
        fresh: Any = f"{block}\n\n{content}"
    else:
        at = next(at for at, part in enumerate(content) if _is_text(part))  # results of tools stay in front
        fresh = [*content[:at], {"type": content[at]["type"], "text": block}, *content[at:]]
    return [*messages[:last], {**_plain(messages[last]), "content": fresh}, *messages[last + 1 :]]


def _spoken(message: Any, *roles: str) -> bool:
    """Whether somebody says something in a message; the results of tools alone are nobody's words."""
    return _role(message) in (roles or ("user",)) and bool(_words(message).strip())


def _role(message: Any) -> Any:
    return message.get("role") if isinstance(message, dict) else getattr(message, "role", None)


def _content(message: Any) -> Any:
    return message.get("content") if isinstance(message, dict) else getattr(message, "content", None)


def _words(message: Any) -> str:
    content = _content(message)
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if _is_text(part)) if isinstance(content, list) else ""


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in _TEXTS and isinstance(part.get("text"), str)


def _plain(message: Any) -> dict[str, Any]:
    """A message as a dictionary, also one that a client library made an object of."""
    if isinstance(message, dict):
        return message
    found: dict[str, Any] = message.model_dump(exclude_none=True) if hasattr(message, "model_dump") else vars(message)
    return found
