"""The desk of pitfalls: what is known about the file or the command at hand, said once and not again for a while."""

from __future__ import annotations

from datetime import timedelta

from experience import analyzer, checks, fence, globs
from experience.context import render
from experience.context.activation import THRESHOLD, activation, parts
from experience.context.assemble import Candidate, block
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.ids import new_id
from experience.layers.memories import HALF_LIFE_DAYS
from experience.models import Context, Injection
from experience.search import recall
from experience.search.ranking import telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from experience.models import MemoryItem

ABOUT = 2_000  # characters of a command or an error that are searched for
KINDS = ("pitfall", "workflow", "policy")  # what a command may be warned of
SCOPED, MATCHING, MOST = 50, 12, 5
RECENT = 50  # blocks of a session that are looked back upon
NOTHING = Context(text="", tokens=0, items=(), injection_id="", trace=())


class PitfallDesk(Desk):
    """Answers: what should be known before this very step?"""

    def pitfalls(self, about: str, path: str | None, session: str, budget: int, cooldown: timedelta) -> Context:
        """What is scoped to the file, and pitfalls that match the command; nothing of it was said a moment ago."""
        intake, now = Intake(), self.now()
        asked = intake.beginning("about", about, most=ABOUT)
        checks.count("budget", budget, most=100_000)
        found = {one.id: one for one in [*self._scoped(path, now), *self._matching(asked, path, now)]}
        if not found:
            return NOTHING
        told = self._told(session, now - cooldown)
        candidates = [one for one in found.values() if one.id not in told][:MOST]
        text, cost, trace = block(self.project.project, candidates, budget)
        if not text:
            return NOTHING
        made = Injection(
            id=new_id("inj_"), session=session, prompt=asked, path=path, budget=budget, tokens=cost, text=text,
            items=tuple(one.id for one in trace if one.taken), trace=trace,
            position=self.project.events.last_seq(), created_at=now,
        )  # fmt: skip
        with self.project.store.transaction():
            self.project.injections.insert(made)
            self.project.events.append(
                "memory.injected", made.id, now, actor=self.actor, items=list(made.items), tokens=cost, budget=budget,
                session=session, **intake.told(),
            )  # fmt: skip
        return Context(text=text, tokens=cost, items=made.items, injection_id=made.id, trace=trace)

    def _told(self, session: str, since: datetime) -> set[str]:
        """What the session was told since a time."""
        blocks = self.project.injections.list(session=session, limit=RECENT)
        return {id for one in blocks if one.created_at >= since for id in one.items}

    def _scoped(self, path: str | None, now: datetime) -> Iterator[Candidate]:
        for shelf in self.shelves() if path else ():
            covering = [scope for scope in shelf.memories.scopes() if _covers(scope, str(path))]
            for one in shelf.memories.in_scopes(covering, SCOPED):
                if activation(one, now) >= THRESHOLD:
                    yield _candidate(one, now)

    def _matching(self, asked: str, path: str | None, now: datetime) -> Iterator[Candidate]:
        terms = analyzer.query_terms(fence.without(asked))
        for shelf in self.shelves() if terms else ():
            query, best = recall.find(
                shelf.index("memories"), terms, limit=MATCHING, now=now, half_life_days=HALF_LIFE_DAYS,
                keep=lambda row: recall.current(row) and row[7] in KINDS,
            )  # fmt: skip
            fitting = [hit.key for hit in best if telling(query, set(" ".join(hit.row[2:5]).split()))]
            whole = shelf.memories.by_keys(fitting) if fitting else {}
            for one in (whole[key] for key in fitting if key in whole):
                if activation(one, now) >= THRESHOLD and not (path and one.scope and not _covers(one.scope, path)):
                    yield _candidate(one, now)


def _candidate(one: MemoryItem, now: datetime) -> Candidate:
    return Candidate(
        id=one.id, kind="memory", section="contextual", line=render.memory(one), score=activation(one, now),
        parts=parts(one, now),
    )  # fmt: skip


def _covers(scope: str, path: str) -> bool:
    """Whether a scope of this project speaks of a file; of one outside the project none does."""
    outside = path == ".." or path.startswith("../") or path[1:3] == ":/"
    return not outside and globs.matches(scope, path)
