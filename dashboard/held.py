"""Figures that many viewers ask for and that cost a look at every row: computed once for all of them."""

from __future__ import annotations

import threading
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from experience import Memory

AGE_S = 10.0  # how old figures of a store that is being written to may be
MOST = 100  # figures kept at once


class Held:
    """Keeps each figure as long as nothing happens in the store, and at least a few seconds."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._found: dict[Hashable, tuple[int, float, Any]] = {}

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The figure under a key, made where there is none that is fresh; one thread makes it, the others wait."""
        position, today = self._memory.events.last_seq(), self._memory.now().date()
        with self._lock:
            seq, at, value = self._found.get((key, today), (-1, 0.0, None))
            if seq >= 0 and (seq == position or monotonic() - at < AGE_S):
                return value
            if len(self._found) >= MOST:
                self._found.clear()
            value = make()
            self._found[key, today] = (position, monotonic(), value)
            return value
