"""One store as one project sees it, with every layer on it; and what a desk has at hand."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from experience.clock import Clock
    from experience.db import Store
    from experience.layers.episodes import Episodes
    from experience.layers.episodic import Episodic
    from experience.layers.events import Events
    from experience.layers.experiences import Experiences
    from experience.layers.injections import Injections
    from experience.layers.keyword import KeywordIndex
    from experience.layers.leases import Leases
    from experience.layers.links import Links
    from experience.layers.memories import Memories
    from experience.layers.nights import Nights
    from experience.layers.outcomes import Outcomes
    from experience.layers.procedures import Procedures
    from experience.layers.reviews import Reviews
    from experience.layers.runs import Runs
    from experience.layers.vectors import Vectors
    from experience.settings import Settings


_ROOMS = {"turns": "episodic", "passages": "vectors"}  # tables that do not go by the name of their layer


class Shelf:
    """The layers of one store for one project, each fetched when it is first asked for."""

    if TYPE_CHECKING:
        events: Events
        experiences: Experiences
        memories: Memories
        episodes: Episodes
        procedures: Procedures
        episodic: Episodic
        injections: Injections
        leases: Leases
        links: Links
        nights: Nights
        reviews: Reviews
        runs: Runs
        outcomes: Outcomes
        vectors: Vectors

    def __init__(self, store: Store, project: str, reach: str) -> None:
        self.store, self.project, self.reach = store, project, reach
        self._indexes: dict[str, KeywordIndex] = {}

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        module = import_module(f"experience.layers.{name}")  # a cold start pays only for the layers it uses
        layer: object = getattr(module, name.capitalize())(self.store, self.project)
        self.__dict__[name] = layer
        return layer

    def index(self, table: str) -> KeywordIndex:
        """The keyword index beside a table."""
        from experience.layers.keyword import KeywordIndex

        found = self._indexes.get(table)
        if found is None:
            columns = import_module(f"experience.layers.{_ROOMS.get(table, table)}").CANDIDATE
            found = self._indexes[table] = KeywordIndex(self.store, self.project, table, columns)
        return found


class Desk:
    """What every desk has at hand: the project's shelf, the user's where there is one, the settings and the clock."""

    def __init__(
        self, project: Shelf, user: Callable[[bool], Shelf | None], settings: Settings, clock: Clock, actor: str
    ) -> None:
        self.project, self._user, self.settings, self._clock, self.actor = project, user, settings, clock, actor

    def now(self) -> datetime:
        """The time of the operation: read once, handed down."""
        return self._clock()

    def shelf(self, reach: str) -> Shelf:
        """The shelf that holds what reaches so far; the user's is made when it is first written to."""
        if reach == "project":
            return self.project
        made = self._user(True)
        assert made is not None  # noqa: S101  # asked to make it
        return made

    def shelves(self) -> list[Shelf]:
        """The project's shelf, and the user's where there is one."""
        own = self._user(False)
        return [self.project, own] if own is not None else [self.project]
