"""Which engine answers: FTS5 in the store from the first call on, the live index once a process has shown it stays."""

from __future__ import annotations

from _thread import allocate_lock  # `threading` costs a start-up every hook would pay

from experience.errors import ExperienceError
from experience.models import Hit
from experience.search import fts
from experience.search.ranking import best_first, scored, why

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from threading import Thread

    from experience.db import Store
    from experience.layers.events import Events
    from experience.layers.experiences import Experiences
    from experience.layers.keyword import KeywordIndex
    from experience.search.bm25 import LiveIndex
    from experience.search.hybrid import Beside
    from experience.search.ranking import Asked, Ranked

STAYS = 8  # finds after which a process counts as long-lived
WORTHWHILE = 2_000  # rows below this FTS5 answers at once anyway
REBUILD = 2_000  # rows that came or went before the arrays are built anew …
REBUILD_SHARE = 0.05  # … or this share of all, whichever is more


class Finder:
    """Finds experiences of one project."""

    def __init__(
        self, store: Store, experiences: Experiences, words: KeywordIndex, events: Events, half_life_days: float
    ) -> None:
        self._store, self._experiences, self._words, self._events = store, experiences, words, events
        self._half_life_days = half_life_days
        self._lock = allocate_lock()
        self._index: LiveIndex | None = None
        self._seen: object = None  # the store's version the index is as fresh as
        self._position = 0  # the last event the index has heard of
        self._finds = 0
        self._builder: Thread | None = None

    def find(
        self, terms: Sequence[str], *, tags: Iterable[str], limit: int, now: datetime, text: str = "",
        vectors: Beside | None = None,
    ) -> list[Hit]:  # fmt: skip
        """The best experiences for these terms; with *vectors* also those that mean what the text does."""
        if vectors is not None:
            from experience.search.hybrid import TASKS, find_experiences  # numpy, only where there is an embedder

            def keyword() -> tuple[Asked, list[Ranked], str]:
                return self._ranked(terms, tags, max(TASKS, limit), now)

            return find_experiences(self._experiences, self._words, vectors, text, keyword, limit=limit)
        return self._hits(*self._ranked(terms, tags, limit, now)) if terms else []

    def _ranked(
        self, terms: Sequence[str], tags: Iterable[str], limit: int, now: datetime
    ) -> tuple[Asked, list[Ranked], str]:
        """What keywords alone find, by whichever engine is ready."""
        self._finds += 1
        found = self._find_live(terms, tags, limit, now)
        if found is None:
            engine = "fts5"
            query, best = fts.find(
                self._words, terms, tags=tags, limit=limit, now=now, half_life_days=self._half_life_days
            )
            self._consider_building(query.rows, now)
        else:
            engine, (query, best) = "bm25s", found
        return query, best, engine

    def warm(self, now: datetime) -> None:
        """Build the live index now and wait for it."""
        self._build(now)

    def forget(self) -> None:
        """Drop the live index; it is built anew when it is worthwhile."""
        with self._lock:
            self._index = None

    def close(self) -> None:
        """Wait for a build that is under way: it reads from a store that is about to close."""
        if self._builder is not None:
            self._builder.join()

    def _find_live(
        self, terms: Sequence[str], tags: Iterable[str], limit: int, now: datetime
    ) -> tuple[Asked, list[Ranked]] | None:
        if self._index is None:
            return None
        version = self._store.version()
        if version is None:
            return None  # inside an open transaction: what it wrote may never happen
        with self._lock:
            index = self._freshened(version, now)
            if index is None:
                return None
            query = index.ask(terms, tags=tags, now=now, half_life_days=self._half_life_days)
            keys = index.propose(query, self._words.project, limit)
        return query, best_first(scored(query, self._words.candidates(keys)), limit, query)

    def _freshened(self, version: object, now: datetime) -> LiveIndex | None:
        """The index with every change since taken over, or None where it has to be built anew."""
        index = self._index
        if index is None or version == self._seen:
            return index
        position, keys = self._events.changed_keys(self._position, "experience")
        if keys is None:
            self._index = None
            return None
        if keys:
            index.update(keys, self._words.changed(keys))
        self._position, self._seen = position, version
        if index.grown > max(REBUILD, REBUILD_SHARE * index.rows):
            self._start_building(now)
        return index

    def _consider_building(self, rows: int, now: datetime) -> None:
        if self._finds > STAYS and rows >= WORTHWHILE and self._store.version() is not None:
            self._start_building(now)

    def _start_building(self, now: datetime) -> None:
        from threading import Thread  # only long-lived processes come here

        if self._builder is None or not self._builder.is_alive():
            self._builder = Thread(target=self._build_aside, args=(now,), name="experience-index", daemon=True)
            self._builder.start()

    def _build_aside(self, now: datetime) -> None:
        try:
            self._build(now)
        except ExperienceError:
            return  # the store is away: whoever finds next meets it, too, and is told

    def _build(self, now: datetime) -> None:
        from experience.search.bm25 import LiveIndex  # numpy and bm25s, only for who stays

        position = self._events.last_seq()  # what is written while it builds is heard of afterwards
        index = LiveIndex(self._words.everything(), half_life_days=self._half_life_days, now=now)
        with self._lock:
            self._index, self._position, self._seen = index, position, None

    def _hits(self, query: Asked, best: list[Ranked], engine: str) -> list[Hit]:
        whole = self._experiences.by_keys([one.key for one in best])
        return [
            Hit(id=shown.id, score=one.score, why=why(query, one, engine), experience=shown)
            for one in best
            if (shown := whole.get(one.key)) is not None  # erased this very moment by another process
        ]
