"""The desk of recall: both shelves, one ranking, a cache in front of it, a budget behind it."""

from __future__ import annotations

from experience import analyzer, checks, globs
from experience.clock import to_text
from experience.context import tokens
from experience.desks.shelf import Desk
from experience.errors import InvalidInput
from experience.layers.memories import HALF_LIFE_DAYS
from experience.models import MEMORY_TYPES, REACHES
from experience.search import recall
from experience.search.cache import SessionCache
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Value as Column
    from experience.desks.shelf import Shelf
    from experience.desks.vectors import VectorDesk
    from experience.models import MemoryHit, MemoryItem, MemoryWhy
    from experience.search.fusion import Weights
    from experience.search.hybrid import Meaning
    from experience.search.ranking import Asked
    from experience.search.recall import Proposed, Row, Scored

    Params: TypeAlias = list[Column]

DEEPER = 2_048  # rows looked at where filters leave out most


class Wanted(Value):
    """What a recall asks for, checked; also the name under which its answer is cached."""

    query: str
    type: str | None
    scope: str | None
    max_tokens: int | None
    limit: int
    as_of: str | None


class RecallDesk(Desk):
    """Finds memories by their words and, where there is an embedder, by what they mean."""

    def __init__(self, *given: Any, vectors: VectorDesk | None = None) -> None:
        super().__init__(*given)
        self._vectors = vectors
        self.cache = SessionCache(
            ttl_minutes=self.settings["cache_ttl_minutes"], most=self.settings["cache_result_sets"]
        )

    def wanted(
        self, query: object, *, type: str | None, scope: str | None, max_tokens: int | None, limit: int,
        as_of: datetime | None,
    ) -> Wanted:  # fmt: skip
        """What a recall asks for, every field checked."""
        if not isinstance(query, str):
            raise InvalidInput(f"query must be text, not {query.__class__.__name__}")
        return Wanted(
            query=query[: analyzer.QUERY_CHARACTERS],
            type=None if type is None else checks.one_of("type", type, MEMORY_TYPES),
            scope=scope if scope is None or scope in REACHES else globs.checked("scope", scope),
            max_tokens=None if max_tokens is None else checks.count("max_tokens", max_tokens, most=1_000_000),
            limit=checks.count("limit", limit, most=1000), as_of=None if as_of is None else to_text(_moment(as_of)),
        )  # fmt: skip

    def cached(self) -> dict[str, int]:
        """How the cache does."""
        return {"result_sets": len(self.cache), "hits": self.cache.hits, "misses": self.cache.misses}

    def recall(self, wanted: Wanted, now: datetime) -> Sequence[MemoryHit]:
        """The best memories, best first, from the cache where nothing was written since."""
        key = (wanted, self.versions())
        if None in key[1]:  # inside an open transaction: what it wrote may never happen
            return self._found(wanted, now)
        found: Sequence[MemoryHit] | None = self.cache.get(key, now)
        if found is None:
            found = self._found(wanted, now)
            self._drop_older(key[1])
            self.cache.set(key, found, now)
        return found

    def versions(self) -> tuple[object, ...]:
        """What differs once anyone wrote to one of the stores; what has no vector yet gets it first."""
        if self._vectors is not None:
            self._vectors.prepare("memories", self.shelves())
        return tuple(shelf.store.version() for shelf in self.shelves())

    def counted(self, before: tuple[object, ...], fresh: dict[str, MemoryItem]) -> None:
        """That its memories were counted is no reason to drop a result set, unless somebody else wrote meanwhile."""
        after = self.versions()
        if self._versions != before or not _only_mine(before, after):
            return

        def revised(key: tuple[Wanted, object], hits: Sequence[MemoryHit]) -> tuple[object, Sequence[MemoryHit]]:
            if key[1] != before:  # another thread's
                return key, hits
            return (key[0], after), [hit.replace(memory=fresh.get(hit.id, hit.memory)) for hit in hits]

        self.cache.revise(revised)
        self._versions = after

    def _found(self, wanted: Wanted, now: datetime) -> Sequence[MemoryHit]:
        shelves = [one for one in self.shelves() if wanted.scope not in REACHES or wanted.scope == one.reach]
        places = [Place(shelf, wanted) for shelf in shelves]
        terms = analyzer.query_terms(wanted.query)

        def keyword() -> list[Proposed]:
            return [place.proposed(terms, wanted.limit, now) for place in places]

        if self._vectors is None:
            named, meaning = keyword(), None
        else:
            named, meaning = self._vectors.beside(wanted.query, "memories", keyword, shelves)
        if meaning is None or meaning.degraded:
            lost = None if meaning is None else meaning.degraded
            found = [hit for place, some in zip(places, named, strict=True) for hit in place.by_words(some, lost)]
        else:
            found = self._by_both(places, named, meaning, wanted)
        best_first = sorted(found, key=lambda hit: (-hit.score, hit.id))[: wanted.limit]
        return best_first if wanted.max_tokens is None else within(best_first, wanted.max_tokens)

    def _by_both(
        self, places: Sequence[Place], named: Sequence[Proposed], meaning: Meaning, wanted: Wanted
    ) -> list[MemoryHit]:
        """What both arms name, ranked by both; how well keywords fit anywhere says how much they count."""
        from experience.search import fusion

        assert self._vectors is not None  # noqa: S101  # it answered
        union = [place.union(some, meaning, at) for at, (place, some) in enumerate(zip(places, named, strict=True))]
        relevance = [recall.relevances(some.query, rows) for some, rows in zip(named, union, strict=True)]
        best = max((one for some in relevance for one in some.values()), default=0.0)
        fixed, words = self._vectors.weights(), analyzer.terms(wanted.query)

        def weights(kind: str) -> Weights:
            return fixed or fusion.for_memory(kind, best)

        found: list[MemoryHit] = []
        for at, (place, some, rows) in enumerate(zip(places, named, union, strict=True)):
            near = meaning.cosines([row[0] for row in rows], at)
            scored = recall.fused(some.query, rows, relevance[at], near, weights, meaning.floor)
            found += place.by_both(some.query, scored, words, meaning)
        return found

    def _drop_older(self, versions: tuple[object, ...]) -> None:
        """A write anywhere drops every result set that is older."""
        if self.cache and self._versions != versions:
            self.cache.clear()
        self._versions = versions

    _versions: tuple[object, ...] = ()


class Place:
    """One shelf, as one recall looks at it."""

    def __init__(self, shelf: Shelf, wanted: Wanted) -> None:
        self.shelf, self._wanted = shelf, wanted
        self._index = shelf.index("memories")
        self._only, self._params = _condition(shelf, wanted)
        self._keep = recall.shown if wanted.as_of is None else _any

    def proposed(self, terms: Sequence[str], limit: int, now: datetime) -> Proposed:
        """What keywords name here."""
        return recall.propose(
            self._index, terms, limit=limit, now=now, half_life_days=HALF_LIFE_DAYS, keep=self._keep, only=self._only,
            params=self._params,
        )  # fmt: skip

    def union(self, proposed: Proposed, meaning: Meaning, store: int) -> list[Row]:
        """What keywords name, and what vectors name besides."""
        known = {row[0] for row in proposed.rows}
        near = self._near(meaning, store)
        rows = self._index.candidates([key for key in near if key not in known])
        kept = [row for row in rows if self._keep(row)]
        if len(rows) - len(kept) > len(near) // 2:  # most of them are hidden: look further down
            deeper = [key for key in meaning.deeper(DEEPER, store) if key not in known]
            kept = [row for row in self._index.candidates(deeper) if self._keep(row)]
        return [*proposed.rows, *kept]

    def by_words(self, proposed: Proposed, degraded: str | None) -> list[MemoryHit]:
        """The best by keywords alone; *degraded* says why it is by them alone."""
        best = sorted(recall.scored(proposed.query, proposed.rows), key=recall.best_first)[: self._wanted.limit]
        if degraded is None:
            return recall.hits(proposed.query, best, self.shelf.memories)
        from experience.search.hybrid import FusedMemoryWhy

        def why(query: Asked, one: Scored) -> MemoryWhy:
            return FusedMemoryWhy(
                **recall.why(query, one).as_dict(), keyword=one.relevance, merged=one.merged, degraded=degraded
            )

        return recall.hits(proposed.query, best, self.shelf.memories, why)

    def by_both(self, query: Asked, found: list[Scored], words: Sequence[str], meaning: Meaning) -> list[MemoryHit]:
        """The best by both arms; what holds the very words of the query is among them."""
        from experience.search import fusion
        from experience.search.hybrid import FusedMemoryWhy

        best = sorted(found, key=recall.best_first)
        shown = fusion.kept_in(best, [one for one in best if fusion.holds(one.row[2], words)], self._wanted.limit)

        def why(query: Asked, one: Scored) -> MemoryWhy:
            return FusedMemoryWhy(
                **{**recall.why(query, one).as_dict(), "relevance": one.merged}, vector=one.vector,
                keyword=one.relevance, weights=one.weights, merged=one.merged, model=meaning.model,
            )  # fmt: skip

        return recall.hits(query, shown, self.shelf.memories, why)

    def _near(self, meaning: Meaning, store: int) -> Sequence[int]:
        """The keys of the nearest rows that the filters let through."""
        if not self._only:
            return list(meaning.near[store])
        vectors = self.shelf.vectors
        some = vectors.meeting("memories", self._only, self._params, DEEPER)
        if len(some) == DEEPER:  # they may be anywhere among the rest
            some += vectors.allowed("memories", list(meaning.deeper(DEEPER, store)), self._only, self._params)
        cosines = meaning.cosines(some, store)
        return sorted(cosines, key=lambda key: (-cosines[key], -key))[: recall.PROPOSED]


def within(found: Sequence[MemoryHit], max_tokens: int) -> list[MemoryHit]:
    """The best that fit together: one that does not fit makes room for the next."""
    kept = []
    for hit in found:
        cost = tokens.count(hit.memory.content)
        if cost <= max_tokens:
            kept.append(hit)
            max_tokens -= cost
    return kept


def _only_mine(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    """Whether nobody but this connection wrote; a file tells its connection, what others wrote, and what it wrote."""
    return len(before) == len(after) and all(
        isinstance(one, tuple) and isinstance(other, tuple) and one[:2] == other[:2]
        for one, other in zip(before, after, strict=True)
    )


def _moment(value: object) -> datetime:
    from datetime import datetime  # few ask for the past

    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InvalidInput(f"as_of must be a datetime with a time zone, such as datetime.now(UTC), not {value!r}")
    return value


def _any(_: object) -> bool:
    return True  # the condition says it all


def _condition(shelf: Shelf, wanted: Wanted) -> tuple[str, Params]:
    """A recall's filters as a condition on columns."""
    params: Params = []
    conditions = []
    if wanted.as_of is not None:  # what was held true then: also what was replaced since
        conditions += ["folded_into is null and quarantined_at is null and valid_from <= ?",
                       "(valid_to is null or valid_to > ?)"]  # fmt: skip
        params += [wanted.as_of, wanted.as_of]
    if wanted.type is not None:
        conditions.append("type = ?")
        params.append(wanted.type)
    if wanted.scope is not None and wanted.scope not in REACHES:
        covering = [one for one in shelf.memories.scopes() if one == wanted.scope or globs.matches(one, wanted.scope)]
        conditions.append(f"scope in ({', '.join('?' * len(covering)) or 'null'})")
        params += covering
    return " and ".join(conditions), params
