"""Notes: Markdown files that people and agents both edit. The file is the truth; no table holds any of it.

Whoever edits a note by hand need not tell us. So a note is only replaced where it is known what is being replaced: what
somebody else wrote meanwhile is kept beside it.
"""

from __future__ import annotations

import os
from hashlib import sha256

from experience.errors import InvalidInput, NotFound, StoreUnavailable
from experience.files import write_atomically
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

SUFFIX = ".md"
MOST = 120  # characters of a name
_FORBIDDEN = frozenset('/\\:*?"<>|')


class Note(Value):
    """One note as it is on disk."""

    name: str
    path: str  # relative to the project
    size: int
    hash: str
    conflict: str | None = None  # where the edit of somebody else is kept that this write met


class Notes:
    """The notes of one project; *root* is its directory, *place* theirs inside it."""

    def __init__(self, root: str, place: str) -> None:
        self._root, self._place = root, place
        self._directory = os.path.join(root, *place.split("/"))

    def path(self, name: str) -> str:
        """A note's path, relative to the project."""
        return f"{self._place}/{name}{SUFFIX}"

    def read(self, name: str) -> str:
        """The text of a note, byte for byte."""
        found = self.find(name)
        if found is None:
            raise NotFound("note", name)
        return found

    def find(self, name: str) -> str | None:
        """The text of a note, if there is one."""
        found = self._bytes(name)
        try:
            return None if found is None else found.decode()
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self.path(name)} is not UTF-8; save it as UTF-8 text") from error

    def write(self, name: str, text: str) -> Note:
        """Replace a note: whoever reads it sees all of the old or all of the new."""
        write_atomically(self._where(name), text)
        return self._note(name, text.encode())

    def keep_beside(self, name: str, text: str, at: datetime) -> str:
        """Write what stood in a note into a file of its own beside it; returns its path."""
        stem = f"{name}.conflict-{at:%Y%m%dT%H%M%S}"
        copy, number = stem, 1
        while os.path.exists(self._where(copy)):
            number += 1
            copy = f"{stem}-{number}"
        write_atomically(self._where(copy), text)
        return self.path(copy)

    def list(self) -> Sequence[Note]:
        """Every note by its name."""
        try:
            with os.scandir(self._directory) as entries:
                names = sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
        except FileNotFoundError:
            return []
        stems = [name[: -len(SUFFIX)] for name in names if name.endswith(SUFFIX) and not name.startswith(".")]
        return [self._note(stem, found) for stem in stems if (found := self._bytes(stem)) is not None]

    def _note(self, name: str, found: bytes) -> Note:
        return Note(name=name, path=self.path(name), size=len(found), hash=sha256(found).hexdigest())

    def _bytes(self, name: str) -> bytes | None:
        where = self._where(name)
        try:
            with open(where, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailable(f"{where} cannot be read ({error.strerror}); check its permissions") from error

    def _where(self, name: str) -> str:
        where = os.path.join(self._directory, f"{name}{SUFFIX}")
        if os.path.islink(where) and os.path.dirname(os.path.realpath(where)) != os.path.realpath(self._directory):
            raise InvalidInput(f"the note {name!r} is a link that leads out of {self._place}; replace it by a file")
        return where


def checked(value: object) -> str:
    """The name of a note: one file in one directory, on every system."""
    if not isinstance(value, str):
        raise InvalidInput(f"name must be text, not {type(value).__name__}")
    name = value.removesuffix(SUFFIX)
    if not name or len(name) > MOST or len(name.encode("utf-8", "replace")) > 2 * MOST or not name.isprintable():
        raise InvalidInput(f"name {value!r} must be 1 to {MOST} printable characters, such as 'architecture-decisions'")
    if not _FORBIDDEN.isdisjoint(name) or name[0] in ". " or name[-1] in ". ":
        raise InvalidInput(f"name {value!r} is no plain file name; use letters, digits, - and _, no directories")
    return name


def digest(text: str) -> str:
    """What tells one version of a note from another."""
    return sha256(text.encode()).hexdigest()
