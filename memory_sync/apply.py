"""One file into the store: its row, its chunks and its event, together or not at all."""

from __future__ import annotations

import os
from hashlib import sha256

from experience import analyzer
from experience.desks.reanalysis import ANALYZER
from experience.values import Value
from memory_sync.chunk import pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import TypeAlias

    from experience.db import Value as Column
    from experience.memory import Memory
    from memory_sync.chunk import Piece
    from memory_sync.read import Read
    from memory_sync.records import Records
    from memory_sync.roots import Place
    from memory_sync.words import Words

    Rows: TypeAlias = list[tuple[Column, ...]]

ACTOR = "sync"


class Applied(Value):
    """What became of one file."""

    kind: str  # added, changed, unchanged, removed, skipped
    indexed: int = 0
    kept: int = 0


class Applier:
    """Puts files into the store of one project, one by one."""

    def __init__(self, memory: Memory, records: Records, words: Words, now: datetime) -> None:
        self._memory, self._records, self._words, self._now = memory, records, words, now
        self._tokens, self._overlap = memory.settings["chunk_tokens"], memory.settings["chunk_overlap"]
        self.recipe = recipe(self._tokens, self._overlap)

    def put(self, place: Place, found: Read) -> Applied:
        """Take in a file as it was read."""
        was = self._records.file(place)
        if was is not None and was[1:] == (found.hash, self.recipe):
            self._records.touch_file(was[0], found)
            return Applied(kind="skipped" if found.skipped else "unchanged")
        text, secrets = self._words.clean(found.text)  # before the transaction: nobody waits for it
        new = list(pieces(text.split("\n"), tokens=self._tokens, overlap=self._overlap))
        with self._memory.store.transaction():
            key = self._records.put_file(place, found, self.recipe, self._now)
            anew = was is not None and was[2].split(":")[0] != ANALYZER
            indexed, kept = self._chunks(place, key, new, anew=anew)
            told = {"secrets": secrets} if secrets else {}
            self._memory.events.append(
                "file.synced" if found.skipped is None else "file.skipped", named(place), self._now, actor=ACTOR,
                hash=found.hash, chunks=len(new), indexed=indexed, **told,
            )  # fmt: skip
        kind = "skipped" if found.skipped else "changed" if was is not None else "added"
        return Applied(kind=kind, indexed=indexed, kept=kept)

    def remove(self, place: Place) -> Applied:
        """Forget a file that is gone."""
        with self._memory.store.transaction():
            chunks = self._records.delete_file(place)
            if chunks is None:
                return Applied(kind="unchanged")  # another process was faster
            self._memory.events.append("file.removed", named(place), self._now, actor=ACTOR, chunks=chunks)
        return Applied(kind="removed")

    def _chunks(self, place: Place, file: int, new: Sequence[Piece], *, anew: bool) -> tuple[int, int]:
        """Index what is new, move what is kept, take out the rest; returns how many are new and kept."""
        old: dict[str, list[tuple[Column, ...]]] = {}
        for row in reversed(self._records.chunks_of(file)):
            old.setdefault(str(row[1]), []).append(row)
        gone = [row for rows in old.values() for row in rows] if anew else []
        seen: dict[str, int] = {}
        inserted: Rows = []
        moved: Rows = []
        name = _name_terms(place[1])
        for first, last, text, heading in new:
            hash = sha256(text.encode()).hexdigest()
            if not anew and old.get(hash):
                key, _, *was = old[hash].pop()
                if was != [first, last, heading]:
                    moved.append((first, last, heading, _heading_terms(heading), key))
            else:
                spoken = self._words.terms(text)
                id = _id(self._memory.project, *place, hash, str(seen.get(hash, 0)))
                inserted.append(
                    (id, self._memory.project, file, *place, first, last, heading, text, hash, spoken, name,
                     _heading_terms(heading), _count(spoken) + _count(name))
                )  # fmt: skip
            seen[hash] = seen.get(hash, 0) + 1
        gone = gone or [row for rows in old.values() for row in rows]
        if gone:
            self._records.delete([int(str(row[0])) for row in gone])
        if moved:
            self._records.move(moved)
        if inserted:
            self._records.insert(inserted)
        return len(inserted), len(new) - len(inserted)


def recipe(tokens: int, overlap: int) -> str:
    """How files are cut and analysed now."""
    return f"{ANALYZER}:{tokens}/{overlap}"


def named(place: Place) -> str:
    """A file as the project sees it."""
    return "/".join(filter(None, place))


def _id(*parts: str) -> str:
    """The same chunk of the same file has the same id, even in a store made anew."""
    return f"chunk_{sha256(chr(0).join(parts).encode()).hexdigest()[:20]}"


def _name_terms(path: str) -> str:
    """The words of a file's name."""
    return " ".join(analyzer.terms(os.path.splitext(os.path.basename(path))[0]))


def _heading_terms(heading: str) -> str:
    return " ".join(analyzer.terms(heading)) if heading else ""


def _count(terms: str) -> int:
    return terms.count(" ") + 1 if terms else 0
