"""The desk where messages arrive: secrets out, log, detect, and what is worth keeping becomes a memory. No LLM."""

from __future__ import annotations

from experience import analyzer, checks, fence
from experience.capture import trust
from experience.capture.detect import detect, feedback
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.ids import new_id
from experience.models import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.capture.detect import Feedback
    from experience.desks.memories import MemoryDesk
    from experience.desks.outcomes import OutcomeDesk
    from experience.models import Captured

ECHOES = 5  # blocks of a session that are still remembered as ours
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
        heard = detect(said, role)  # before the transaction: nobody waits for it
        signal = feedback(_besides(said, heard)) if role == "user" else None
        with self.project.store.transaction():
            before = self.project.episodic.last(session, limit=1)
            turn = Turn(id=new_id("turn_"), session=session, role=role, content=said, created_at=now)
            self.project.episodic.insert(turn, analyzer.terms(said))
            self.project.events.append(
                f"message.{role}", turn.id, now, actor=self.actor, session=session, **intake.told()
            )
            context = fence.without(before[-1].content).strip() if before else None
            captured = [self._kept(one, role, context) for one in self._new(heard, said, role, session)]
            if signal:
                self._credit(signal, session)
        return captured

    def _new(self, heard: list[Captured], said: str, role: str, session: str) -> list[Captured]:
        """What was heard without what a block of ours said first; a user repeats it freely unless they paste it."""
        if not heard or (role == "user" and not fence.pasted(said)):
            return heard
        blocks = self.project.injections.list(session=session, limit=ECHOES)
        ours = [f" {fence.words(block.text)} " for block in blocks]
        return [one for one in heard if not any(f" {fence.words(one.text)} " in block for block in ours)]

    def _kept(self, one: Captured, role: str, context: str | None) -> Captured:
        kept = self._memories.learn(
            one.text, one.type, priority=one.priority, source=role, context=context,
            quarantine=trust.trust_of(role) != "user",
        )  # fmt: skip
        return one.replace(id=kept.id)

    def _credit(self, signal: Feedback, session: str) -> None:
        """Feedback is an outcome of what was injected last, never a memory."""
        injection = self.project.injections.last(session)
        if injection:
            score = 1.0 if signal.verdict == "success" else 0.0
            self._outcomes.injection(injection.id, score, "feedback", {"pattern": signal.pattern})


def _besides(said: str, heard: list[Captured]) -> str:
    """A message without the sentences that became memories: "never use X, it does not work" rates nothing."""
    for one in heard:
        begin, end = one.span
        said = said[:begin] + " " * (end - begin) + said[end:]
    return said
