"""The desk of outcomes: how the work went afterwards, and what that teaches about what was used."""

from __future__ import annotations

from experience import checks
from experience.capture import trust
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.errors import Conflict, NotFound
from experience.ids import new_id
from experience.learning import outcomes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from experience.desks.memories import MemoryDesk
    from experience.models import Experience, Injection, Json, MemoryItem, Procedure

WORKED = 0.5  # a procedure's outcome above this counts as a success
VOUCHES = 0.7  # a verified outcome this good lets a memory out of quarantine


class OutcomeDesk(Desk):
    """Takes in outcomes and credits what they belong to."""

    def __init__(self, *given: Any, memories: MemoryDesk) -> None:
        super().__init__(*given)
        self._memories = memories

    def experience(self, id: str, score: float, channel: str, evidence: Json) -> Experience:
        """Move an experience's success score; counts as one use."""
        now, found = self.now(), self._checked(score, channel, evidence)
        with self.project.store.transaction():
            self._credit(id, now, found)
        return self.project.experiences.get(id)

    def injection(self, id: str, score: float, channel: str, evidence: Json) -> Injection:
        """Credit every experience that stood in an injection."""
        now, found = self.now(), self._checked(score, channel, evidence)
        with self.project.store.transaction():
            was = self.project.injections.get(id)
            told = self._written(id, now, found)
            self.project.events.append(
                "outcome.reported", id, now, actor=self.actor, outcome=told, score=found.score, channel=found.channel,
                **found.told,
            )  # fmt: skip
            for one in was.trace:
                if one.taken and one.kind == "experience" and self.project.experiences.find(one.id):
                    self._credit(one.id, now, found)
        return was

    def memory(self, id: str, score: float, channel: str, evidence: Json) -> MemoryItem:
        """A good verified outcome lets a quarantined memory out; nothing an agent says of itself does."""
        now, found = self.now(), self._checked(score, channel, evidence)
        shelf, was = self._memories.held(id)
        with self.project.store.transaction(), shelf.store.transaction():
            told = self._written(id, now, found)
            self.project.events.append(
                "memory.outcome", id, now, actor=self.actor, outcome=told, score=found.score, channel=found.channel,
                **found.told,
            )  # fmt: skip
            if was.quarantined_at and found.verified and found.score >= VOUCHES:
                self._memories.release(id, vouched="user" if trust.trust_of(channel) == "user" else "verified")
        return self._memories.get(id)

    def procedure(self, id: str, score: float, channel: str, evidence: Json) -> Procedure:
        """Count a success or a failure of a procedure."""
        now, found = self.now(), self._checked(score, channel, evidence)
        was = self.project.procedures.find(id)
        if was is None:
            raise NotFound("procedure", id)
        if was.trust in trust.UNVOUCHED and not found.verified and found.score > WORKED:
            raise Conflict(f"nobody vouches for the procedure {id}; only a verified outcome can say that it works")
        with self.project.store.transaction():
            key = self.project.procedures.tally(id, worked=found.score > WORKED, at=now)
            told = self._written(id, now, found)
            self.project.events.append(
                "memory.procedure_outcome", id, now, actor=self.actor, key=key, outcome=told, score=found.score,
                channel=found.channel, **found.told,
            )  # fmt: skip
        after = self.project.procedures.find(id)
        if after is None:
            raise NotFound("procedure", id)
        return after

    def _checked(self, score: float, channel: str, evidence: Json) -> _Outcome:
        intake = Intake()
        written = intake.json("evidence", evidence)
        return _Outcome(checks.score("score", score), channel, written, intake.told())

    def _written(self, subject: str, now: datetime, found: _Outcome) -> str:
        told = new_id("out_")
        self.project.outcomes.insert(
            told, subject, now, score=found.score, channel=found.channel, verified=found.verified,
            evidence=found.evidence,
        )  # fmt: skip
        return told

    def _credit(self, id: str, now: datetime, found: _Outcome) -> None:
        layer = self.project.experiences
        tally = layer.tally(id)
        kind = "verified" if found.verified else "reported"
        tally = tally.replace(
            **{f"{kind}_sum": getattr(tally, f"{kind}_sum") + found.score},
            **{f"{kind}_count": getattr(tally, f"{kind}_count") + 1},
        )
        success = outcomes.posterior(**{name: part for name, part in tally.as_dict().items() if name != "key"})
        layer.settle(tally, success)
        layer.mark_used(id, now)
        told = self._written(id, now, found)
        self.project.events.append(
            "experience.outcome", id, now, actor=self.actor, key=tally.key, outcome=told, score=found.score,
            channel=found.channel, **found.told,
        )  # fmt: skip


class _Outcome:
    """A checked outcome: how good, who vouches, and what shows it."""

    __slots__ = ("channel", "evidence", "score", "told", "verified")

    def __init__(self, score: float, channel: str, evidence: str, told: dict[str, Json]) -> None:
        self.score, self.channel, self.evidence, self.told = score, channel, evidence, told
        self.verified = outcomes.is_verified(channel)
