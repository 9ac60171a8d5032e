"""The verbs an agent meets in a conversation: what it hears, what it is told, how it went, how full its window is."""

from __future__ import annotations

import os

from experience import checks
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from experience.context.compaction import MemoryStats, Summarise
    from experience.models import Captured, Considered, Context, Experience, Injection, Json, MemoryItem, Procedure

    Credited: TypeAlias = Experience | MemoryItem | Procedure | Injection


class ConversationVerbs(Verbs):
    """Observe, context, outcome, explain, replay, compact."""

    def observe(self, text: str, role: str = "user", session: str | None = None) -> list[Captured]:
        """Log a message, keep what it says that is worth keeping, and return that. No LLM."""
        return self._desks.observing.observe(text, role, _session(session))

    def context(
        self, prompt: str, path: str | os.PathLike[str] | None = None, session: str | None = None, budget: int = 800
    ) -> Context:
        """The block of memories and experiences for a prompt, never more than *budget* tokens."""
        at_hand = None if path is None else self._relative(path)
        return self._desks.contexts.context(prompt, at_hand, _session(session), budget)

    def outcome(self, id: str, score: float, channel: str = "agent", evidence: Json = None) -> Credited:
        """Say how it went with an injection, an experience, a procedure or a memory, from 0 (failed) to 1 (worked)."""
        given = (checks.text("id", id, most=200), score, channel, evidence)
        if id.startswith("inj_"):
            return self._desks.outcomes.injection(*given)
        if id.startswith("proc_"):
            return self._desks.outcomes.procedure(*given)
        return self._desks.outcomes.experience(*given) if id.startswith("exp_") else self._desks.outcomes.memory(*given)

    def explain(self, injection_id: str) -> Injection:
        """What stood in a block, what was considered for it, and why."""
        return self._desks.explaining.explain(checks.text("injection_id", injection_id, most=200))

    def why_not(self, injection_id: str, id: str) -> Considered:
        """Why one thing was taken into a block or left out of it."""
        given = checks.text("injection_id", injection_id, most=200), checks.text("id", id, most=200)
        return self._desks.explaining.why_not(*given)

    def replay(self, injection_id: str) -> Context:
        """The block of an injection again, to the byte."""
        return self._desks.explaining.replay(checks.text("injection_id", injection_id, most=200))

    def get_memory_stats(self, messages: Sequence[Mapping[str, Any]], model: str | None = None) -> MemoryStats:
        """How full a conversation's window is."""
        from experience.context import compaction

        return compaction.stats(messages, model)

    def needs_compaction(self, messages: Sequence[Mapping[str, Any]], model: str | None = None) -> bool:
        """Whether more than 70 % of the window is taken, by at least 10 messages."""
        from experience.context import compaction

        return compaction.needs_compaction(messages, model)

    def compact(
        self, messages: Sequence[Mapping[str, Any]], model: str | None = None, *, summarise: Summarise | None = None
    ) -> list[dict[str, Any]]:
        """The conversation in at most half of its window: one summary block, the last six messages as they are."""
        from experience.context import compaction

        return compaction.compact(messages, model, summarise=summarise)


def _session(given: str | None) -> str:
    """The name of a session; whoever gives none shares one."""
    return "" if given is None or given == "" else checks.text("session", given, most=500)
