"""Numbered SQL files, applied in order, forward only, all or nothing, on a file and on a server alike."""

from __future__ import annotations

import os

from experience.errors import StoreUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.db.port import Store

SCHEMA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "schema")


def migrate(store: Store) -> None:
    """Bring the schema up to date; a store of the newest schema costs one question."""
    files = sorted(name for name in os.listdir(SCHEMA) if name.endswith(".sql"))
    newest = int(files[-1][:4])
    if _pending(store, newest):
        with store.transaction():  # another process may have migrated while this one waited
            _apply(store, files, newest)


def _pending(store: Store, newest: int) -> bool:
    """Whether anything is left to apply; a database that is not ours to change is refused."""
    version = _version(store)
    if version > newest:
        raise StoreUnavailable(
            f"{store.where} has schema {version}, this version of experience knows {newest}; "
            "it was left as it is; upgrade experience-memory to open it"
        )
    if version == 0 and store.query("select 1 from sqlite_master where name not like 'sqlite_%' limit 1"):
        raise StoreUnavailable(f"{store.where} belongs to another program; it was left as it is; name another file")
    return version < newest


def _apply(store: Store, files: list[str], newest: int) -> None:
    if not _pending(store, newest):
        return
    version = _version(store)
    for name in files:
        if int(name[:4]) > version:
            for statement in statements(os.path.join(SCHEMA, name)):
                store.execute(statement)
    store.execute(f"pragma user_version = {newest}")


def statements(path: str) -> list[str]:
    """The statements of one SQL file; the semicolons inside a trigger do not end it."""
    from sqlite3 import complete_statement

    found, pending = [], ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            pending += line
            if complete_statement(pending):
                found.append(pending.strip())
                pending = ""
    return found


def _version(store: Store) -> int:
    return int(str(store.query("pragma user_version")[0][0]))
