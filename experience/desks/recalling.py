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
    from experience.models import MemoryHit, MemoryItem

    Params: TypeAlias = list[Column]


class Wanted(Value):
    """What a recall asks for, checked; also the name under which its answer is cached."""

    query: str
    type: str | None
    scope: str | None
    max_tokens: int | None
    limit: int
    as_of: str | None


class RecallDesk(Desk):
    """Finds memories by their words."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
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
        """What differs once anyone wrote to one of the stores."""
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
        terms, found = analyzer.query_terms(wanted.query), []
        keep = recall.shown if wanted.as_of is None else _any
        for shelf in self.shelves():
            if wanted.scope in REACHES and wanted.scope != shelf.reach:
                continue
            only, params = _condition(shelf, wanted)
            asked, best = recall.find(
                shelf.index("memories"), terms, limit=wanted.limit, now=now, half_life_days=HALF_LIFE_DAYS, keep=keep,
                only=only, params=params,
            )  # fmt: skip
            found += recall.hits(asked, best, shelf.memories)
        best_first = sorted(found, key=lambda hit: (-hit.score, hit.id))[: wanted.limit]
        return best_first if wanted.max_tokens is None else within(best_first, wanted.max_tokens)

    def _drop_older(self, versions: tuple[object, ...]) -> None:
        """A write anywhere drops every result set that is older."""
        if self.cache and self._versions != versions:
            self.cache.clear()
        self._versions = versions

    _versions: tuple[object, ...] = ()


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
