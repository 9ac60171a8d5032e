"""What every verb has at hand: the stores, the desks, the clock."""

from __future__ import annotations

import os

from experience.desks.intake import Intake
from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.clock import Clock
    from experience.db import Store
    from experience.desks.shelf import Shelf
    from experience.desks.stores import Stores
    from experience.desks.wiring import Desks
    from experience.search.finder import Finder
    from experience.settings import Settings


class Verbs:
    """The parts of a hall that its verbs use."""

    if TYPE_CHECKING:
        root: str
        home: str
        project: str
        settings: Settings
        store: Store
        shelf: Shelf
        _actor: str
        _clock: Clock
        _desks: Desks
        _finder: Finder
        _stores: Stores

    def _relative(self, path: str | os.PathLike[str]) -> str:
        """A path as scopes name it: relative to the project, with forward slashes."""
        if not isinstance(path, str | os.PathLike):
            raise InvalidInput(f"path must be a path such as 'src/app.py', not {path!r:.100}")
        given = Intake().text("path", os.fspath(path), most=4096).replace("\\", "/")  # its secrets stay outside
        whole = given if os.path.isabs(given) else os.path.join(self.root, given)
        return os.path.relpath(os.path.normpath(whole), self.root).replace(os.sep, "/")
