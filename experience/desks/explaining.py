"""The desk that answers for every block: what was in it, why, and why something else was not."""

from __future__ import annotations

from experience.capture.trust import UNVOUCHED
from experience.desks.shelf import Desk
from experience.errors import NotFound
from experience.models import Considered, Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.models import Episode, Experience, Injection, MemoryItem, Procedure


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
        kind, reason = self._state(id, was)
        return Considered(id=id, kind=kind, layer="", taken=False, reason=reason, score=0.0, parts={}, tokens=0)

    def _state(self, id: str, was: Injection) -> tuple[str, str]:
        """What it is, and what kept it from being considered."""
        for shelf in self.shelves():
            found = shelf.memories.find(id)
            if found is not None:
                return "memory", _reason(found, was)
        for kind, layer in (("experience", "experiences"), ("procedure", "procedures"), ("episode", "episodes")):
            one = getattr(self.project, layer).find(id)
            if one is not None:
                return kind, "later" if one.created_at > was.created_at else _unvouched(one)
        raise NotFound("memory, experience, procedure or episode", id)


def _reason(one: MemoryItem, was: Injection) -> str:
    """The first thing that kept a memory out at that time; what became of it since did not."""
    if max(one.created_at, one.updated_at) > was.created_at:
        return "later"
    states = {
        "quarantined": one.quarantined_at, "archived": one.archived_at,
        "superseded": one.superseded_by and (one.valid_to or one.updated_at),
        "folded": one.folded_into and (one.valid_to or one.updated_at),
    }  # fmt: skip
    return next((name for name, since in states.items() if since and since <= was.created_at), "not-considered")


def _unvouched(one: Experience | Procedure | Episode) -> str:
    proven = getattr(one, "verified_count", 0) or getattr(one, "success_count", 0)
    return "untrusted" if one.trust in UNVOUCHED and not proven else "not-considered"
