"""The second arm: the vectors of a table in memory, as fresh as the store, searched while keywords are.

A row that has no vector yet gets one before a search: the newest first and so many at once, the rest in the background.
What one process embedded every other finds in the store.
"""

from __future__ import annotations

from _thread import RLock

from experience.analyzer import QUERY_CHARACTERS, terms
from experience.clock import from_text
from experience.models import Hit, MemoryWhy, Why
from experience.search import fusion
from experience.search.decay import retention
from experience.search.embed import CHARACTERS, EmbedderFailed, content_hash, packed, unpacked
from experience.search.nearest import Nearest
from experience.search.ranking import Ranked, proven, scored, tag_factor, why

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol, TypeAlias, TypeVar

    from experience.db import Store
    from experience.layers.experiences import Experiences
    from experience.layers.keyword import KeywordIndex
    from experience.layers.vectors import Vectors
    from experience.search.embed import Array, Remembering
    from experience.search.fusion import Weights
    from experience.search.ranking import Asked

    T = TypeVar("T")
    Spans: TypeAlias = dict[str, tuple[float, float]]
    Parts: TypeAlias = tuple[float, float, float]  # vector, phrase, merged

    class Beside(Protocol):
        """Whoever searches by meaning while keywords are searched."""

        def beside(self, text: str, kind: str, keyword: Callable[[], T], *, most: int) -> tuple[T, Meaning | None]: ...

        def weights(self) -> Weights | None: ...


STRICTER = 0.15  # how much nearer a task has to be that shares no word, and anything a word or two ask for
AT_ONCE = 512  # rows without a vector that a search waits for; more are embedded in the background
TASKS = 64  # experiences each arm names
FEW = 0.25  # of the best keyword score
FRESH = 32  # rows it waits for where more than that are left
TOGETHER = 32  # rows embedded between two looks at the store
BEHIND = 10_000  # as much as the store remembers of what went


class FusedWhy(Why):
    """Why an experience was found by both arms: `score = relevance × weight × success × tags`, as ever.

    `relevance = merged = Σ weights × (vector, keyword, phrase)`; *degraded* says why there was no vector.
    """

    vector: float = 0.0
    keyword: float = 0.0
    phrase: float = 0.0
    weights: Weights | None = None
    merged: float = 0.0
    model: str | None = None
    degraded: str | None = None


class FusedMemoryWhy(MemoryWhy):
    """Why a memory was found by both arms: `score = (relevance + neighbours) × decay × reinforcement`, as ever.

    `relevance = merged = weights.vector × vector + weights.keyword × keyword`; *degraded* says why there was no vector.
    """

    vector: float = 0.0
    keyword: float = 0.0
    weights: Weights | None = None
    merged: float = 0.0
    model: str | None = None
    degraded: str | None = None


class Meaning:
    """What the vector arm says about one query: how near which rows are, of each store."""

    def __init__(
        self, *, arms: Sequence[Arm] = (), vector: Array | None = None, near: Sequence[dict[int, float]] = (),
        spans: Spans | None = None, model: str | None = None, floor: float = 0.0, left: int = 0,
        degraded: str | None = None,
    ) -> None:  # fmt: skip
        self.near, self.spans, self.model, self.floor = near, spans or {}, model, floor
        self.left, self.degraded = left, degraded
        self._arms, self._vector = arms, vector

    def cosines(self, keys: Sequence[int], store: int = 0) -> dict[int, float]:
        """How near these rows are; one without a vector is left out."""
        if self._vector is None:
            return {}
        return self._arms[store].cosines(self._vector, keys)

    def deeper(self, most: int, store: int = 0) -> dict[int, float]:
        """More of the nearest rows."""
        return {} if self._vector is None else self._arms[store].near(self._vector, most)

    def row(self, key: int, store: int = 0) -> Array | None:
        """The vector of a row."""
        return None if self._vector is None else self._arms[store].row(key)


class Arm:
    """The vectors of one table in one store. For any thread."""

    def __init__(self, store: Store, layer: Vectors, kind: str, embedder: Remembering) -> None:
        self._store, self._layer, self._kind, self._embedder = store, layer, kind, embedder
        self._lock, self._embedding = RLock(), RLock()
        self._nearest: Nearest | None = None
        self._position, self._gone, self._mark = 0, -1, 0  # how far it heard; what is embedded without a gap
        self._top = 0  # the newest row a search has seen without a vector
        self._seen: object = None
        self._whole: object = None  # the version at which no row was without its vector

    def __len__(self) -> int:
        return 0 if self._nearest is None else len(self._nearest)

    def near(self, vector: Array, most: int) -> dict[int, float]:
        """The nearest rows and their cosines."""
        with self._lock:
            return {} if self._nearest is None else self._fitting(vector).best(vector, most)

    def cosines(self, vector: Array, keys: Sequence[int]) -> dict[int, float]:
        """How near these rows are."""
        with self._lock:
            return {} if self._nearest is None else self._fitting(vector).cosines(vector, keys)

    def row(self, key: int) -> Array | None:
        """The vector of a row."""
        with self._lock:
            return None if self._nearest is None else self._nearest.row(key)

    def catch_up(self, most: int = AT_ONCE, *, newest: bool = True) -> int:
        """Take over what changed and embed what has no vector yet, at most so many rows; at least so many are left."""
        version = self._store.version()
        if version is not None and version == self._whole:
            return 0
        self.refresh()
        with self._embedding:
            missing = self._layer.missing(self._kind, self._embedder.name, self._mark, most + 1, newest=newest)
            some = list(missing.items())[:most]
            if newest and len(missing) > most:  # the background's; only what was written just now is found at once
                some = [row for row in some[:FRESH] if row[0] > self._top]
            self._top = max(self._top, *missing, 0)
            for start in range(0, len(some), TOGETHER):
                self._embed(dict(some[start : start + TOGETHER]))
            left = len(missing) - len(some)
            if some and not (left and newest):
                self._mark = max(self._mark, max(key for key, _ in some))
        if some:
            self.refresh()
        self._whole = None if left else self._seen
        return left

    def refresh(self) -> None:
        """Take over what was embedded, erased or rewritten since, by whichever process."""
        version = self._store.version()
        with self._lock:
            if version is None or version == self._seen:
                return
            self._forget()
            while rows := self._layer.since(self._kind, self._embedder.name, self._position):
                self._take([(key, blob) for _, key, blob in rows])
                self._position = rows[-1][0]
            self._seen = version

    def _forget(self) -> None:
        last, keys = self._layer.gone(self._kind, max(0, self._gone))
        if self._gone >= 0 and last - self._gone > BEHIND:
            self._nearest, self._position, self._mark = None, 0, 0  # the store no longer knows all that went
        elif self._gone >= 0 and keys:
            if self._nearest is not None:
                self._nearest.drop(keys)
            rewritten = self._layer.texts(self._kind, keys)
            self._mark = min([self._mark, *(key - 1 for key in rewritten)])
        self._gone = last

    def _take(self, rows: Sequence[tuple[int, bytes]]) -> None:
        dimension = len(rows[0][1]) // 2 if self._nearest is None else self._nearest.dimension
        fitting = [(key, blob) for key, blob in rows if len(blob) == 2 * dimension]
        if self._nearest is None:
            self._nearest = Nearest(dimension)
        if fitting:
            self._nearest.put([key for key, _ in fitting], unpacked([blob for _, blob in fitting]))

    def _embed(self, texts: dict[int, str]) -> None:
        """Give rows their vectors; a row that was rewritten meanwhile gets its own later."""
        cut = {key: text[:CHARACTERS] for key, text in texts.items()}
        hashes = {key: content_hash(text) for key, text in cut.items()}
        known = self._layer.known(self._embedder.name, list(dict.fromkeys(hashes.values())))
        new = {hashes[key]: text for key, text in cut.items() if hashes[key] not in known}
        if new:
            rows = self._embedder.embed(list(new.values()))
            if self._nearest is not None:
                self._fitting(rows[0])
            known |= dict(zip(new, map(packed, rows), strict=True))
        with self._store.transaction():
            now = self._layer.texts(self._kind, list(texts))
            self._layer.put(self._kind, self._embedder.name, [
                (key, hash, len(known[hash]) // 2, known[hash])
                for key, hash in hashes.items() if now.get(key, "")[:CHARACTERS] == cut[key]
            ])  # fmt: skip

    def _fitting(self, vector: Array) -> Nearest:
        assert self._nearest is not None  # noqa: S101  # asked before
        if len(vector) != self._nearest.dimension:
            raise EmbedderFailed(
                f"{self._embedder.name} gives {len(vector)} dimensions, the store holds {self._nearest.dimension}; "
                "run `experience reindex`"
            )
        return self._nearest


def find_experiences(
    layer: Experiences,
    index: KeywordIndex,
    vectors: Beside,
    text: str,
    keyword: Callable[[], tuple[Asked, list[Ranked], str]],
    *,
    limit: int,
) -> list[Hit]:
    """The best experiences by both arms; *keyword* gives what keywords alone find."""
    (query, ranked, engine), meaning = vectors.beside(text, "experiences", keyword, most=TASKS)
    if meaning is None or meaning.degraded:
        lost = None if meaning is None else meaning.degraded
        return _hits(layer, [(one, _by_words(query, one, engine, lost), one.score) for one in ranked[:limit]])
    weights, words = vectors.weights() or fusion.for_experience(), terms(text[:QUERY_CHARACTERS])
    found = _fused(_union(query, ranked, index, meaning), words, weights, meaning)
    best = sorted(found, key=lambda one: (-one[1], -one[0].key))
    literal = [one for one in best if one[0].relevance and fusion.holds(" ".join(one[0].terms), words)]
    shown = fusion.kept_in(best, literal, limit)
    return _hits(layer, [(one, _why(query, one, engine, parts, weights, meaning), score)
                         for one, score, parts in shown])  # fmt: skip


def _union(query: Asked, ranked: Sequence[Ranked], index: KeywordIndex, meaning: Meaning) -> list[Ranked]:
    """What keywords name, and what vectors name besides."""
    known = {one.key for one in ranked}
    rows = index.candidates([key for key in meaning.near[0] if key not in known])
    relevance = {one[2]: one[3] for one in scored(query, rows)} if query.terms else {}
    return [*ranked, *(_ranked(query, row, relevance) for row in rows)]


def _ranked(query: Asked, row: Sequence[Any], relevances: dict[int, float]) -> Ranked:
    key, _, held, length, stored, weighed_at, success_score, verified, tagged, _ = row
    age_s = (query.now - from_text(weighed_at)).total_seconds()
    weight = stored * retention(age_s, half_life_days=query.half_life_days)
    success, tags, relevance = proven(success_score, verified), tag_factor(query.tags, tagged), relevances.get(key, 0.0)
    return Ranked(
        key=key, score=relevance * weight * success * tags, relevance=relevance, weight=weight, success=success,
        tags=tags, terms=tuple(held.split(" ")), length=length,
    )  # fmt: skip


def _fused(
    rows: Sequence[Ranked], words: Sequence[str], weights: Weights, meaning: Meaning
) -> list[tuple[Ranked, float, Parts]]:
    """Each experience with its score and parts; those that neither arm has anything to say about are left out."""
    near = meaning.cosines([one.key for one in rows])
    best = max((one.relevance for one in rows), default=0.0)
    found = []
    for one in rows:
        vector, keyword = max(0.0, near.get(one.key, 0.0)), one.relevance
        if keyword or vector >= meaning.floor:
            # whose words are few shares no phrase worth the name
            phrase = fusion.phrase(words, one.terms) if weights.phrase and keyword > FEW * best else 0.0
            merged = fusion.merged(weights, vector=vector, keyword=keyword, phrase=phrase)
            found.append((one, merged * one.weight * one.success * one.tags, (vector, phrase, merged)))
    return found


def _by_words(query: Asked, one: Ranked, engine: str, degraded: str | None) -> Why:
    plain = why(query, one, engine)
    if degraded is None:
        return plain
    return FusedWhy(**plain.as_dict(), keyword=one.relevance, merged=one.relevance, degraded=degraded)


def _why(query: Asked, one: Ranked, engine: str, parts: Parts, weights: Weights, meaning: Meaning) -> FusedWhy:
    vector, phrase, merged = parts
    return FusedWhy(
        **{**why(query, one, engine).as_dict(), "relevance": merged}, vector=vector, keyword=one.relevance,
        phrase=phrase, weights=weights, merged=merged, model=meaning.model,
    )  # fmt: skip


def _hits(layer: Experiences, found: Sequence[tuple[Ranked, Why, float]]) -> list[Hit]:
    whole = layer.by_keys([one.key for one, _, _ in found]) if found else {}
    return [
        Hit(id=whole[one.key].id, score=score, why=reason, experience=whole[one.key])
        for one, reason, score in found
        if one.key in whole  # erased this very moment by another process
    ]
