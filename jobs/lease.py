"""The right to do the night: one runner among many processes and hosts, proven anew with every write."""

from __future__ import annotations

import os
import socket
import threading
from datetime import timedelta
from typing import TYPE_CHECKING

from experience.errors import Conflict, StoreUnavailable

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Self

    from experience.clock import Clock
    from experience.desks.shelf import Shelf

NAME = "night"
TTL = timedelta(seconds=90)


class LeaseLost(Conflict):
    """Somebody else does the night now: this runner was paused for too long and must not write."""


class Lease:
    """A held lease, extended by a heartbeat until the block ends. `guard` belongs into every transaction."""

    def __init__(self, shelf: Shelf, clock: Clock, *, name: str = NAME, ttl: timedelta = TTL) -> None:
        self._shelf, self._clock, self._name, self._ttl = shelf, clock, name, ttl
        self.holder = f"{socket.gethostname()}:{os.getpid()}"
        self.token = 0
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        now = self._clock()
        token = self._shelf.leases.acquire(self._name, self.holder, now, self._ttl)
        if token is None:
            holder = self._shelf.leases.holder(self._name, now)
            raise Conflict(
                f"the {self._name} is under way already ({holder}); wait until it has ended; "
                f"a runner that died is replaced after {self._ttl.total_seconds():.0f} s"
            )
        self.token = token
        self._heart = threading.Thread(target=self._beat, name="experience-lease", daemon=True)
        self._heart.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._heart.join()
        self._shelf.leases.release(self._name, self.token, self._clock())

    def guard(self, now: datetime | None = None) -> None:
        """Hold on, or find out that another took over: inside a transaction it keeps a late writer from writing."""
        if not self._shelf.leases.extend(self._name, self.token, now or self._clock(), self._ttl):
            raise LeaseLost(
                f"the {self._name} passed on to another runner, for this one was silent for too long; "
                "it stops here without writing, and the other does the rest"
            )

    def _beat(self) -> None:
        while not self._ended.wait(self._ttl.total_seconds() / 3):
            try:
                self.guard()
            except Conflict:
                return  # the next write will say so
            except StoreUnavailable:
                continue  # locked for long, or away: the next beat tries again
