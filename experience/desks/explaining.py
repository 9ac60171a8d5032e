"""The desk that answers for every block: what was in it, why, and why something else was not."""

from __future__ import annotations

from experience.context.assemble import REASONS
from experience.desks.shelf import Desk
from experience.errors import NotFound
from experience.models import Considered, Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.models import Injection, MemoryItem


class ExplainingDesk(Desk):
    """Reads what was written down when a block was handed out. A look: it changes nothing."""

    def explain(self, id: str) -> Injection:
        """The injection: its text, and everything that was considered with its score, parts and reason."""
        return self.project.injections.get(id)

    def replay(self, id: str) -> Context:
        """The same block again, to the byte."""
        was = self.project.injections.get(id)
        return Context(text=was.text, tokens=was.tokens, items=was.items, injection_id=was.id, trace=was.trace)

    def why_not(self, injection_id: str, id: str) -> Considered:
        """Why one thing was taken into a block or left out of it."""
        was = self.project.injections.get(injection_id)
        for one in was.trace:
            if one.id == id:
                return one
        return Considered(
            id=id, kind="memory", layer="", taken=False, reason=self._state(id, was), score=0.0, parts={}, tokens=0
        )

    def _state(self, id: str, was: Injection) -> str:
        for shelf in self.shelves():
            found = shelf.memories.find(id)
            if found is not None:
                return _reason(found, was)
        known = (self.project.experiences.find(id), self.project.procedures.find(id), self.project.episodes.find(id))
        if any(known):
            return "not-considered"
        raise NotFound("memory, experience or procedure", id)


def _reason(one: MemoryItem, was: Injection) -> str:
    """The first thing that keeps a memory out."""
    if one.created_at > was.created_at:
        return "later"
    states = {
        "quarantined": one.quarantined_at, "archived": one.archived_at, "superseded": one.superseded_by,
        "folded": one.folded_into,
    }  # fmt: skip
    return next((name for name, state in states.items() if state), "not-considered")


def words(reason: str) -> str:
    """A reason in a sentence."""
    return REASONS[reason]
