"""The desk of experiences: what was tried, how well it went, how much it is still worth."""

from __future__ import annotations

from experience import analyzer, checks
from experience.capture import trust
from experience.desks.intake import Intake, suspected
from experience.desks.shelf import Desk
from experience.errors import InvalidInput, NotFound
from experience.ids import new_ids
from experience.layers.experiences import NewExperience, from_kept
from experience.models import EXPERIENCE_TYPES, TRUST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from experience.models import Experience, Json

FIELDS = frozenset(("intent", "solution", "type", "success_score", "tags", "trust", "source"))


class ExperienceDesk(Desk):
    """Keeps experiences; finding them is the finder's business."""

    def record_many(self, experiences: Iterable[Mapping[str, Json]]) -> list[str]:
        """Store many at once, all or none; returns their ids."""
        intake, now = Intake(), self.now()
        given = list(experiences)
        fresh = [checked(intake, *pair) for pair in zip(given, new_ids("exp_", len(given)), strict=True)]
        shelf = self.project
        with shelf.store.transaction():
            keys = shelf.experiences.insert_many(fresh, now)
            told = [(new.id, {"key": key, "type": new.type}) for new, key in zip(fresh, keys, strict=True)]
            if told:
                told[0][1].update(intake.told())
            shelf.events.append_many("experience.recorded", told, now, actor=self.actor)
        return [new.id for new in fresh]

    def get(self, id: str) -> Experience:
        """The experience with this id, also one that was folded into another since."""
        found = self.project.experiences.find(id)
        kept = None if found is not None else self.project.nights.retired(id)
        if kept is not None and kept[2] == "folded":
            found = from_kept(kept[1]).replace(folded_into=kept[3])
        if found is None:
            raise NotFound("experience", id)
        return found

    def mark_used(self, id: str) -> Experience:
        """Count one use of an experience; its weight is whole again."""
        now, shelf = self.now(), self.project
        with shelf.store.transaction():
            key = shelf.experiences.mark_used(id, now)
            shelf.events.append("experience.used", id, now, actor=self.actor, key=key)
        return shelf.experiences.get(id)

    def decay(self, half_life_days: float) -> int:
        """Weigh every experience by how long ago it was last used. A second run changes nothing."""
        now, shelf = self.now(), self.project
        with shelf.store.transaction():
            changed = shelf.experiences.decay(now, half_life_days)
            if changed:
                shelf.events.append(
                    "experience.decayed", "", now, actor=self.actor, changed=changed, half_life_days=half_life_days
                )
        return changed

    def prune(self, min_weight: float) -> int:
        """Remove the experiences that weigh less; the event log keeps a tombstone of each."""
        now, shelf = self.now(), self.project
        with shelf.store.transaction():
            pruned = shelf.experiences.prune(min_weight)
            shelf.events.append_many(
                "experience.pruned", [(id, {"key": key}) for key, id in pruned], now, actor=self.actor
            )
        return len(pruned)

    def erase(self, id: str) -> None:
        """Remove an experience for good, every word of it; the event log keeps its id alone."""
        now, shelf = self.now(), self.project
        with shelf.store.transaction():
            gone = shelf.nights.retired(id) is not None  # pruned or folded: its words are kept for undo
            key = None if gone else shelf.experiences.erase(id)
            shelf.index("experiences").forget_erased()
            shelf.outcomes.erase(id)
            shelf.reviews.erase(id)
            shelf.injections.redact(id)
            shelf.nights.erase(id)
            told = {} if key is None else {"key": key}
            shelf.events.append("experience.erased" if told else "memory.erased", id, now, actor=self.actor, **told)
        shelf.store.sweep()


def checked(intake: Intake, fields: Mapping[str, Json], id: str) -> NewExperience:
    """An experience as it will be stored, every field checked."""
    if not fields.keys() <= FIELDS or not {"intent", "solution"} <= fields.keys():
        raise InvalidInput(f"an experience needs intent and solution; got {', '.join(map(str, fields)) or 'nothing'}")
    intent = intake.text("intent", fields["intent"])
    source, solution = checks.text("source", fields.get("source", "agent"), most=200), fields["solution"]
    written, tags = checks.json_text("solution", solution), checks.tags(fields.get("tags", ()))
    if suspected(source, written, *tags):  # one look at them all; mostly there is nothing to look into
        source, written, tags = intake.text("source", source), intake.json("solution", solution), intake.tags(tags)
    return NewExperience(
        id=id, type=checks.one_of("type", fields.get("type", "task_solution"), EXPERIENCE_TYPES),
        intent=intent, solution=written,
        success_score=checks.score("success_score", fields.get("success_score", 1.0)),
        tags=tags,
        trust=checks.one_of("trust", fields.get("trust") or trust.trust_of(source), TRUST), source=source,
        terms=analyzer.terms(intent),
    )  # fmt: skip
