"""Restore: a backup takes the place of a store's file, with the file as it was kept beside it.

A store that can still be opened is overwritten from within, in one transaction: processes that have it open go on with
what was restored. One that cannot be opened any more is moved aside.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing, contextmanager, suppress
from datetime import UTC
from typing import TYPE_CHECKING

from experience.db import FileStore, open_store
from experience.errors import InvalidInput, NotFound, StoreUnavailable
from experience.layers import soundness
from experience.layers.events import Events
from experience.values import Value
from jobs.lease import Lease
from jobs.steps.backup import check, clear, copy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from experience.memory import Memory


class Restored(Value):
    """What was restored, and where the store as it was before is kept."""

    store: str
    backup: str
    before: str
    events: int  # the log that the store has now, checked from end to end


def restore(memory: Memory, path: str, *, user: bool = False) -> Restored:
    """Put a backup in the place of the project's store, or of the user's own."""
    shelf = memory.shelves()[-1] if user else memory.shelf
    if user and shelf.reach != "user":
        raise NotFound("store of the user's own", memory.home)
    store, now = shelf.store, memory.now()
    if not isinstance(store, FileStore):
        raise InvalidInput(f"{store.where} is a server; restore it with the tools of whoever runs it")
    with Lease(shelf, memory.now), _checked(path, store.where) as fresh:
        before = _beside(store.where, now)
        copy(store, before)
        with closing(open_store(fresh)) as opened:  # an older schema is brought up to date before it counts
            soundness.carry_over(store, opened)
            events = Events(opened, shelf.project)
            events.append("job.restored", os.path.basename(path), now, actor="restore", before=os.path.basename(before))
            events.append("experience.restored_all", "", now, actor="restore")  # live indexes are built anew
            found = events.verify()
        if not found.whole:
            raise StoreUnavailable(f"{path}: its log is broken at {found.seq} ({found.reason}); nothing was restored")
        _fill(fresh, store)
    memory.reindex()
    return Restored(store=store.where, backup=path, before=before, events=found.checked)


def replace(where: str, path: str, now: datetime) -> Restored:
    """Put a backup in the place of a file that cannot be opened any more; the file is moved aside."""
    before = _beside(where, now)
    with _checked(path, where) as fresh:
        with closing(open_store(fresh)) as opened:
            found = Events(opened, "").verify()
        for end in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.replace(where + end, before + end)
        os.replace(fresh, where)
    return Restored(store=where, backup=path, before=before, events=found.checked)


@contextmanager
def _checked(path: str, where: str) -> Iterator[str]:
    """A copy of the backup next to the store, sound and ours; it is gone afterwards."""
    if not os.path.isfile(path):
        raise InvalidInput(f"{path} is no file; look for one in {os.path.join(os.path.dirname(where), 'backups')}")
    fresh = f"{where}.restoring"
    try:
        clear(fresh)  # whoever restored last may have been killed
        shutil.copyfile(path, fresh)
        if os.path.exists(f"{path}-wal"):  # somebody has it open: the newest rows stand in its log
            shutil.copyfile(f"{path}-wal", f"{fresh}-wal")
        open_store(fresh).close()  # refuses what belongs to another program, or is newer than this one
        check(fresh)
        yield fresh
    except OSError as error:
        raise StoreUnavailable(f"{path} could not be copied ({error.strerror}); nothing was restored") from error
    finally:
        clear(fresh)


def _fill(fresh: str, store: FileStore) -> None:
    """Overwrite the store from a file, in one transaction of SQLite's own."""
    with closing(FileStore(fresh)) as opened:
        opened.backup(store.where)


def _beside(where: str, now: datetime) -> str:
    stem, end = os.path.splitext(where)
    return f"{stem}.before-restore-{now.astimezone(UTC):%Y%m%d-%H%M%S}{end}"
