"""The desk of notes: what is written is checked, free of secrets, told to the log, and overwrites nobody's edit."""

from __future__ import annotations

from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.layers.notes import Notes, checked, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from experience.layers.notes import Note

PLACE = ".experience/notes"
MOST = 10_000_000  # characters
EVENT = "file.note"


class Notebook(Desk):
    """Append, read, write and list the notes of a project."""

    def __init__(self, *given: Any, root: str) -> None:
        super().__init__(*given)
        self._notes = Notes(root, PLACE)
        self._seen: dict[str, str] = {}  # the version of each note that this hall read or wrote last

    def append(self, name: str, text: str) -> Note:
        """Add to the end of a note, on a line of its own; makes the note where there is none."""
        intake, name = Intake(), checked(name)
        added = intake.text("text", text, most=MOST)
        with self.project.store.transaction():  # of two who append at once, one waits
            old = self._notes.find(name) or ""
            gap = "\n" if old and not old.endswith("\n") else ""
            return self._written(name, f"{old}{gap}{added}", intake, None)

    def read(self, name: str) -> str:
        """The whole text of a note."""
        name = checked(name)
        text = self._notes.read(name)
        self._seen[name] = digest(text)
        return text

    def write(self, name: str, text: str, *, expect: str | None = None) -> Note:
        """Replace a note. An edit made since it was last read, or other than *expect* (a hash), is kept beside it."""
        intake, name = Intake(), checked(name)
        fresh = intake.text("text", text, most=MOST)
        with self.project.store.transaction():
            old = self._notes.find(name)
            conflict = None
            if old is not None and old != fresh and digest(old) != (expect or self._known(name)):
                conflict = self._notes.keep_beside(name, old, self.now())
            return self._written(name, fresh, intake, conflict)

    def list(self) -> Sequence[Note]:
        """Every note by its name."""
        return self._notes.list()

    def _known(self, name: str) -> str | None:
        """The version that this hall read last, else the one that any hall wrote last."""
        if name in self._seen:
            return self._seen[name]
        told = self.project.events.list(type=EVENT, subject=self._notes.path(name), newest_first=True, limit=1)
        return str(told[0].data["hash"]) if told else None

    def _written(self, name: str, text: str, intake: Intake, conflict: str | None) -> Note:
        note = self._notes.write(name, text)
        beside = {"conflict": conflict} if conflict else {}
        self.project.events.append(
            EVENT, note.path, self.now(), actor=self.actor, hash=note.hash, bytes=note.size, **beside, **intake.told()
        )
        self._seen[name] = note.hash
        return note.replace(conflict=conflict)
