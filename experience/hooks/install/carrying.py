"""Planning and carrying out: every file is read and its new text made before the first one is written."""

from __future__ import annotations

import os
from functools import partial

from experience.errors import InvalidInput, StoreUnavailable
from experience.files import write_atomically
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from experience.hooks.install.edits import Edit

BACKUP = ".experience-backup"


class Change(Value):
    """One file: its text before and after; None stands for no file."""

    path: str
    before: str | None
    after: str | None

    @property
    def kind(self) -> str:
        """What happens to the file, in a word."""
        if self.before == self.after:
            return "unchanged"
        return "created" if self.before is None else "removed" if self.after is None else "changed"


def connecting(edits: Sequence[Edit]) -> list[Change]:
    """What an install would do."""
    found = []
    for edit in edits:
        before = read(edit.path)
        found.append(Change(path=edit.path, before=before, after=_told(edit, edit.write, before)))
    return found


def leaving(edits: Sequence[Edit]) -> list[Change]:
    """What an uninstall would do: where nothing but our entries came since, the very bytes from before."""
    found = []
    for edit in edits:
        before = read(edit.path)
        after = before if before is None else _told(edit, partial(_left, edit), before)
        found.append(Change(path=edit.path, before=before, after=after))
    return found


def carry_out(changes: Sequence[Change]) -> None:
    """Write every file that changes, each at once; one that was there before us is kept beside."""
    for one in changes:
        if one.after is not None and one.after != one.before:
            if one.before is not None and not os.path.exists(one.path + BACKUP):
                _write(one.path + BACKUP, one.before, like=one.path)
            write_atomically(one.path, one.after)


def clear_away(changes: Sequence[Change]) -> None:
    """Write what an uninstall leaves, remove the rest with its backups, and the directories that are empty now."""
    for one in changes:
        if one.after is None:
            _remove(one.path)
        elif one.after != one.before:
            write_atomically(one.path, one.after)
        if os.path.exists(one.path + BACKUP):
            _remove(one.path + BACKUP)


def read(path: str) -> str | None:
    """A file's text with its line ends as they are; None where there is no file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{path} is not UTF-8; it was left as it is; save it as UTF-8, then run this again"
        ) from error
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read ({error.strerror}); check its permissions") from error


def _left(edit: Edit, text: str) -> str | None:
    """A file's text without what is ours."""
    origin = read(edit.path + BACKUP)
    bare = edit.clean(text, origin)
    if bare == text:
        return text
    return origin if bare == edit.clean(edit.write(origin), origin) else bare


def _told(edit: Edit, work: Callable[[Any], str | None], text: str | None) -> str | None:
    """What an edit makes of a text; what it cannot edit is refused untouched."""
    try:
        return work(text)
    except InvalidInput as error:
        raise InvalidInput(
            f"{edit.path}: {error}; the file was left as it is; correct it, then run this again"
        ) from error


def _write(path: str, text: str, *, like: str) -> None:
    write_atomically(path, text)
    os.chmod(path, os.stat(like).st_mode & 0o7777)


def _remove(path: str) -> None:
    """Remove a file, and its directory where that held nothing else."""
    try:
        if os.path.exists(path):
            os.remove(path)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be removed ({error.strerror}); check its permissions") from error
    folder = os.path.dirname(path)
    for _ in range(2):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)
