"""Where a project's store and the user's own store are, and how each is opened."""

from __future__ import annotations

import os

from experience import checks
from experience.db import open_store
from experience.desks.reanalysis import caught_up
from experience.desks.shelf import Shelf
from experience.errors import StoreUnavailable
from experience.layers import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.settings import Settings

DIRECTORY = ".experience"
_IGNORE = "# the database stays on this machine; notes and settings are yours to version\n*.db\n*.db-*\n"


class Stores:
    """The two stores of one hall. The user's is opened when it is first needed, and made when first written to."""

    def __init__(self, root: str, home: str, settings: Settings, url: str | None) -> None:
        self._home, self._settings = home, settings
        self._own: Shelf | None = None
        timeout_s = settings["timeout_s"]
        if url:
            store = open_store(checks.server("url", url), token=os.environ.get("EXPERIENCE_TOKEN"), timeout_s=timeout_s)
        else:
            store = open_store(_prepared(root), timeout_s=timeout_s)
        proposed = settings["project"] or os.path.basename(root) or "root"
        # a file remembers its project's name, wherever its directory moves; on a server the settings tell
        name = proposed if "://" in store.where else facts.settled(store, "project", proposed)
        self.project = caught_up(Shelf(store, name, "project"))

    def user(self, make: bool) -> Shelf | None:
        """The user's shelf; it stays on this machine whatever the project's URL says."""
        if self._own is None:
            path = os.path.join(self._home, "user.db")
            if not (make or os.path.exists(path)):
                return None
            store = open_store(_made(self._home, "user.db"), timeout_s=self._settings["timeout_s"])
            self._own = caught_up(Shelf(store, "user", "user"))
        return self._own

    def close(self) -> None:
        """Release every connection."""
        self.project.store.close()
        if self._own is not None:
            self._own.store.close()


def _prepared(root: str) -> str:
    """The path of a project's database, its directory made."""
    path = _made(os.path.join(root, DIRECTORY), "project.db")
    ignore = os.path.join(root, DIRECTORY, ".gitignore")
    if not os.path.exists(ignore):
        try:
            with open(ignore, "w", encoding="utf-8") as file:
                file.write(_IGNORE)
        except OSError as error:
            raise StoreUnavailable(f"{ignore} cannot be written ({error.strerror}); check its permissions") from error
    return path


def _made(directory: str, name: str) -> str:
    """The path of a file in a directory that is made where it is missing."""
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"{directory} cannot be made ({error.strerror}); check its permissions") from error
    return os.path.join(directory, name)
