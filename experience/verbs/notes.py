"""The notes of a project: Markdown that people and agents both edit."""

from __future__ import annotations

from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.desks.notes import Notebook


class NoteVerbs(Verbs):
    """Notes."""

    @property
    def notes(self) -> Notebook:
        """Append, read, write and list Markdown notes in `.experience/notes`."""
        found: Notebook | None = self.__dict__.get("_notebook")
        if found is None:
            from experience.desks.notes import Notebook  # most halls open no note

            stores = self._stores
            found = Notebook(stores.project, stores.user, self.settings, self._clock, self._actor, root=self.root)
            self.__dict__["_notebook"] = found
        return found
