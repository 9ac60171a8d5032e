"""Every desk of one hall, each opened when it is first needed: a cold start pays only for what it asks."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.clock import Clock
    from experience.desks.audit import AuditDesk
    from experience.desks.contexts import ContextDesk
    from experience.desks.core_memory import CoreMemoryDesk
    from experience.desks.episodes import EpisodeDesk
    from experience.desks.experiences import ExperienceDesk
    from experience.desks.explaining import ExplainingDesk
    from experience.desks.memories import MemoryDesk
    from experience.desks.observing import ObservingDesk
    from experience.desks.outcomes import OutcomeDesk
    from experience.desks.pitfalls import PitfallDesk
    from experience.desks.proofs import ProofDesk
    from experience.desks.recalling import RecallDesk
    from experience.desks.reviewing import ReviewingDesk
    from experience.desks.runs import RunDesk
    from experience.desks.stores import Stores
    from experience.desks.vectors import VectorDesk
    from experience.settings import Settings

# name: module, class, and the other desks it works with
_DESKS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "audit": ("audit", "AuditDesk", ()),
    "contexts": ("contexts", "ContextDesk", ()),
    "core": ("core_memory", "CoreMemoryDesk", ("memories", "recalls")),
    "episodes": ("episodes", "EpisodeDesk", ()),
    "experiences": ("experiences", "ExperienceDesk", ()),
    "explaining": ("explaining", "ExplainingDesk", ()),
    "memories": ("memories", "MemoryDesk", ()),
    "observing": ("observing", "ObservingDesk", ("memories", "outcomes")),
    "outcomes": ("outcomes", "OutcomeDesk", ("memories",)),
    "pitfalls": ("pitfalls", "PitfallDesk", ()),
    "proofs": ("proofs", "ProofDesk", ("memories", "outcomes", "experiences", "runs")),
    "reviewing": ("reviewing", "ReviewingDesk", ("memories", "episodes")),
    "runs": ("runs", "RunDesk", ()),
    "recalls": ("recalling", "RecallDesk", ("vectors",)),
    "vectors": ("vectors", "VectorDesk", ()),
}


class Desks:
    """The desks by name."""

    if TYPE_CHECKING:
        audit: AuditDesk
        contexts: ContextDesk
        core: CoreMemoryDesk
        episodes: EpisodeDesk
        experiences: ExperienceDesk
        explaining: ExplainingDesk
        memories: MemoryDesk
        observing: ObservingDesk
        outcomes: OutcomeDesk
        pitfalls: PitfallDesk
        proofs: ProofDesk
        recalls: RecallDesk
        reviewing: ReviewingDesk
        runs: RunDesk
        vectors: VectorDesk

    def __init__(self, stores: Stores, settings: Settings, clock: Clock, actor: str) -> None:
        self._given = (stores.project, stores.user, settings, clock, actor)

    def __getattr__(self, name: str) -> Any:
        if name not in _DESKS:
            raise AttributeError(name)
        module, kind, others = _DESKS[name]
        made = getattr(import_module(f"experience.desks.{module}"), kind)
        desk = made(*self._given, **{other: _Later(self, other) for other in others})
        self.__dict__[name] = desk
        return desk

    def stir(self) -> None:
        """Something was written: whoever searches by meaning in this process may embed it in the background."""
        if "vectors" in self.__dict__:
            self.vectors.stir()

    def close(self) -> None:
        """Wait for what works in the background."""
        if "vectors" in self.__dict__:
            self.vectors.close()


class _Later:
    """A desk that another works with, opened once it is asked for anything: most messages ask nothing of most."""

    def __init__(self, desks: Desks, name: str) -> None:
        self._desks, self._name = desks, name

    def __getattr__(self, name: str) -> Any:
        found = getattr(getattr(self._desks, self._name), name)
        self.__dict__[name] = found
        return found
