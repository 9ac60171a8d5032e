"""The hall: opens the stores, reads the clock, and hands each verb to the desk that knows how."""

from __future__ import annotations

import os

from experience.clock import system_clock
from experience.desks.stores import Stores
from experience.desks.wiring import Desks
from experience.search.finder import Finder
from experience.settings import Settings, home_directory
from experience.verbs.conversations import ConversationVerbs
from experience.verbs.exchange import ExchangeVerbs
from experience.verbs.experiences import ExperienceVerbs
from experience.verbs.figures import FigureVerbs
from experience.verbs.nights import NightVerbs
from experience.verbs.notes import NoteVerbs
from experience.verbs.runs import RunVerbs
from experience.verbs.statements import StatementVerbs
from experience.verbs.upkeep import UpkeepVerbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from experience.clock import Clock
    from experience.layers.events import Events
    from experience.layers.experiences import Experiences
    from experience.verbs.vectors import Vectors


class Memory(
    ExperienceVerbs, StatementVerbs, ConversationVerbs, RunVerbs, NightVerbs, NoteVerbs, ExchangeVerbs, FigureVerbs,
    UpkeepVerbs,
):  # fmt: skip
    """What one project's agents have learned. A context manager; safe to share between threads."""

    def __init__(
        self,
        project: str | os.PathLike[str] = ".",
        url: str | None = None,
        home: str | os.PathLike[str] | None = None,
        clock: Clock | None = None,
        *,
        actor: str = "agent",
        vectors: bool = True,
    ) -> None:
        self.root = os.path.abspath(os.fspath(project))
        self.home = home_directory(home)
        # a hook or a cold start searches by keywords: a model takes longer to load than either may take
        only_words = None if vectors else {**os.environ, "EXPERIENCE_EMBEDDER": "none"}
        self.settings = Settings(self.home, self.root, only_words)
        self._clock, self._actor = clock or system_clock, actor
        self._stores = Stores(self.root, self.home, self.settings, url or self.settings["url"])
        self.shelf = self._stores.project
        self.store, self.project = self.shelf.store, self.shelf.project
        self._desks = Desks(self._stores, self.settings, self._clock, actor)
        self._finder = Finder(
            self.store, self.shelf.experiences, self.shelf.index("experiences"), self.events,
            self.settings["half_life_days"],
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the store. Closing twice is harmless."""
        self._desks.close()
        self._finder.close()
        self._stores.close()

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
