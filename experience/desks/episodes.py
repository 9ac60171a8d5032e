"""The desk of episodes and procedures: what happened, and how things are done."""

from __future__ import annotations

from experience import analyzer, checks
from experience.capture import trust
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.errors import InvalidInput, NotFound
from experience.ids import new_id
from experience.layers.episodes import FILTERS, filtered
from experience.models import Episode, Procedure
from experience.search import fts
from experience.search.ranking import asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class EpisodeDesk(Desk):
    """Writes episodes and procedures down and finds them again."""

    def episode(
        self, event: str, outcome: str | None, tags: Iterable[str], source: str, session: str | None
    ) -> Episode:
        """Store an event with its outcome and tags."""
        intake, now = Intake(), self.now()
        source = intake.text("source", source, most=200)
        new = Episode(
            id=new_id("ep_"), event=intake.text("event", event).strip(),
            outcome=intake.text("outcome", outcome, most=200).strip() if outcome is not None else None,
            tags=intake.tags(tags), session=None if session is None else intake.text("session", session, most=200),
            trust=trust.trust_of(source), source=source, created_at=now,
        )  # fmt: skip
        terms = of_episode(new.event, new.outcome, new.tags)
        with self.project.store.transaction():
            key = self.project.episodes.insert(new, terms)
            self.project.events.append(
                "memory.episode_recorded", new.id, now, actor=self.actor, key=key, **intake.told()
            )
        return new

    def episodes(self, query: str | None, tag: str | None, outcome: str | None, limit: int) -> Sequence[Episode]:
        """Episodes about something, the best match first; without a query the newest first."""
        checks.count("limit", limit, most=1000)
        for field, value in (("query", query), ("tag", tag), ("outcome", outcome)):
            if value is not None and not isinstance(value, str):
                raise InvalidInput(f"{field} must be text, not {type(value).__name__}")
        if not query:
            return self.project.episodes.list(tag=tag, outcome=outcome, limit=limit)
        index, terms = self.project.index("episodes"), analyzer.query_terms(query)
        rows, total = index.corpus()
        counts = index.document_counts(terms) if rows and terms else {}
        if not counts:
            return []
        known = asked(counts, terms, rows=rows, total=total, tags=(), now=self.now(), half_life_days=1)
        found = index.matching(fts.within_budget(known), limit, only=FILTERS, params=filtered(tag, outcome))
        whole = self.project.episodes.by_keys([key for key, _ in found])
        return [whole[key] for key, _ in found if key in whole]

    def procedure(self, name: str, steps: object, context: str | None, source: str) -> Procedure:
        """Store a named workflow; the same name gets new steps and keeps its counts."""
        intake, now = Intake(), self.now()
        source = intake.text("source", source, most=200)
        new = Procedure(
            id=new_id("proc_"), name=intake.text("name", name, most=200).strip(),
            context=intake.text("context", context).strip() if context else "", steps=intake.steps(steps),
            success_count=0, failure_count=0, trust=trust.trust_of(source), source=source, created_at=now,
            updated_at=now,
        )  # fmt: skip
        terms = of_procedure(new.name, new.context, new.steps)
        with self.project.store.transaction():
            was = self.project.procedures.find(new.name)
            if was is not None and trust.rank(new.trust) > trust.rank(was.trust):
                return was  # a source trusted less cannot rewrite how things are done
            key, kept = self.project.procedures.put(new, terms)
            self.project.events.append(
                "memory.procedure_recorded", kept.id, now, actor=self.actor, key=key, **intake.told()
            )
        return kept

    def get(self, id: str) -> Episode | Procedure:
        """The episode or procedure with this id; a procedure also goes by its name."""
        if id.startswith("ep_"):
            found: Episode | Procedure | None = self.project.episodes.find(id)
        else:
            found = self.project.procedures.find(id)
        if found is None:
            raise NotFound("episode" if id.startswith("ep_") else "procedure", id)
        return found


def of_episode(event: str, outcome: str | None, tags: Iterable[str]) -> list[str]:
    """The search terms of an episode."""
    return analyzer.terms(f"{event} {outcome or ''} {' '.join(tags)}")


def of_procedure(name: str, context: str, steps: Iterable[str]) -> list[str]:
    """The search terms of a procedure."""
    return analyzer.terms(f"{name} {context} {' '.join(steps)}")
