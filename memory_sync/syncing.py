"""Files into memory: scan → plan → apply, one file after the other. A second run finds nothing to do."""

from __future__ import annotations

from time import perf_counter

from experience import checks
from experience.desks.reanalysis import ANALYZER
from experience.errors import InvalidInput
from experience.values import Value
from memory_sync import roots as places
from memory_sync import worker
from memory_sync.apply import CHARACTERS, TOGETHER, Applied, Applier, named
from memory_sync.plan import plan
from memory_sync.prepare import Recipe
from memory_sync.read import too_large
from memory_sync.scan import Skipped, Wanted, scan
from memory_sync.state import desk

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from experience.memory import Memory
    from memory_sync.plan import Plan
    from memory_sync.prepare import Prepared
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


def refreshed(memory: Memory) -> bool:
    """Sync where anything changed since the last time; returns whether this call did it."""
    at = desk(memory)
    if not at.state.dirty() and not at.stale():
        return False
    with at.lock:  # whoever synced while this one waited has done its work
        noticed = at.state.dirty()
        if not noticed and not at.stale():
            return False
        return sync(memory).did or noticed


def reindex(memory: Memory) -> SyncReport:
    """Make every chunk and the index of them anew, from the files."""
    at = desk(memory)
    with at.lock:
        at.records.distrust()
        return sync(memory)


class _Sync:
    """One sync."""

    def __init__(self, memory: Memory, at: Desk, roots: Roots | None, progress: Progress | None) -> None:
        self._memory, self._desk, self._progress = memory, at, progress
        self._start, self._all = perf_counter(), roots is None
        self._remembered, self._roots = chosen(memory, at, roots)
        self._recipe = recipe(memory)
        self._applier = Applier(memory, at.records, self._recipe, memory.now())
        self._totals = dict.fromkeys(Applied().as_dict(), 0)
        self._skipped: list[Skipped] = []

    def run(self) -> SyncReport:
        """Scan, plan, apply."""
        noticed = self._desk.state.noticed()  # before the scan: what is noticed from now on is not covered
        seen = scan(self._roots, wanted(self._memory))
        todo = self._plan(seen)
        self._tell_left_out(todo, seen)
        self._apply(todo, seen)
        self._desk.saw(seen if self._all else None)
        self._desk.state.settle(noticed if self._all else 0, self._remembered, self._memory.now())
        if self._all:
            self._desk.keep(self._recipe, seen, todo)
        return self._report(todo)

    def _plan(self, seen: Scan) -> Plan:
        """What is to be done; where nothing was, and nothing changed since, it need not be asked again."""
        idle = self._desk.idle(self._recipe, seen) if self._all else None
        if idle is not None:
            return idle
        known = self._desk.records.known(self._recipe.name)
        return plan(known, seen.stamps, within=None if self._all else self._roots, most=self._recipe.most)

    def _tell_left_out(self, todo: Plan, seen: Scan) -> None:
        most = self._recipe.most
        self._skipped += seen.skipped
        self._skipped += [Skipped(path=named(place), reason=reason) for place, reason in todo.left_out]
        self._skipped += [
            Skipped(path=named(place), reason=too_large(seen.stamps[place][0], most)) for place in todo.too_large
        ]

    def _apply(self, todo: Plan, seen: Scan) -> None:
        """Forget what is gone, take in what is new, some files at a time."""
        done, total = 0, len(todo.removed) + len(todo.read)
        for start in range(0, len(todo.removed), TOGETHER):
            some = todo.removed[start : start + TOGETHER]
            self._add(self._applier.remove(some))
            done += len(some)
            self._tell(done, total, some[-1])
        for files in together(self._prepared(todo.read, seen)):
            self._add(self._applier.put(files))
            self._skipped += [Skipped(path=named(file.place), reason=reason) for file in files if (reason := why(file))]
            done += len(files)
            self._tell(done, total, files[-1].place)

    def _prepared(self, read: Sequence[Place], seen: Scan) -> Iterator[Prepared]:
        """The files made ready, one after the other, beside the store that takes them in."""
        was = {place: (hash, recipe) for place, (_, hash, recipe) in self._desk.records.files(read).items()}
        jobs = [(place, seen.path(place), was.get(place)) for place in read]
        return worker.prepared(jobs, self._recipe, self._desk.words)

    def _add(self, applied: Applied) -> None:
        for name, number in applied.as_dict().items():
            self._totals[name] += number

    def _tell(self, done: int, total: int, place: Place) -> None:
        if self._progress is not None:
            self._progress(done, total, named(place))

    def _report(self, todo: Plan) -> SyncReport:
        totals = self._totals
        return SyncReport(
            added=totals["added"], changed=totals["changed"], removed=totals["removed"],
            unchanged=totals["unchanged"] + todo.unchanged, chunks_indexed=totals["indexed"],
            chunks_kept=totals["kept"], skipped=tuple(sorted(self._skipped, key=lambda one: one.path)),
            duration_s=perf_counter() - self._start, roots=tuple(root.name for root in self._roots),
        )  # fmt: skip


def together(files: Iterable[Prepared]) -> Iterator[list[Prepared]]:
    """As many files as share a transaction."""
    some: list[Prepared] = []
    size = 0
    for file in files:
        some.append(file)
        size += file.found.size if file.found else 0
        if len(some) >= TOGETHER or size >= CHARACTERS:
            yield some
            some, size = [], 0
    if some:
        yield some


def why(file: Prepared) -> str | None:
    """Why a file is not in memory, if it is not."""
    return file.problem if file.found is None else file.found.skipped


def recipe(memory: Memory) -> Recipe:
    """How the settings want files to be cut."""
    tokens, overlap = memory.settings["chunk_tokens"], memory.settings["chunk_overlap"]
    if overlap * 2 > tokens:
        raise InvalidInput(f"chunk_overlap {overlap} is more than half of chunk_tokens {tokens}; make it smaller")
    most = int(memory.settings["file_max_mb"] * 1_000_000)
    return Recipe(tokens=tokens, overlap=overlap, analyzer=ANALYZER, most=most)


def wanted(memory: Memory) -> Wanted:
    """Which files the settings want."""
    return Wanted(memory.settings["globs"], memory.settings["excludes"])


def chosen(memory: Memory, at: Desk, given: Roots | None) -> tuple[list[str], list[Root]]:
    """The names of the roots to remember, and the roots to sync now.

    Without any named in the settings or to a sync, it is the project itself; its notes are always among them.
    """
    configured = places.several(memory.root, memory.settings["roots"])
    remembered = places.several(memory.root, [name for name in at.state.roots() if not (configured and name == ".")])
    if given is None:
        usual = [*configured, *remembered] or places.several(memory.root, ["."])
        everything = places.outermost([*usual, *places.several(memory.root, [places.NOTES])])
        return [root.name for root in (remembered if configured else usual)], everything
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
