"""The only room that knows a database driver: a libSQL file, or a libSQL server by URL."""

from __future__ import annotations

from experience.db.file import FileStore
from experience.db.migrate import migrate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.db.port import Row as Row
    from experience.db.port import Statement as Statement
    from experience.db.port import Store as Store
    from experience.db.port import Value as Value

__all__ = ["FileStore", "open_store"]


def open_store(target: str, *, token: str | None = None, timeout_s: float = 10.0) -> Store:
    """Open the database at a path or a URL and bring its schema up to date."""
    store: Store = _server(target, token, timeout_s) if "://" in target else FileStore(target, timeout_s=timeout_s)
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def _server(url: str, token: str | None, timeout_s: float) -> Store:
    from experience.db.server import ServerStore  # the client costs a start-up that files need not pay

    return ServerStore(url, token, timeout_s=timeout_s)
