"""The desk of context: gathers what may matter for a prompt, lets `context.assemble` choose, and writes down why."""

from __future__ import annotations

from experience import analyzer, checks, fence, globs
from experience.capture.trust import UNVOUCHED
from experience.columns import whole as whole_number
from experience.context import render
from experience.context.activation import THRESHOLD, activation, parts
from experience.context.assemble import Candidate, block
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.ids import new_id
from experience.layers.memories import HALF_LIFE_DAYS, TYPE_WEIGHTS, most_pressing
from experience.models import Context, Injection
from experience.search import fts, recall
from experience.search.ranking import asked, best_first, scored, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from experience.models import Experience, MemoryItem, Procedure
    from experience.search.ranking import Asked, Ranked

PROMPT = 2_000  # characters of a prompt that are searched for, and kept with the injection
ALWAYS, MATCHING, SCOPED = 200, 24, 50  # candidates gathered of each
HASTE = 0.25  # the share of a search's budget that a block may take: an agent waits for it
PROCEDURES, EXPERIENCES = 3, 2
SUCCESS = 0.7
VOUCHED = (  # what a flood of experiences that nobody vouches for cannot drown
    f"(trust not in ({', '.join(map(repr, UNVOUCHED))}) or verified_count > 0) and success_score >= {SUCCESS}"
)


class ContextDesk(Desk):
    """Answers: what of all this belongs into the prompt?"""

    def context(self, prompt: str, path: str | None, session: str, budget: int) -> Context:
        """The block for a prompt, written down as an injection with every reason."""
        intake = Intake()
        made = self._block(intake, prompt, path, session, budget)
        with self.project.store.transaction():
            self.project.injections.insert(made)
            self.project.events.append(
                "memory.injected", made.id, made.created_at, actor=self.actor, items=list(made.items),
                tokens=made.tokens, budget=budget, session=session, **intake.told(),
            )  # fmt: skip
        return Context(
            text=made.text, tokens=made.tokens, items=made.items, injection_id=made.id, trace=made.trace
        )  # fmt: skip

    def preview(self, prompt: str, path: str | None, budget: int) -> Injection:
        """The block for a prompt with every reason, for somebody who only looks: nothing is written down."""
        return self._block(Intake(), prompt, path, "", budget)

    def _block(self, intake: Intake, prompt: str, path: str | None, session: str, budget: int) -> Injection:
        now = self.now()
        said = intake.beginning("prompt", prompt, most=PROMPT)
        checks.count("budget", budget, most=100_000)
        terms = analyzer.query_terms(fence.without(said))  # what we said ourselves asks for nothing
        candidates = self._statements(terms, path, now) + self._procedures(terms, now) + self._experiences(terms, now)
        text, cost, trace = block(self.project.project, candidates, budget)
        return Injection(
            id=new_id("inj_"), session=session, prompt=said, path=path, budget=budget, tokens=cost, text=text,
            items=tuple(one.id for one in trace if one.taken), trace=trace,
            position=self.project.events.last_seq(), created_at=now,
        )  # fmt: skip

    def _statements(self, terms: list[str], path: str | None, now: datetime) -> list[Candidate]:
        """Layers A and B of both shelves, each memory once."""
        found: dict[str, Candidate] = {}
        for candidate in [*self._always(path, now), *self._scoped(path, now), *self._matching(terms, path, now)]:
            found.setdefault(candidate.id, candidate)
        always = [one for one in found.values() if one.section == "always"]
        return [*always, *sorted((one for one in found.values() if one.section != "always"), key=_best_first)]

    def _always(self, path: str | None, now: datetime) -> list[Candidate]:
        found = [one for shelf in self.shelves() for one in shelf.memories.always(ALWAYS)]
        return [_statement(one, "always", now, _out_of_scope(one, path)) for one in sorted(found, key=most_pressing)]

    def _matching(self, terms: list[str], path: str | None, now: datetime) -> Iterable[Candidate]:
        """What shares words with the prompt: ranked as in recall, times the weight of its type."""
        for shelf in self.shelves():
            query, best = recall.find(
                shelf.index("memories"), terms, limit=MATCHING, now=now, half_life_days=HALF_LIFE_DAYS,
                keep=recall.current, haste=HASTE,
            )  # fmt: skip
            whole = shelf.memories.by_keys([one.key for one in best]) if best else {}
            for hit in best:
                if hit.key not in whole:
                    continue  # forgotten this very moment by another process
                one, held = whole[hit.key], set(" ".join(hit.row[2:5]).split())  # in itself, not in the message before
                weak = None if telling(query, held) else "weak-match"
                yield _statement(
                    one, "contextual", now, weak or _too_little(one, now) or _out_of_scope(one, path),
                    relevance=hit.relevance, match=hit.score * TYPE_WEIGHTS[one.type],
                )  # fmt: skip

    def _scoped(self, path: str | None, now: datetime) -> Iterable[Candidate]:
        """What is said about the file at hand, whatever the prompt says."""
        for shelf in self.shelves() if path else ():
            covering = [scope for scope in shelf.memories.scopes() if _covers(scope, str(path))]
            for one in shelf.memories.in_scopes(covering, SCOPED):
                yield _statement(one, "contextual", now, _too_little(one, now))

    def _procedures(self, terms: list[str], now: datetime) -> list[Candidate]:
        """Layer C: those that fit the task, the proven ones first."""
        index = self.project.index("procedures")
        rows, total = index.corpus()
        if not (rows and terms):
            return []
        query = asked(index.document_counts(terms), terms, rows=rows, total=total, tags=(), now=now, half_life_days=1)
        matching = index.matching(fts.within_budget(query), 50) if query.terms else []
        found = index.candidates([key for key, _ in matching])
        held = {whole_number(row[0]): set(str(row[2]).split()) for row in found}
        whole = self.project.procedures.by_keys(list(held)) if held else {}
        fits = [(one, _share(query, held[key]), telling(query, held[key])) for key, one in whole.items()]
        candidates, room = [], PROCEDURES
        for one, share, fit in sorted(fits, key=lambda fit: (fit[0].success_count == 0, -fit[1], fit[0].id)):
            candidates.append(_procedure(one, share, fit=fit, room=room))
            room -= candidates[-1].refused is None
        return candidates

    def _experiences(self, terms: list[str], now: datetime) -> list[Candidate]:
        """Similar tasks that went well, at most two."""
        if not terms:
            return []
        most, index = 4 * EXPERIENCES, self.project.index("experiences")
        query, best = fts.find(
            index, terms, tags=(), limit=most, now=now, half_life_days=self.settings["half_life_days"], haste=HASTE
        )
        candidates = self._judged(query, best)
        reasons = [one.refused for one in candidates]
        if len(best) == most and reasons.count(None) < EXPERIENCES and {"untrusted", "unproven"} & {*reasons}:
            keys = index.matching(fts.within_budget(query), fts.PROPOSED[0], only=VOUCHED)
            further = best_first(scored(query, index.candidates([key for key, _ in keys])), most, query)
            seen = {one.key for one in best}
            candidates = self._judged(query, [*best, *(one for one in further if one.key not in seen)])
        return candidates

    def _judged(self, query: Asked, best: list[Ranked]) -> list[Candidate]:
        """Each experience with what speaks against it, the best two that nothing speaks against without."""
        whole = self.project.experiences.by_keys([one.key for one in best]) if best else {}
        candidates, room = [], EXPERIENCES
        for one in best:
            if one.key in whole:
                refused = _refused(whole[one.key], fit=telling(query, one.terms), room=room)
                room -= refused is None
                candidates.append(_experience(whole[one.key], one, refused))
        return candidates


def _statement(one: MemoryItem, section: str, now: datetime, refused: str | None, **match: float) -> Candidate:
    return Candidate(
        id=one.id, kind="memory", section=section, line=render.memory(one), score=activation(one, now),
        parts={**parts(one, now), **match}, refused=refused,
    )  # fmt: skip


def _best_first(one: Candidate) -> tuple[float, str]:
    """By how well it matches the prompt; what is said about the file at hand by its activation."""
    return -one.parts.get("match", one.score), one.id


def _procedure(one: Procedure, share: float, *, fit: bool, room: int) -> Candidate:
    unvouched = one.trust in UNVOUCHED and not one.success_count
    refused = "untrusted" if unvouched else "weak-match" if not fit else None if room else "limit"
    return Candidate(
        id=one.id, kind="procedure", section="procedures", line=render.procedure(one), score=share, refused=refused,
        parts={"relevance": share, "successes": float(one.success_count), "failures": float(one.failure_count)},
    )  # fmt: skip


def _experience(one: Experience, ranked: Ranked, refused: str | None) -> Candidate:
    return Candidate(
        id=one.id, kind="experience", section="experiences", line=render.experience(one), score=ranked.score,
        parts={"relevance": ranked.relevance, "weight": ranked.weight, "success": ranked.success}, refused=refused,
    )  # fmt: skip


def _share(query: Asked, held: Collection[str]) -> float:
    """The share of the query's words, by weight, that a thing holds."""
    return sum(weight for term, weight in zip(query.terms, query.idfs, strict=True) if term in held) / query.most


def _too_little(one: MemoryItem, now: datetime) -> str | None:
    return "below-threshold" if activation(one, now) < THRESHOLD else None


def _out_of_scope(one: MemoryItem, path: str | None) -> str | None:
    """Without a file at hand a scope is told along with the memory; with one, it decides."""
    return "other-scope" if path and one.scope and not _covers(one.scope, path) else None


def _covers(scope: str, path: str) -> bool:
    """Whether a scope of this project speaks of a file; of one outside the project none does."""
    outside = path == ".." or path.startswith("../") or path[1:3] == ":/"
    return not outside and globs.matches(scope, path)


def _refused(one: Experience, *, fit: bool, room: int) -> str | None:
    """Why an experience may not be injected; a source nobody vouches for cannot assert its own success."""
    if one.trust in UNVOUCHED and not one.verified_count:
        return "untrusted"
    if one.success_score < SUCCESS:
        return "unproven"
    return "weak-match" if not fit else None if room else "limit"
