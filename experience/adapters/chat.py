"""A plain chat loop in two lines: `messages = chat.wrap(messages)` before the model is asked, `chat.heard(…)` after."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from experience.memory import Memory


class Chat:
    """One conversation with a model, whatever library it is held through."""

    def __init__(self, memory: Memory, session: str, *, budget: int = 800) -> None:
        self._memory, self._session, self._budget = memory, session, budget

    def wrap(self, messages: Sequence[Any]) -> list[Any]:
        """The messages with what is remembered; the user's last one is observed."""
        return self._memory.wrap(messages, self._session, budget=self._budget)

    def heard(self, answer: str) -> None:
        """Log what the model answered, so that a correction is understood."""
        self._memory.observe(answer, "assistant", self._session)
