"""Backup: a copy of a store's file beside it, made while others go on using it; the oldest ones leave."""

from __future__ import annotations

import os
import re
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from experience.db import FileStore
from experience.desks.stores import DIRECTORY
from experience.errors import StoreUnavailable
from experience.layers import soundness
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from experience.desks.shelf import Shelf
    from experience.memory import Memory
    from jobs.night import Night

NAME = "backup"
ALONE = True  # copying takes a while: no transaction may be open meanwhile, or every writer would wait for it
RECENT = timedelta(hours=12)  # a copy this young is not made again
UNDER_WAY = "copying.db"  # always the same name: what a killed copy left is found and removed
_STAMP = "%Y%m%d-%H%M%S"


def idle(night: Night) -> str | None:
    """Why there is nothing to do tonight, if there is not."""
    if not isinstance(night.shelf.store, FileStore):
        return f"{night.shelf.store.where} is a server; whoever runs it keeps its backups"
    made = [at for at, _ in copies(*_place(night)) if timedelta(0) <= night.now - at < RECENT]
    return f"the last backup was made at {made[-1]:%Y-%m-%d %H:%M} UTC" if made else None


def plan(night: Night) -> list[Change]:
    """One copy, and the copies that are one too many then."""
    if idle(night):
        return []
    directory, name = _place(night)
    fresh = os.path.join(directory, f"{name}-{night.now.astimezone(UTC):{_STAMP}}.db")
    kept = night.setting("night_keep_backups")
    old = [path for _, path in copies(directory, name) if path != fresh]
    return [_change("copied", fresh)] + [_change("removed", path) for path in old[: max(0, len(old) + 1 - kept)]]


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Copy first; only then does an older copy leave."""
    store = night.shelf.store
    assert isinstance(store, FileStore)  # noqa: S101  # nothing else is planned for
    for change in changes:
        if change.action == "copied":
            copy(store, change.subject)
            night.tell("job.backed_up", os.path.basename(change.subject), bytes=os.path.getsize(change.subject))
        else:
            with suppress(FileNotFoundError):
                os.remove(change.subject)
    return list(changes)


def copies(directory: str, name: str) -> list[tuple[datetime, str]]:
    """The backups of one store with the time each was made, the oldest first."""
    with suppress(FileNotFoundError, NotADirectoryError):
        shape = re.compile(rf"{re.escape(name)}-(\d{{8}}-\d{{6}})\.db")
        stamps = {file: match[1] for file in os.listdir(directory) if (match := shape.fullmatch(file))}
        made = [(_moment(stamp), os.path.join(directory, file)) for file, stamp in stamps.items()]
        return sorted((at, path) for at, path in made if at)
    return []


def copy(store: FileStore, path: str) -> None:
    """A whole, sound, durable copy under this name, or nothing."""
    fresh = os.path.join(os.path.dirname(path), UNDER_WAY)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        clear(fresh)  # whoever copied last may have been killed
        _elsewhere(lambda: store.backup(fresh))
        check(fresh)
        _settle(fresh)
        os.replace(fresh, path)
        _settle(os.path.dirname(path))
    except OSError as error:
        raise StoreUnavailable(
            f"the backup {path} could not be written ({error.strerror}); check the directory and the space on the disk"
        ) from error
    finally:
        clear(fresh)


def clear(path: str) -> None:
    """Remove a database and what SQLite keeps beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        with suppress(OSError):
            os.remove(path + end)


def check(path: str) -> None:
    """Refuse a copy whose pages are not sound."""
    with closing(FileStore(path)) as opened:
        flaw = soundness.damage(opened)
    if flaw:
        raise StoreUnavailable(f"{path} is damaged ({flaw}); it was not used")


def directory_of(memory: Memory, shelf: Shelf) -> str:
    """Where the backups of a shelf are."""
    return os.path.join(memory.home if shelf.reach == "user" else os.path.join(memory.root, DIRECTORY), "backups")


def _place(night: Night) -> tuple[str, str]:
    name = os.path.splitext(os.path.basename(night.shelf.store.where))[0]
    return directory_of(night.memory, night.shelf), name


def _elsewhere(work: Callable[[], None]) -> None:
    """Do it on a thread, and with that on a connection, of its own: a copy is made of what is committed."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # carried over to the thread that waits, which raises it
            failed.append(error)

    thread = threading.Thread(target=run, name="experience-backup")
    thread.start()
    try:
        thread.join()
    finally:  # also after Ctrl-C: nobody clears away a file that is being written
        thread.join()
    if failed:
        raise failed[0]


def _settle(path: str) -> None:
    """Wait until a file or a directory is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _moment(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _change(action: str, path: str) -> Change:
    return Change(step=NAME, action=action, kind="backup", subject=path, was={}, became={})
