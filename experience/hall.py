"""The hall: opens the stores, reads the clock, and hands each verb to the desk that knows how.

It has the verbs of a conversation and of finding alone, so that a cold start enters no other room; `Memory` adds the
rest.
"""

from __future__ import annotations

import os

from experience.clock import system_clock
from experience.desks.stores import Stores
from experience.desks.wiring import Desks
from experience.search.finder import Finder
from experience.settings import Settings, home_directory
from experience.verbs.conversations import ConversationVerbs
from experience.verbs.experiences import ExperienceVerbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from experience.clock import Clock


class Hall(ExperienceVerbs, ConversationVerbs):
    """One project's memory for those who ask one thing and leave. A context manager."""

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
            self.store, self.shelf.experiences, self.shelf.index("experiences"), self.shelf.events,
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
