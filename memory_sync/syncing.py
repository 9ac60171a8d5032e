"""Files into memory: scan → plan → apply, one file after the other. A second run finds nothing to do."""

from __future__ import annotations

from time import perf_counter

from experience import checks
from experience.errors import InvalidInput
from experience.values import Value
from memory_sync import roots as places
from memory_sync.apply import Applier, named
from memory_sync.plan import plan
from memory_sync.read import read, too_large
from memory_sync.scan import Skipped, Wanted, scan
from memory_sync.state import desk

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from experience.memory import Memory
    from memory_sync.apply import Applied
    from memory_sync.plan import Plan
    from memory_sync.roots import Place, Root
    from memory_sync.scan import Scan
    from memory_sync.state import Desk

    Progress: TypeAlias = Callable[[int, int, str], None]  # files done, files to do, the one that was just done
    Roots: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class SyncReport(Value):
    """What a sync did."""

    added: int
    changed: int
    removed: int
    unchanged: int
    chunks_indexed: int
    chunks_kept: int
    skipped: tuple[Skipped, ...]
    duration_s: float
    roots: tuple[str, ...]

    @property
    def did(self) -> bool:
        """Whether it changed anything."""
        return bool(self.added or self.changed or self.removed)


def sync(memory: Memory, roots: Roots | None = None, *, progress: Progress | None = None) -> SyncReport:
    """Bring the files of these roots into memory; without *roots* those of the settings, those named before, the notes.

    Files that did not change are not read, chunks that did not change are not indexed again.
    """
    at = desk(memory)
    with at.lock:
        at.syncing = True
        try:
            return _Sync(memory, at, roots, progress).run()
        finally:
            at.syncing = False


class _Sync:
    """One sync."""

    def __init__(self, memory: Memory, at: Desk, roots: Roots | None, progress: Progress | None) -> None:
        self._memory, self._desk, self._progress = memory, at, progress
        self._start, self._all = perf_counter(), roots is None
        self._remembered, self._roots = chosen(memory, at, roots)
        self._most = int(memory.settings["file_max_mb"] * 1_000_000)
        self._applier = Applier(memory, at.records, at.words, memory.now())
        self._counts = dict.fromkeys(("added", "changed", "removed", "unchanged", "skipped"), 0)
        self._indexed = self._kept = 0
        self._skipped: list[Skipped] = []

    def run(self) -> SyncReport:
        """Scan, plan, apply."""
        noticed = self._desk.state.noticed()  # before the scan: what is noticed from now on is not covered
        seen = scan(self._roots, wanted(self._memory))
        known = self._desk.records.known(self._applier.recipe)
        todo = plan(known, seen.stamps, within=None if self._all else self._roots, most=self._most)
        self._skipped += seen.skipped
        self._tell_left_out(todo, seen)
        self._apply(todo, seen)
        if self._all or (len(self._counts) and not self._desk.state.last_sync_at()):
            self._desk.saw(seen if self._all else None)
        self._desk.state.settle(noticed if self._all else 0, self._remembered, self._memory.now())
        return self._report(todo)

    def _tell_left_out(self, todo: Plan, seen: Scan) -> None:
        self._skipped += [Skipped(path=named(place), reason=reason) for place, reason in todo.left_out]
        self._skipped += [
            Skipped(path=named(place), reason=too_large(seen.stamps[place][0], self._most)) for place in todo.too_large
        ]

    def _apply(self, todo: Plan, seen: Scan) -> None:
        done, total = 0, len(todo.removed) + len(todo.read)
        for place in todo.removed:
            self._count(self._applier.remove(place))
            done += 1
            self._tell(done, total, place)
        for place in todo.read:
            self._take(place, seen.paths[place])
            done += 1
            self._tell(done, total, place)

    def _take(self, place: Place, path: str) -> None:
        """Read one file and put it in the store."""
        try:
            found = read(path, most=self._most)
        except FileNotFoundError:
            self._count(self._applier.remove(place))  # it vanished since the scan
            return
        except OSError as error:
            self._count(self._applier.remove(place))
            reason = f"it cannot be read ({error.strerror}); check its permissions"
            self._skipped.append(Skipped(path=named(place), reason=reason))
            return
        if found.skipped is not None:
            self._skipped.append(Skipped(path=named(place), reason=found.skipped))
        self._count(self._applier.put(place, found))

    def _count(self, applied: Applied) -> None:
        self._counts[applied.kind] += 1
        self._indexed += applied.indexed
        self._kept += applied.kept

    def _tell(self, done: int, total: int, place: Place) -> None:
        if self._progress is not None:
            self._progress(done, total, named(place))

    def _report(self, todo: Plan) -> SyncReport:
        counts = self._counts
        return SyncReport(
            added=counts["added"], changed=counts["changed"], removed=counts["removed"],
            unchanged=counts["unchanged"] + todo.unchanged, chunks_indexed=self._indexed, chunks_kept=self._kept,
            skipped=tuple(sorted(self._skipped, key=lambda one: one.path)), duration_s=perf_counter() - self._start,
            roots=tuple(root.name for root in self._roots),
        )  # fmt: skip


def wanted(memory: Memory) -> Wanted:
    """Which files the settings want."""
    return Wanted(memory.settings["globs"], memory.settings["excludes"])


def chosen(memory: Memory, at: Desk, given: Roots | None) -> tuple[list[str], list[Root]]:
    """The names of the roots to remember, and the roots to sync now."""
    remembered = places.several(memory.root, at.state.roots())
    configured = places.several(memory.root, memory.settings["roots"])
    if given is None:
        named_ones = [*configured, *remembered] or places.several(memory.root, ["."])
        everything = places.outermost([*named_ones, *places.several(memory.root, [places.NOTES])])
        return [root.name for root in remembered], everything
    asked = places.several(memory.root, given, [*configured, *remembered])
    if not asked:
        raise InvalidInput("roots is empty; name at least one directory, such as 'docs', or leave it out")
    for root in asked:
        _check_there(root)
    return [root.name for root in places.outermost([*remembered, *asked])], asked


def _check_there(root: Root) -> None:
    from os.path import exists

    if not exists(root.path):
        raise InvalidInput(f"the root {checks.encodable('root', root.name)!r} does not exist; name a directory")
