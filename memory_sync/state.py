"""What this process knows about the files of a memory, and what every process may know about their freshness."""

from __future__ import annotations

import os
import socket
from threading import RLock
from time import monotonic, perf_counter
from weakref import WeakKeyDictionary

from experience.clock import from_text
from experience.values import Value
from memory_sync import scan
from memory_sync.records import Records, State
from memory_sync.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from experience.memory import Memory
    from memory_sync.plan import Plan
    from memory_sync.prepare import Recipe
    from memory_sync.roots import Place
    from memory_sync.scan import Scan, Stamp

MANY = 5_000  # files and directories; fewer are looked at whenever somebody asks
SHARE = 0.1  # of the time that may pass with looking whether any of so many changed
_lock = RLock()
_desks: WeakKeyDictionary[Memory, Desk] = WeakKeyDictionary()


class SyncState(Value):
    """How fresh the files in memory are."""

    dirty: bool  # a change was noticed that is not in memory yet
    syncing: bool
    last_sync_at: datetime | None
    watched_files: int
    watching: bool
    polling: str | None  # why the watcher has to look again and again, where it has to
    files: int
    chunks: int


class Desk:
    """The parts of one memory that deal with files."""

    def __init__(self, memory: Memory) -> None:
        self.lock = RLock()  # one sync at a time; others wait and find nothing left to do
        self.records, self.state = Records(memory.store, memory.project), State(memory.store, memory.project)
        self.words = Words()
        self.syncing = False
        self._store = memory.store
        self._last: tuple[tuple[Recipe, object], dict[Place, Stamp], Plan] | None = None
        self._seen: Scan | None = None
        self._due = 0.0

    def idle(self, recipe: Recipe, seen: Scan) -> Plan | None:
        """The plan of the last sync, where it had nothing to do and neither disk nor store changed since."""
        if self._last is None or self._last[0] != (recipe, self._store.version()) or self._last[1] != seen.stamps:
            return None
        return self._last[2]

    def keep(self, recipe: Recipe, seen: Scan, todo: Plan) -> None:
        """Remember a plan that had nothing to do."""
        version = self._store.version()
        idle = version is not None and not todo.read and not todo.removed
        self._last = ((recipe, version), seen.stamps, todo) if idle else None

    def saw(self, seen: Scan | None) -> None:
        """Remember what a sync of all roots saw."""
        self._seen, self._due = seen, 0.0

    def doubt(self) -> None:
        """Look again the next time, however soon."""
        self._due = 0.0

    def directories(self) -> list[str]:
        """Every directory that was read."""
        return sorted(self._seen.directories) if self._seen else []

    def stale(self) -> bool:
        """Whether files changed since this process last saw them all; of very many, not at every question."""
        if self._seen is None:
            return True
        if monotonic() < self._due:
            return False
        start = perf_counter()
        found = scan.stale(self._seen)
        if self._seen.size > MANY:
            self._due = monotonic() + (perf_counter() - start) / SHARE
        return found


def desk(memory: Memory) -> Desk:
    """The desk of a memory, made when first needed."""
    with _lock:
        found = _desks.get(memory)
        if found is None:
            found = _desks[memory] = Desk(memory)
        return found


def state(memory: Memory) -> SyncState:
    """How fresh the files in memory are, whichever process watches them."""
    place = desk(memory)
    _, noticed, synced, last, files, watcher, polling = place.state.row()
    watching = isinstance(watcher, str) and alive(watcher)
    return SyncState(
        dirty=int(str(noticed)) > int(str(synced)), syncing=place.syncing,
        last_sync_at=None if last is None else from_text(str(last)), watched_files=int(str(files)) if watching else 0,
        watching=watching, polling=str(polling) if watching and polling else None, **place.records.counts(),
    )  # fmt: skip


def myself() -> str:
    """This process, as others can look for it."""
    return f"{os.getpid()}@{socket.gethostname()}"


def alive(watcher: str) -> bool:
    """Whether the process that said it watches is still there; one that cannot be asked is believed."""
    pid, _, host = watcher.partition("@")
    if host != socket.gethostname() or os.name != "posix":  # elsewhere, to ask is to kill
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # it belongs to somebody else, but it is there
    return True
