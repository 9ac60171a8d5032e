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
        """The figure under a key; one thread makes it anew, and the others have the last one meanwhile."""
        key, position = (key, self._memory.now().date()), self._memory.events.last_seq()
        known = self._found.get(key)
        if _fresh(known, position) or (known is not None and self._lock.locked()):
            return known and known[2]
        with self._lock:
            known = self._found.get(key)
            if known is None or not _fresh(known, position):
                if len(self._found) >= MOST:
                    self._found.clear()
                known = self._found[key] = (position, monotonic(), make())
            return known[2]


def _fresh(known: tuple[int, float, Any] | None, position: int) -> bool:
    return known is not None and (known[0] == position or monotonic() - known[1] < AGE_S)
