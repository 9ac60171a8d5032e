"""Watching the roots: what people save is found without a command.

One thread listens, another syncs once the files have been quiet for a while. Every directory that is read is watched by
itself, so that `.git` and `node_modules` cost nothing; where the system will not watch that many, files are polled.
"""

from __future__ import annotations

import logging
import os
from threading import Condition, Event, Thread
from time import monotonic

from experience.errors import ExperienceError
from memory_sync.ignore import FILE
from memory_sync.roots import NOTES
from memory_sync.scan import STORE
from memory_sync.state import desk, myself
from memory_sync.syncing import chosen, sync, wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self, TypeAlias

    from experience.memory import Memory

    # directories, whether to poll, when to stop → the paths that changed, nothing where a while passed in silence
    Source: TypeAlias = Callable[[Sequence[str], bool, Event], Iterator[set[str]]]

STEP_MS, GROUP_MS, SILENCE_MS, POLL_MS = 20, 50, 50, 500
SEEN_AFTER_S = 2 * STEP_MS / 1000  # a change is this old when it is heard of
PATIENCE = 10  # debounces after which files that never rest are synced all the same
RETRY_S = 5.0  # after an error
START_S = 30.0

log = logging.getLogger("experience.watch")


def system(directories: Sequence[str], polling: bool, stop: Event) -> Iterator[set[str]]:
    """Changes as the operating system tells them, or as polling finds them."""
    from watchfiles import watch  # only a watcher pays for it

    changes = watch(
        *directories, watch_filter=None, debounce=GROUP_MS, step=STEP_MS, stop_event=stop, rust_timeout=SILENCE_MS,
        yield_on_timeout=True, raise_interrupt=False, force_polling=polling, poll_delay_ms=POLL_MS, recursive=False,
        ignore_permission_denied=True,
    )  # fmt: skip
    for some in changes:
        yield {path for _, path in some}


class Watcher:
    """Keeps the files of one memory fresh until it is stopped. A context manager."""

    def __init__(self, memory: Memory, *, debounce_ms: int | None = None, source: Source = system) -> None:
        given = memory.settings["debounce_ms"] if debounce_ms is None else debounce_ms
        self._memory, self._debounce_s, self._source = memory, given / 1000, source
        self._desk = desk(memory)
        self._turn = Condition()
        self._pending = self._told = False
        self._first = self._last = 0.0
        self._stopped, self._anew, self._listening = Event(), Event(), Event()
        self._directories: list[str] = []
        self._threads: list[Thread] = []
        self.polling: str | None = None  # why files are polled, where they are

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> Self:
        """Sync, then watch; returns once every change from now on is noticed."""
        os.makedirs(os.path.join(self._memory.root, *NOTES.split("/")), exist_ok=True)
        self._sync()
        for name, work in (("listen", self._listen), ("sync", self._follow)):
            thread = Thread(target=work, name=f"experience-watch-{name}", daemon=True)
            thread.start()
            self._threads.append(thread)
        self._listening.wait(START_S)
        return self

    def stop(self) -> None:
        """Stop watching. Stopping twice is harmless."""
        self._stopped.set()
        self._anew.set()
        with self._turn:
            self._turn.notify_all()
        for thread in self._threads:
            thread.join()
        if self._threads:
            self._desk.state.watch(None)
        self._threads = []

    def _listen(self) -> None:
        """Hear of changes; whenever the directories are others, listen anew."""
        while not self._stopped.is_set():
            self._anew.clear()
            if self._stopped.is_set():
                return
            directories = [path for path in self._directories if os.path.isdir(path)]
            try:
                self._hear(directories)
            except FileNotFoundError:
                self._check()  # a directory went while we came
                self._stopped.wait(STEP_MS / 1000)
            except (OSError, RuntimeError) as error:  # watchfiles raises RuntimeErrors of its own
                self._poll(error)

    def _hear(self, directories: Sequence[str]) -> None:
        heard = False
        for paths in self._source(directories, self.polling is not None, self._anew):
            if not heard:  # from here on nothing is missed; what came before may have been
                heard = True
                self._check()
                self._listening.set()
            if any(map(self._matters, paths)):
                self._notice()

    def _poll(self, error: Exception) -> None:
        """Look again and again instead, and say so."""
        if self.polling is not None:
            log.warning("files cannot be watched (%s); trying again", error)
            self._stopped.wait(RETRY_S)
            return
        self.polling = str(error)
        log.warning("the system cannot watch %d directories (%s); polling", len(self._directories), error)
        self._tell()

    def _matters(self, path: str) -> bool:
        """Whether a changed path is a file that is read, a rule about files, or a directory."""
        name = os.path.basename(path)
        if name == FILE or path in self._directories:
            return True
        inner = next((self._inner(root, path) for root in self._roots if path.startswith(root)), name)
        if self._wanted.file(name, inner.removesuffix(name)):
            return True
        return name != STORE and self._wanted.directory(name, inner) and os.path.isdir(path)

    def _inner(self, root: str, path: str) -> str:
        return os.path.relpath(path, root).replace(os.sep, "/")

    def _notice(self) -> None:
        """Something changed: every process may know at once, and a sync is due when it is quiet again."""
        with self._turn:
            self._last = monotonic() - SEEN_AFTER_S
            self._first = self._first if self._pending else self._last
            self._pending = True
            told, self._told = self._told, True
            self._turn.notify_all()
        self._desk.doubt()
        if not told:
            try:
                self._desk.state.notice()
            except ExperienceError as error:  # the sync will find the change all the same
                log.warning("that files changed could not be written down: %s", error)

    def _check(self) -> None:
        """Take in at once what changed while nobody listened."""
        self._desk.doubt()
        if self._desk.stale():
            try:
                self._sync()
            except ExperienceError as error:
                log.warning("the files that changed could not be synced: %s", error)
                self._notice()

    def _follow(self) -> None:
        """Sync whenever files changed and are quiet again."""
        while self._due():
            try:
                self._sync()
            except ExperienceError as error:
                log.warning("the files that changed could not be synced: %s", error)
                self._stopped.wait(RETRY_S)
                self._notice()

    def _due(self) -> bool:
        """Wait for the next sync; false where there will be none."""
        with self._turn:
            while not self._stopped.is_set():
                if not self._pending:
                    self._turn.wait()
                    continue
                rest = min(self._last + self._debounce_s, self._first + PATIENCE * self._debounce_s) - monotonic()
                if rest <= 0:
                    self._pending = self._told = False  # before the sync: what changes from now on is for the next
                    return True
                self._turn.wait(rest)
        return False

    def _sync(self) -> None:
        """Sync, and listen anew where there are other directories now."""
        sync(self._memory)
        self._roots = [root.path for root in chosen(self._memory, self._desk, None)[1]]
        self._wanted = wanted(self._memory)
        directories = self._desk.directories()
        if directories != self._directories:
            self._directories = directories
            self._anew.set()
        self._tell()

    def _tell(self) -> None:
        """Let every process know who watches what."""
        said = (self._desk.records.counts()["files"], self.polling)
        if said != getattr(self, "_said", None):
            self._said = said
            self._desk.state.watch(myself(), *said)


def watch(memory: Memory, *, debounce_ms: int | None = None) -> Watcher:
    """Start to watch; stop it with `.stop()`, or use it in a with statement."""
    return Watcher(memory, debounce_ms=debounce_ms)
