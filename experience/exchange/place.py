"""Where an export is put: streamed beside its place, safely on disk, then moved there; or nothing is there at all."""

from __future__ import annotations

import os

from experience.errors import StoreUnavailable
from experience.ids import new_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def put(path: str, lines: Iterable[str]) -> int:
    """Write lines into a file that only its owner may read; returns how many. Half of them are never left behind."""
    place = os.path.realpath(path)
    fresh = f"{place}.{new_id()}.tmp"
    try:
        try:
            written = _streamed(fresh, lines)
            os.replace(fresh, place)
        finally:
            if os.path.exists(fresh):
                os.remove(fresh)
    except OSError as error:
        raise StoreUnavailable(
            f"{path} cannot be written ({error.strerror}) and is as it was; check its permissions and the disk's space"
        ) from error
    return written


def _streamed(path: str, lines: Iterable[str]) -> int:
    written = 0
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        for line in lines:
            file.write(line.encode())
            written += 1
        file.flush()
        os.fsync(file.fileno())
    return written
