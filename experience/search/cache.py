"""The session cache: the last few result sets of this process, for as long as nothing was written."""

from __future__ import annotations

from _thread import RLock  # `threading` costs a start-up every hook would pay
from datetime import timedelta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime
    from typing import Any

TTL_MINUTES = 30.0
MOST = 3


class SessionCache:
    """A few values by key, each for half an hour, for every thread. Nothing of it reaches the disk."""

    def __init__(self, *, ttl_minutes: float = TTL_MINUTES, most: int = MOST) -> None:
        self._ttl, self._most = timedelta(minutes=ttl_minutes), most
        self._kept: dict[Hashable, tuple[datetime, Any]] = {}
        self._lock = RLock()
        self.hits = self.misses = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, now: datetime) -> Any:
        """The value kept under a key, or None once it is too old; counts as a hit or a miss."""
        with self._lock:
            if self.has(key, now):
                self.hits += 1
                return self._kept[key][1]
            self.misses += 1
            return None

    def set(self, key: Hashable, value: Any, now: datetime) -> None:
        """Keep a value; where there is no room the oldest goes."""
        with self._lock:
            self._sweep(now)
            self._kept.pop(key, None)
            if len(self._kept) >= self._most:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = (now, value)

    def has(self, key: Hashable, now: datetime) -> bool:
        """Whether a key is kept and not too old."""
        with self._lock:
            self._sweep(now)
            return key in self._kept

    def delete(self, key: Hashable) -> None:
        """Drop one key; one that is not there is no error."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()

    def revise(self, revised: Callable[[Any, Any], tuple[Hashable, Any]]) -> None:
        """Give every value and its key the form they have now; their age stays."""
        with self._lock:
            fresh = [(at, *revised(key, value)) for key, (at, value) in self._kept.items()]
            self._kept = {key: (at, value) for at, key, value in fresh}

    def _sweep(self, now: datetime) -> None:
        old = [key for key, (at, _) in self._kept.items() if not timedelta(0) <= now - at < self._ttl]
        for key in old:  # a clock that went backwards ends a session, too
            del self._kept[key]
