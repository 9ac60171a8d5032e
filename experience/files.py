"""Plain files that people and agents read: written beside their place, put safely on disk, then moved there."""

from __future__ import annotations

import os

from experience.errors import StoreUnavailable
from experience.ids import new_id


def write_atomically(path: str, text: str) -> None:
    """Replace a file's text; whoever reads it, even after a crash, sees all of the old or all of the new."""
    place = os.path.realpath(path)  # a link stays a link to the same file
    fresh = f"{place}.{new_id()}.tmp"
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        try:
            _written(fresh, text, like=place)
            os.replace(fresh, place)
        except OSError:
            _removed(fresh)
            raise
        _settled(os.path.dirname(place))
    except OSError as error:
        raise StoreUnavailable(
            f"{path} cannot be written ({error.strerror}) and is as it was; check its permissions and the disk's space"
        ) from error


def _written(path: str, text: str, *, like: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    if os.path.exists(like):
        os.chmod(path, os.stat(like).st_mode & 0o7777)


def _removed(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)


def _settled(directory: str) -> None:
    """See to it that the new name survives a power cut, too; not every system lets a directory be opened."""
    if os.name != "posix":
        return
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
