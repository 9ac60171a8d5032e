"""The hall: opens the stores, reads the clock once per operation, and hands each verb to the rooms that know how."""

from __future__ import annotations

import os

from experience import analyzer, checks
from experience.clock import system_clock, to_text
from experience.db import open_store
from experience.errors import InvalidInput, StoreUnavailable
from experience.ids import new_id
from experience.layers import facts
from experience.layers.events import Events, checked_type
from experience.layers.experiences import Experiences, NewExperience
from experience.models import EXPERIENCE_TYPES, TRUST, Experience, Hit
from experience.search.finder import Finder
from experience.settings import Settings, home_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Self

    from experience.clock import Clock
    from experience.db import Store
    from experience.layers.events import Verification
    from experience.layers.outcomes import Outcomes
    from experience.models import Json

DIRECTORY = ".experience"
_IGNORE = "# the database stays on this machine; notes and settings are yours to version\n*.db\n*.db-*\n"


class Memory:
    """What one project's agents have learned. A context manager; safe to share between threads."""

    def __init__(
        self,
        project: str | os.PathLike[str] = ".",
        url: str | None = None,
        home: str | os.PathLike[str] | None = None,
        clock: Clock | None = None,
        *,
        actor: str = "agent",
    ) -> None:
        self.root = os.path.abspath(os.fspath(project))
        self.home = home_directory(home)
        self.settings = Settings(self.home, self.root)
        self._clock, self._actor = clock or system_clock, actor
        self._user: Store | None = None
        self.store = self._open(url or self.settings["url"])
        self.project = self._name()
        self.events = Events(self.store, self.project)
        self.experiences = Experiences(self.store, self.project)
        self._finder = Finder(self.store, self.experiences, self.events, self.project, self.settings["half_life_days"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. Closing twice is harmless."""
        self._finder.close()
        self.store.close()
        if self._user:
            self._user.close()

    def record(
        self,
        intent: str,
        solution: Json,
        type: str = "task_solution",
        success_score: float = 1.0,
        tags: Iterable[str] = (),
        *,
        trust: str = "agent",
        source: str = "agent",
    ) -> Experience:
        """Store what was tried for an intent and how well it went."""
        fields = {
            "intent": intent, "solution": solution, "type": type, "success_score": success_score, "tags": tags,
            "trust": trust, "source": source,
        }  # fmt: skip
        return self.experiences.get(self.record_many([fields])[0])

    def record_many(self, experiences: Iterable[Mapping[str, Json]]) -> list[str]:
        """Store many at once, all or none; each is a mapping with the arguments of `record`. Returns their ids."""
        fresh, now = [_checked(fields) for fields in experiences], self._clock()
        with self.store.transaction():
            keys = self.experiences.insert_many(fresh, now)
            told = [(new.id, {"key": key, "type": new.type}) for new, key in zip(fresh, keys, strict=True)]
            self.events.append_many("experience.recorded", told, now, actor=self._actor)
        return [new.id for new in fresh]

    def find(self, query: str, tags: Iterable[str] | None = None, limit: int = 10) -> list[Hit]:
        """Past experiences whose intent is similar, best first. A look: it counts as no use."""
        if not isinstance(query, str):
            raise InvalidInput(f"query must be text, not {type(query).__name__}")
        return self._finder.find(
            analyzer.query_terms(query), tags=checks.tags(tags), limit=checks.count("limit", limit, most=1000),
            now=self._clock(),
        )  # fmt: skip

    find_similar_experiences = find

    def get(self, id: str) -> Experience:
        """The thing with this id."""
        return self.experiences.get(id)

    def list(self, type: str | None = None, tag: str | None = None, limit: int = 100) -> list[Experience]:
        """The newest experiences first."""
        if type is not None:
            checks.one_of("type", type, EXPERIENCE_TYPES)
        return self.experiences.list(type=type, tag=tag, limit=checks.count("limit", limit, most=100_000))

    def mark_used(self, id: str) -> Experience:
        """Count one use of an experience; its weight is whole again."""
        now = self._clock()
        with self.store.transaction():
            key = self.experiences.mark_used(id, now)
            self.events.append("experience.used", id, now, actor=self._actor, key=key)
        return self.experiences.get(id)

    def outcome(self, id: str, score: float, channel: str = "agent", evidence: Json = None) -> Experience:
        """Say how it went with an experience: moves its success score and counts as one use."""
        from experience.learning import outcomes  # a find need not pay for it

        now, score = self._clock(), checks.score("score", score)
        verified, written = outcomes.is_verified(channel), checks.json_text("evidence", evidence)
        told = new_id("out_")
        with self.store.transaction():
            tally = self.experiences.tally(id)
            kind = "verified" if verified else "reported"
            tally = tally.replace(
                **{f"{kind}_sum": getattr(tally, f"{kind}_sum") + score},
                **{f"{kind}_count": getattr(tally, f"{kind}_count") + 1},
            )
            success = outcomes.posterior(**{k: v for k, v in tally.as_dict().items() if k != "key"})
            self.experiences.settle(tally, success)
            self.experiences.mark_used(id, now)
            self._outcomes.insert(told, id, now, score=score, channel=channel, verified=verified, evidence=written)
            self.events.append(
                "experience.outcome", id, now, actor=self._actor, key=tally.key, outcome=told, score=score,
                channel=channel,
            )  # fmt: skip
        return self.experiences.get(id)

    def apply_decay(self, half_life_days: float | None = None) -> int:
        """Weigh every experience by how long ago it was last used. A second run changes nothing."""
        half_life = checks.positive(
            "half_life_days", self.settings["half_life_days"] if half_life_days is None else half_life_days
        )
        now = self._clock()
        with self.store.transaction():
            changed = self.experiences.decay(now, half_life)
            if changed:
                self.events.append(
                    "experience.decayed", "", now, actor=self._actor, changed=changed, half_life_days=half_life
                )
        return changed

    def prune_expired(self, min_weight: float | None = None) -> int:
        """Remove the experiences that weigh less; the event log keeps a tombstone of each."""
        least = checks.score("min_weight", self.settings["min_weight"] if min_weight is None else min_weight)
        now = self._clock()
        with self.store.transaction():
            pruned = self.experiences.prune(least)
            self.events.append_many(
                "experience.pruned", [(id, {"key": key}) for key, id in pruned], now, actor=self._actor
            )
        return len(pruned)

    def erase(self, id: str) -> None:
        """Remove an experience for good, every word of it; the event log keeps its id alone."""
        now = self._clock()
        with self.store.transaction():
            key = self.experiences.erase(id)
            self._outcomes.erase(id)
            self.events.append("experience.erased", id, now, actor=self._actor, key=key)
        self.store.sweep()

    def log(self, type: str, subject: str = "", **data: Json) -> None:
        """Write an event of your own into the log, such as `tool.called`."""
        checks.json_text("data", data)
        self.events.append(
            checked_type(type), checks.encodable("subject", subject), self._clock(), actor=self._actor, **data
        )

    def stats(self) -> dict[str, Any]:
        """What is in the store."""
        return {
            "project": self.project, "store": self.store.where, **self.experiences.stats(),
            "outcomes": self._outcomes.count(), "events": self.events.count(), "at": to_text(self._clock()),
        }  # fmt: skip

    @property
    def _outcomes(self) -> Outcomes:
        from experience.layers.outcomes import Outcomes  # a find need not pay for it

        return Outcomes(self.store, self.project)

    @property
    def user(self) -> Store:
        """The user's own store, opened when first needed; it stays on this machine whatever the project's URL says."""
        if self._user is None:
            self._user = open_store(_made(self.home, "user.db"), timeout_s=self.settings["timeout_s"])
        return self._user

    def verify(self) -> Verification:
        """Whether the event logs of both stores are as they were written; names the first row that is not."""
        found = self.events.verify()
        if found.whole and self._has_user_store():
            own = Events(self.user, "user").verify()
            return own.replace(checked=found.checked + own.checked)
        return found

    def reindex(self) -> int:
        """Make everything derived anew from the canonical rows; returns how many were indexed."""
        rows = self.experiences.rebuild_index()
        self._finder.forget()
        if self._has_user_store():
            rows += Experiences(self.user, "user").rebuild_index()
        return rows

    def warm(self) -> None:
        """Build the live index now instead of after the first few finds."""
        self._finder.warm(self._clock())

    def _has_user_store(self) -> bool:
        return os.path.exists(os.path.join(self.home, "user.db"))

    def _open(self, url: str | None) -> Store:
        if url:
            return open_store(url, token=os.environ.get("EXPERIENCE_TOKEN"), timeout_s=self.settings["timeout_s"])
        return open_store(_prepared(self.root), timeout_s=self.settings["timeout_s"])

    def _name(self) -> str:
        """A file remembers its project's name, wherever its directory moves; on a server the settings tell."""
        proposed = self.settings["project"] or os.path.basename(self.root) or "root"
        return proposed if "://" in self.store.where else facts.settled(self.store, "project", proposed)


def _prepared(root: str) -> str:
    """The path of a project's database, its directory made."""
    path = _made(os.path.join(root, DIRECTORY), "project.db")
    ignore = os.path.join(root, DIRECTORY, ".gitignore")
    if not os.path.exists(ignore):
        try:
            with open(ignore, "w", encoding="utf-8") as file:
                file.write(_IGNORE)
        except OSError as error:
            raise StoreUnavailable(f"{ignore} cannot be written ({error.strerror}); check its permissions") from error
    return path


def _made(directory: str, name: str) -> str:
    """The path of a file in a directory that is made where it is missing."""
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"{directory} cannot be made ({error.strerror}); check its permissions") from error
    return os.path.join(directory, name)


def _checked(fields: Mapping[str, Json]) -> NewExperience:
    unknown = set(fields) - {"intent", "solution", "type", "success_score", "tags", "trust", "source"}
    if unknown or not {"intent", "solution"} <= set(fields):
        raise InvalidInput(f"an experience needs intent and solution; got {', '.join(map(str, fields)) or 'nothing'}")
    intent = checks.text("intent", fields["intent"])
    return NewExperience(
        id=new_id("exp_"), type=checks.one_of("type", fields.get("type", "task_solution"), EXPERIENCE_TYPES),
        intent=intent, solution=checks.json_text("solution", fields["solution"]),
        success_score=checks.score("success_score", fields.get("success_score", 1.0)),
        tags=checks.tags(fields.get("tags", ())), trust=checks.one_of("trust", fields.get("trust", "agent"), TRUST),
        source=checks.text("source", fields.get("source", "agent"), most=200), terms=analyzer.terms(intent),
    )  # fmt: skip
