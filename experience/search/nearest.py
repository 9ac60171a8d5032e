"""Nearest neighbours by cosine, in memory: every row is compared, in one pass.

Reading 100,000 whole rows takes longer than a search may. From 20,000 on, the rows are turned so that their first
numbers say most (a rotation changes no cosine); all rows are compared by those alone, and the best of them exactly.
"""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, TypeAlias

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

MANY = 20_000
HEAD = 96  # numbers of each row that are compared first
SURE = 2_048  # rows compared exactly after that
SAMPLE = 8_192  # rows that tell how to turn them


class Nearest:
    """Vectors of unit length by key. Not safe for two threads at once."""

    def __init__(self, dimension: int, *, many: int = MANY) -> None:
        self.dimension, self._many = dimension, many
        self._rows: Array = np.zeros((0, dimension), dtype=np.float32)
        self._keys: Array = np.zeros(0, dtype=np.int64)
        self._place: dict[int, int] = {}
        self._turn: Array | None = None
        self._head: Array = np.zeros((0, HEAD), dtype=np.float32)

    def __len__(self) -> int:
        return len(self._place)

    def __contains__(self, key: int) -> bool:
        return key in self._place

    def put(self, keys: Sequence[int], rows: Array) -> None:
        """Take in rows, in place of those with the same keys."""
        self.drop(keys)
        start = len(self)
        self._reserve(start + len(keys))
        span = slice(start, start + len(keys))
        self._rows[span], self._keys[span] = rows, keys
        self._place |= {key: start + at for at, key in enumerate(keys)}
        if self._turn is not None:
            self._head[span] = rows @ self._turn
        elif len(self) >= self._many:
            self._turn_rows()

    def drop(self, keys: Collection[int]) -> None:
        """Forget rows; the last one takes the place of each."""
        for key in keys:
            at = self._place.pop(key, None)
            if at is None:
                continue
            last = len(self)
            if at != last:
                self._rows[at], self._keys[at] = self._rows[last], self._keys[last]
                self._head[at : at + 1] = self._head[last : last + 1]
                self._place[int(self._keys[at])] = at

    def best(self, query: Array, most: int) -> dict[int, float]:
        """The nearest keys with their cosines, the nearest first."""
        size = len(self)
        some = np.arange(size) if self._turn is None else self._promising(query @ self._turn, max(SURE, 4 * most))
        cosines = self._rows[:size] @ query if self._turn is None else self._rows[some] @ query
        if len(some) > most:
            reached = np.partition(cosines, -most)[-most]
            kept = np.flatnonzero(cosines >= reached)
            some, cosines = some[kept], cosines[kept]
        order = np.lexsort((-self._keys[some], -cosines))[:most]
        return dict(zip(self._keys[some[order]].tolist(), cosines[order].tolist(), strict=True))

    def cosines(self, query: Array, keys: Sequence[int]) -> dict[int, float]:
        """How near these rows are; a key without a row is left out."""
        known = [key for key in keys if key in self._place]
        found = self._rows[[self._place[key] for key in known]] @ query
        return dict(zip(known, found.tolist(), strict=True))

    def row(self, key: int) -> Array | None:
        """One vector."""
        at = self._place.get(key)
        return None if at is None else self._rows[at].copy()

    def _promising(self, query: Array, most: int) -> Array:
        scores = self._head[: len(self)] @ query
        if len(scores) <= most:
            return np.arange(len(scores))
        return np.flatnonzero(scores >= np.partition(scores, -most)[-most])

    def _turn_rows(self) -> None:
        """Turn the rows so that what they differ in most comes first."""
        rows = self._rows[: len(self)]
        sample = rows[:: max(1, len(rows) // SAMPLE)]
        _, directions = np.linalg.eigh(sample.T @ sample)  # the last are those that say most
        self._turn = np.ascontiguousarray(directions[:, ::-1][:, :HEAD].astype(np.float32))
        self._head = np.zeros((len(self._rows), self._turn.shape[1]), dtype=np.float32)
        self._head[: len(self)] = rows @ self._turn

    def _reserve(self, size: int) -> None:
        """Room for so many rows; it grows by half, so that adding one is cheap."""
        if size <= len(self._rows):
            return
        room = max(size, len(self._rows) * 3 // 2, 256)
        self._rows, self._keys = _grown(self._rows, room), _grown(self._keys, room)
        if self._turn is not None:
            self._head = _grown(self._head, room)


def _grown(array: Array, room: int) -> Array:
    larger = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
