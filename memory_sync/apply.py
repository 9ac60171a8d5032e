"""Files into the store: of each its row, its chunks and its event, together or not at all.

Some files share a transaction: alone, each would make FTS5 write and merge a piece of its index.
"""

from __future__ import annotations

from hashlib import sha256

from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.db import Row
    from experience.db import Value as Column
    from experience.memory import Memory
    from experience.models import Json
    from memory_sync.prepare import Cut, Prepared, Recipe
    from memory_sync.records import Records
    from memory_sync.roots import Place

    Rows: TypeAlias = list[tuple[Column, ...]]
    Facts: TypeAlias = list[tuple[str, Mapping[str, Json]]]

ACTOR = "sync"
TOGETHER, CHARACTERS = 256, 3_000_000  # files and characters in one transaction, at most


class Applied(Value):
    """What became of some files."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    indexed: int = 0
    kept: int = 0


class Applier:
    """Puts files into the store of one project."""

    def __init__(self, memory: Memory, records: Records, recipe: Recipe, now: datetime) -> None:
        self._memory, self._records, self._recipe, self._now = memory, records, recipe, now

    def put(self, files: Sequence[Prepared]) -> Applied:
        """Take in these files, all or none."""
        same = [file for file in files if file.found is not None and file.cuts is None]
        fresh = [file for file in files if file.cuts is not None]
        with self._memory.store.transaction():
            self._records.touch((file.place, file.found) for file in same if file.found is not None)
            removed = self._removed([file.place for file in files if file.found is None])
            known = self._records.files([file.place for file in fresh])
            self._records.put(
                ((file.place, file.found) for file in fresh if file.found is not None), self._recipe.name, self._now
            )
            indexed, kept = self._index(fresh, known)
        skipped = sum(file.found.skipped is not None for file in files if file.found is not None)
        changed = sum(file.place in known and _readable(file) for file in fresh)
        return Applied(
            added=sum(map(_readable, fresh)) - changed, changed=changed, removed=removed,
            unchanged=len(same) - skipped + sum(not _readable(file) for file in fresh), indexed=indexed, kept=kept,
        )  # fmt: skip

    def remove(self, places: Sequence[Place]) -> Applied:
        """Forget files that are gone, all or none."""
        with self._memory.store.transaction():
            return Applied(removed=self._removed(places))

    def _removed(self, places: Sequence[Place]) -> int:
        gone = self._records.files(places)
        if gone:
            chunks = self._records.chunks_of([row[0] for row in gone.values()])
            self._records.delete([int(str(chunk[1])) for chunk in chunks])
            self._records.delete_files([row[0] for row in gone.values()])
            self._tell("file.removed", [(named(place), {}) for place in gone])
        return len(gone)

    def _index(self, files: Sequence[Prepared], known: Mapping[Place, tuple[int, str, str]]) -> tuple[int, int]:
        """Index what is new, move what is kept, take out the rest; returns how many are new and kept."""
        if not files:
            return 0, 0
        keys = {place: row[0] for place, row in self._records.files([file.place for file in files]).items()}
        old: dict[int, Rows] = {}
        for row in self._records.chunks_of([was[0] for was in known.values()]):
            old.setdefault(int(str(row[0])), []).append(row[1:])
        changes = Changes(self._memory.project)
        synced: Facts = []
        for file in files:
            key, was = keys[file.place], known.get(file.place)
            anew = was is not None and was[2].partition(":")[0] != self._recipe.analyzer
            indexed = changes.of(file, key, old.get(key, ()), anew=anew)
            synced.append((named(file.place), _told(file, indexed)))
        self._records.delete(changes.gone)
        self._records.move(changes.moved)
        self._records.insert(changes.inserted)
        self._tell("file.synced", synced)
        return len(changes.inserted), sum(len(file.cuts or ()) for file in files) - len(changes.inserted)

    def _tell(self, type: str, facts: Facts) -> None:
        self._memory.events.append_many(type, facts, self._now, actor=ACTOR)


class Changes:
    """What some files change about the chunks of the store."""

    def __init__(self, project: str) -> None:
        self._project = project
        self.inserted: Rows = []
        self.moved: Rows = []
        self.gone: list[int] = []

    def of(self, file: Prepared, key: int, old: Iterable[Row], *, anew: bool) -> int:
        """Add one file; a chunk whose text is as it was keeps its row. Returns how many are new."""
        self._file = (key, *file.place), _own(self._project, *file.place), _count(file.name_terms)
        before: dict[str, list[Row]] = {}
        for row in old:
            before.setdefault("" if anew else str(row[1]), []).append(row)
        seen: dict[str, int] = {}
        had = len(self.inserted)
        for cut in file.cuts or ():
            hash = cut[4]
            number = seen[hash] = seen.get(hash, -1) + 1
            same = before.get(hash, ())
            if number < len(same):
                self._keep(same[number], cut)
            else:
                self.inserted.append(self._row(file.name_terms, cut, number))
        self.gone += [int(str(row[0])) for hash, rows in before.items() for row in rows[seen.get(hash, -1) + 1 :]]
        return len(self.inserted) - had

    def _keep(self, row: Row, cut: Cut) -> None:
        if tuple(row[2:5]) != cut[:3]:
            self.moved.append((*cut[:3], cut[6], row[0]))

    def _row(self, name_terms: str, cut: Cut, number: int) -> tuple[Column, ...]:
        first, last, heading, text, hash, terms, heading_terms = cut
        place, own, named = self._file
        # the same chunk of the same file has the same id, even in a store made anew
        id = f"chunk_{own}{hash[:12]}{number or ''}"
        return (id, self._project, *place, first, last, heading, text, hash, terms, name_terms, heading_terms,
                _count(terms) + named)  # fmt: skip


def named(place: Place) -> str:
    """A file as the project sees it."""
    return "/".join(filter(None, place))


def _readable(file: Prepared) -> bool:
    return file.found is not None and file.found.skipped is None


def _told(file: Prepared, indexed: int) -> dict[str, Json]:
    """What the event says; never the words themselves."""
    assert file.found is not None  # noqa: S101  # only files that were read are indexed
    told: dict[str, Json] = {"hash": file.found.hash, "chunks": len(file.cuts or ()), "indexed": indexed}
    if file.found.skipped is not None:
        told["skipped"] = file.found.skipped
    if file.secrets:
        told["secrets"] = file.secrets
    return told


def _own(*place: str) -> str:
    """What the ids of a file's chunks begin with."""
    return sha256(chr(0).join(place).encode()).hexdigest()[:12]


def _count(terms: str) -> int:
    return terms.count(" ") + 1 if terms else 0
