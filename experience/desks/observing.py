"""The desk where messages arrive: secrets out, log, detect, and what is worth keeping becomes a memory. No LLM."""

from __future__ import annotations

from experience import checks
from experience.capture import trust
from experience.capture.detect import detect, feedback
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.ids import new_id
from experience.models import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.desks.memories import MemoryDesk
    from experience.desks.outcomes import OutcomeDesk
    from experience.models import Captured

ROLES = ("user", "assistant", "tool", "system", "file", "external")


class ObservingDesk(Desk):
    """Listens to a session."""

    def __init__(self, *given: Any, memories: MemoryDesk, outcomes: OutcomeDesk) -> None:
        super().__init__(*given)
        self._memories, self._outcomes = memories, outcomes

    def observe(self, text: str, role: str, session: str) -> list[Captured]:
        """Log a message and keep what it says that is worth keeping; returns what was captured."""
        intake, now = Intake(), self.now()
        checks.one_of("role", role, ROLES)
        said = intake.beginning("text", text)
        with self.project.store.transaction():
            before = self.project.episodic.last(session, limit=1)
            turn = Turn(id=new_id("turn_"), session=session, role=role, content=said, created_at=now)
            self.project.episodic.insert(turn)
            self.project.events.append(
                f"message.{role}", turn.id, now, actor=self.actor, session=session, **intake.told()
            )
            context = before[-1].content if before else None
            captured = [self._kept(one, role, context) for one in detect(said, role)]
            if role == "user" and not captured:
                self._signal(said, session)
        return captured

    def _kept(self, one: Captured, role: str, context: str | None) -> Captured:
        kept = self._memories.learn(
            one.text, one.type, priority=one.priority, source=role, context=context,
            quarantine=trust.trust_of(role) != "user",
        )  # fmt: skip
        return one.replace(id=kept.id)

    def _signal(self, said: str, session: str) -> None:
        """Feedback is an outcome of what was injected last, never a memory."""
        heard = feedback(said)
        injection = self.project.injections.last(session) if heard else None
        if heard and injection:
            score = 1.0 if heard.verdict == "success" else 0.0
            self._outcomes.injection(injection.id, score, "feedback", {"pattern": heard.pattern})
