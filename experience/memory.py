"""The memory of one project, with every verb there is."""

from __future__ import annotations

from experience.hall import Hall
from experience.verbs.exchange import ExchangeVerbs
from experience.verbs.figures import FigureVerbs
from experience.verbs.nights import NightVerbs
from experience.verbs.notes import NoteVerbs
from experience.verbs.runs import RunVerbs
from experience.verbs.statements import StatementVerbs
from experience.verbs.upkeep import UpkeepVerbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.layers.events import Events
    from experience.layers.experiences import Experiences
    from experience.verbs.vectors import Vectors


class Memory(Hall, StatementVerbs, RunVerbs, NightVerbs, NoteVerbs, ExchangeVerbs, FigureVerbs, UpkeepVerbs):
    """What one project's agents have learned. A context manager; safe to share between threads."""

    @property
    def vectors(self) -> Vectors:
        """Any text by what it means, and both arms of the search over everything."""
        from experience.verbs.vectors import Vectors  # few ask for it

        return Vectors(self._desks.vectors)

    @property
    def events(self) -> Events:
        """The log of everything that happened in this project."""
        return self.shelf.events

    @property
    def experiences(self) -> Experiences:
        """The experiences as rows."""
        return self.shelf.experiences
