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
    version, ours, used = _state(store)
    if used and not (ours and version):
        raise StoreUnavailable(f"{store.where} belongs to another program; it was left as it is; name another file")
    if version > newest:
        raise StoreUnavailable(
            f"{store.where} has schema {version}, this version of experience knows {newest}; "
            "it was left as it is; upgrade experience-memory to open it"
        )
    return version < newest


def _apply(store: Store, files: list[str], newest: int) -> None:
    if not _pending(store, newest):
        return
    version = _state(store)[0]
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


def _state(store: Store) -> tuple[int, bool, bool]:
    """The number of the schema, whether the database is one of ours, and whether it holds anything at all."""
    rows = store.query(
        """
        select user_version, exists (select 1 from sqlite_master where name = 'facts_about_store'),
            exists (select 1 from sqlite_master where name not like 'sqlite_%')
        from pragma_user_version
        """
    )
    version, ours, used = rows[0]
    return int(str(version)), bool(ours), bool(used)
