"""The verbs of experiences: what was tried, and finding it again."""

from __future__ import annotations

from experience import analyzer, checks
from experience.errors import InvalidInput
from experience.models import EXPERIENCE_TYPES
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from experience.models import Experience, Hit, Json

    # `list` is a verb here, so the type of the same name goes by others
    Hits: TypeAlias = list[Hit]
    Found: TypeAlias = list[Experience]
    Ids: TypeAlias = list[str]


class ExperienceVerbs(Verbs):
    """Record, find, use, decay, prune."""

    def record(
        self,
        intent: str,
        solution: Json,
        type: str = "task_solution",
        success_score: float = 1.0,
        tags: Iterable[str] = (),
        *,
        trust: str | None = None,
        source: str = "agent",
    ) -> Experience:
        """Store what was tried for an intent and how well it went."""
        fields = {
            "intent": intent, "solution": solution, "type": type, "success_score": success_score, "tags": tags,
            "trust": trust, "source": source,
        }  # fmt: skip
        return self.shelf.experiences.get(self.record_many([fields])[0])

    def record_many(self, experiences: Iterable[Mapping[str, Json]]) -> Ids:
        """Store many at once, all or none; each is a mapping with the arguments of `record`. Returns their ids."""
        ids = self._desks.experiences.record_many(experiences)
        self._desks.stir()
        return ids

    def find(self, query: str, tags: Iterable[str] | None = None, limit: int = 10) -> Hits:
        """Past experiences whose intent is similar, best first. A look: it counts as no use."""
        if not isinstance(query, str):
            raise InvalidInput(f"query must be text, not {query.__class__.__name__}")
        return self._finder.find(
            analyzer.query_terms(query), tags=checks.tags(tags), limit=checks.count("limit", limit, most=1000),
            now=self._clock(), text=query, vectors=None if self.settings["embedder"] == "none" else self._desks.vectors,
        )  # fmt: skip

    find_similar_experiences = find

    def list(self, type: str | None = None, tag: str | None = None, limit: int = 100) -> Found:
        """The newest experiences first."""
        if type is not None:
            checks.one_of("type", type, EXPERIENCE_TYPES)
        return self.shelf.experiences.list(type=type, tag=tag, limit=checks.count("limit", limit, most=100_000))

    def mark_used(self, id: str) -> Experience:
        """Count one use of an experience; its weight is whole again."""
        return self._desks.experiences.mark_used(id)

    def apply_decay(self, half_life_days: float | None = None) -> int:
        """Weigh every experience by how long ago it was last used. A second run changes nothing."""
        given = self.settings["half_life_days"] if half_life_days is None else half_life_days
        return self._desks.experiences.decay(checks.positive("half_life_days", given))

    def prune_expired(self, min_weight: float | None = None) -> int:
        """Remove the experiences that weigh less; the event log keeps a tombstone of each."""
        given = self.settings["min_weight"] if min_weight is None else min_weight
        return self._desks.experiences.prune(checks.score("min_weight", given))
