"""A live BM25 index in memory for long-lived processes: bm25s builds it, the event log keeps it fresh.

The bulk of the rows lies in arrays that bm25s scored once; rows written since lie beside them in a small delta; rows
gone since are masked. The counts behind every idf follow each change, so the index always equals one built from
scratch, and what it proposes is ranked by the same formula as everywhere else.
"""

from __future__ import annotations

from collections import Counter

import bm25s
import numpy as np

from experience.clock import from_text
from experience.search.decay import SECONDS_A_DAY
from experience.search.ranking import K1, B, asked, idf, proven, saturation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Row
    from experience.search.ranking import Asked

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

SPARE = 10  # proposals beyond the limit: the arrays round, the final ranking does not
FURTHEST = 100.0  # half-lives past the epoch; the arrays hold no larger numbers than 2 to the 127th
TIED = 1_000  # the most proposals where tags may still turn the order round


class LiveIndex:
    """The experiences of one store, all projects, ready to be searched. Not safe for two threads at once."""

    def __init__(self, pages: Iterable[list[Row]], *, half_life_days: float, now: datetime) -> None:
        self._half_life_s = half_life_days * SECONDS_A_DAY
        self._epoch = now
        self._projects: dict[str, int] = {}
        self._vocabulary: dict[str, int] = {}
        self._delta = Delta()
        self._build(pages)

    @property
    def grown(self) -> int:
        """How many rows came or went since the arrays were built."""
        return len(self._delta) + self._gone

    def ask(self, terms: Sequence[str], *, tags: Iterable[str], now: datetime, half_life_days: float) -> Asked:
        """A query with what this index says about its terms."""
        counts = {term: self._count(term) for term in terms}
        return asked(counts, terms, rows=self.rows, total=self.total, tags=tags, now=now, half_life_days=half_life_days)

    def propose(self, query: Asked, project: str, limit: int) -> list[int]:
        """The keys of the rows that may be among the best *limit*."""
        number = self._projects.get(project)
        if number is None or not query.terms:
            return []
        most, slack = limit + SPARE, 0.5 if query.tags else 1.0
        places, scores = self._matches(query, number, most, slack)
        keys = self._keys[places]
        if self._delta:
            new_keys, new_scores = self._delta.matches(query, number)
            keys, scores = np.concatenate([keys, new_keys]), np.concatenate([scores, new_scores])
        if len(scores) <= most:
            return list(map(int, keys))
        return list(map(int, keys[scores >= reached(scores, most) * slack][:TIED]))

    def update(self, keys: Iterable[int], rows: Iterable[Row]) -> None:
        """Take over what changed: *rows* are what the store still has of *keys*."""
        left = {row[0]: row for row in rows}
        for key in keys:
            place = int(np.searchsorted(self._keys, key))
            if place < len(self._keys) and self._keys[place] == key:
                self._update_place(place, left.get(key))
            else:
                self._update_delta(key, left.get(key))

    def _build(self, pages: Iterable[list[Row]]) -> None:
        keys: list[int] = []
        factors: list[float] = []
        projects: list[int] = []
        documents: list[list[int]] = []
        number = self._vocabulary.setdefault
        for page in pages:
            for row in page:
                keys.append(row[0])  # type: ignore[arg-type]  # the schema is strict
                documents.append([number(term, len(self._vocabulary)) for term in str(row[2]).split()])
                factors.append(self._factor(row))
                projects.append(self._project_number(row))
        self._keys = np.array(keys, dtype=np.int64)
        self._factors = np.array(factors, dtype=np.float32)
        self._of_project = np.array(projects, dtype=np.int32)
        self._starts = np.cumsum([0, *map(len, documents)])
        self._forward = np.fromiter((t for d in documents for t in d), dtype=np.int32, count=int(self._starts[-1]))
        self._values, self._where, self._ends = postings(documents, len(self._vocabulary))
        self._counts = np.diff(self._ends)
        self._sums = np.zeros(len(keys), dtype=np.float32)  # all zero between two queries
        self.rows, self.total, self._gone = len(keys), int(self._starts[-1]), 0

    def _matches(self, query: Asked, project: int, most: int, slack: float) -> tuple[Array, Array]:
        """The places that may be among the best *most*, and their scores."""
        # Adding up every posting takes less time than finding out which may be left out; what takes time is sorting
        # all the rows that got something, so those below what the rarest list alone guarantees are dropped at once.
        lists = self._lists(query)
        for where, values, weight in lists:
            self._sums[where] += values * np.float32(weight)
        scores = self._sums * self._factors
        self._sums.fill(0)
        places = (self._of(project, where) for where, _, _ in lists)
        floor = next((reached(scores[some], most) * slack for some in places if len(some) >= most), 0.0)
        found = self._of(project, np.flatnonzero(scores >= floor if floor > 0 else scores > 0))
        return found, scores[found] / query.most

    def _lists(self, query: Asked) -> list[tuple[Array, Array, float]]:
        """Each term's places, their saturations and its idf, rarest first."""
        found = []
        for term, weight in zip(query.terms, query.idfs, strict=True):
            number = self._vocabulary.get(term)
            if number is not None:
                span = slice(self._ends[number], self._ends[number + 1])
                found.append((self._where[span], self._values[span], weight))
        return found

    def _of(self, project: int, places: Array) -> Array:
        return places if len(self._projects) == 1 else places[self._of_project[places] == project]

    def _count(self, term: str) -> int:
        number = self._vocabulary.get(term)
        return self._delta.counts[term] + (0 if number is None else int(self._counts[number]))

    def _update_place(self, place: int, row: Row | None) -> None:
        if row is not None:
            self._factors[place] = self._factor(row)
        elif self._factors[place] >= 0:
            self._factors[place] = -1  # gone: never above zero again
            terms = self._forward[self._starts[place] : self._starts[place + 1]]
            self._counts[np.unique(terms)] -= 1
            self._count_row(-1, len(terms))
            self._gone += 1

    def _update_delta(self, key: int, row: Row | None) -> None:
        if (old := self._delta.remove(key)) is not None:
            self._count_row(-1, old.length)
        if row is not None:
            fresh = Fresh(str(row[2]).split(), self._factor(row), self._project_number(row))
            self._delta.add(key, fresh)
            self._count_row(1, fresh.length)

    def _count_row(self, sign: int, length: int) -> None:
        self.rows += sign
        self.total += sign * length

    def _project_number(self, row: Row) -> int:
        return self._projects.setdefault(str(row[1]), len(self._projects))

    def _factor(self, row: Row) -> float:
        """Weight × success as of the epoch: what time takes since, it takes from every row alike."""
        _, _, _, _, weight, weighed_at, success, verified, _, _ = row
        ahead_s = (from_text(str(weighed_at)) - self._epoch).total_seconds()
        halves = min(ahead_s / self._half_life_s, FURTHEST)
        return float(weight * proven(success, verified) * 2.0**halves)  # type: ignore[operator,arg-type]


class Fresh:
    """A row written since the arrays were built."""

    __slots__ = ("factor", "length", "project", "tfs")

    def __init__(self, terms: list[str], factor: float, project: int) -> None:
        self.tfs, self.length, self.factor, self.project = Counter(terms), len(terms), factor, project


class Delta:
    """The rows written since the arrays were built, by key and by term."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._rows: dict[int, Fresh] = {}
        self._by_term: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, key: int, row: Fresh) -> None:
        self._rows[key] = row
        for term in row.tfs:
            self._by_term.setdefault(term, set()).add(key)
            self.counts[term] += 1

    def remove(self, key: int) -> Fresh | None:
        row = self._rows.pop(key, None)
        for term in row.tfs if row else ():
            self._by_term[term].discard(key)
            self.counts[term] -= 1
        return row

    def matches(self, query: Asked, project: int) -> tuple[Array, Array]:
        """Keys and scores of the rows that match."""
        sums: dict[int, float] = {}
        for term, weight in zip(query.terms, query.idfs, strict=True):
            for key in self._by_term.get(term, ()):
                row = self._rows[key]
                part = weight * saturation(row.tfs[term], row.length, query.average_length)
                sums[key] = sums.get(key, 0.0) + part
        mine = [key for key in sums if self._rows[key].project == project]
        scores = [sums[key] * self._rows[key].factor / query.most for key in mine]
        return np.array(mine, dtype=np.int64), np.array(scores, dtype=np.float32)


def reached(scores: Array, most: int) -> float:
    """The score of the last of the best *most*."""
    return float(np.partition(scores, -most)[-most])


def postings(documents: list[list[int]], terms: int) -> tuple[Array, Array, Array]:
    """For each term its documents and how much its repeats are worth there, and where each list ends."""
    if not terms:
        return np.zeros(0, np.float32), np.zeros(0, np.int32), np.zeros(1, np.int64)
    index = bm25s.BM25(k1=K1, b=B, method="lucene")
    index.index((documents, {str(n): n for n in range(terms)}), create_empty_token=False, show_progress=False)
    values, where, ends = (index.scores[name] for name in ("data", "indices", "indptr"))
    counts = np.diff(ends)
    weights = np.array([idf(len(documents), int(count)) for count in counts], dtype=np.float32)
    return values / np.repeat(weights, counts), where, ends  # the idf is left out: it moves with every new row
