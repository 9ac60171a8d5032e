"""The way back: everything one run folded, pruned, archived, promoted or replaced, newest change first.

What was changed since by somebody else is left as it is, but for counts: from those only the run's own share is taken.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from experience.clock import from_text
from experience.columns import whole
from experience.errors import NotFound
from experience.layers.memories import strength
from experience.learning import outcomes
from experience.values import Value
from jobs.lease import Lease

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from experience.desks.shelf import Shelf
    from experience.layers.nights import Change
    from experience.memory import Memory

TOGETHER = 200  # changes taken back in one transaction
KINDS = ("experience", "memory", "review", "session")  # weights, indexes and copies need no way back
_LEAST = {"reinforcement_count": 1}
_SUMS = ("reported_sum", "reported_count", "verified_sum", "verified_count")
_OF_STRENGTH = ("type", "reinforcement_count", "accessed_at")


class Undone(Value):
    """What came of undoing a run."""

    run: str
    restored: int  # as it was before the run
    kept: int  # left alone: somebody changed it since
    lost: int  # gone for good: purged, forgotten or erased since
    left: tuple[str, ...]  # the ids of what was kept or lost

    def __str__(self) -> str:
        said = f"{self.restored:,} brought back"
        if self.kept:
            said += f"; {self.kept:,} left alone, for they were changed since"
        if self.lost:
            said += f"; {self.lost:,} are gone for good"
        return said


def undo(memory: Memory, run: str) -> Undone:
    """Bring back everything a run took away. Undoing twice is harmless."""
    shelves = [shelf for shelf in memory.shelves() if _has(shelf, run)]
    if not shelves:
        raise NotFound("run", run)
    counts, left = Counter[str](), []
    for shelf in shelves:
        with Lease(shelf, memory.now) as lease:
            for fate, id in _Back(shelf, run, memory.now(), lease).all():
                counts[fate] += 1
                left += [id] if fate != "restored" else []
    return Undone(
        run=run, restored=counts["restored"], kept=counts["kept"], lost=counts["lost"], left=tuple(left)
    )  # fmt: skip


def back(now: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """The columns that take a change back: a count loses what it gained, the rest is set where unchanged. Pure."""
    found = {}
    for name, was in change.was.items():
        became = change.became.get(name)
        if became == was or name not in now:
            continue
        if name.endswith(("_count", "_sum")):
            found[name] = max(_LEAST.get(name, 0), now[name] - (became - was))
        elif name != "length" and now[name] == became:
            found[name] = was
    if "length" in now:  # of the terms: it follows those that go back
        terms = [(found[name], now[name]) for name in found if name.endswith("terms")]
        found["length"] = now["length"] + sum(len(was.split()) - len(here.split()) for was, here in terms)
    return found


def _has(shelf: Shelf, run: str) -> bool:
    try:
        shelf.nights.get(run)
    except NotFound:
        return False
    return True


class _Back:
    """One run on one shelf, on its way back."""

    def __init__(self, shelf: Shelf, run: str, now: datetime, lease: Lease) -> None:
        self._shelf, self._run, self._now, self._lease = shelf, run, now, lease
        self._ways = dict(
            zip(KINDS, (self._experience, self._memory, self._review, self._session), strict=True)
        )  # fmt: skip

    def all(self) -> Iterator[tuple[str, str]]:
        """What became of each change that has a way back."""
        if self._shelf.nights.get(self._run).state == "undone":
            return
        counts = Counter[str]()
        for some in _parts(self._shelf.nights.changes(self._run, newest_first=True)):
            with self._shelf.store.transaction():
                self._lease.guard()
                fates = [(self._ways[one.kind](one), one.subject) for one in some if one.kind in self._ways]
                self._shelf.nights.undone([one.key for one in some], self._now)
            counts.update(fate for fate, _ in fates)
            yield from fates
        with self._shelf.store.transaction():
            self._lease.guard()
            self._shelf.nights.mark_undone(self._run)
            self._tell("job.undone", self._run, **counts)

    def _experience(self, change: Change) -> str:
        """Put back what left its table, or take back what was changed in it."""
        layer = self._shelf.experiences
        here = layer.rows([change.subject])
        if not here:
            return self._put_back(change.subject)
        columns = back(here[0], change)
        if not columns:
            return "kept"
        if "success_score" in change.was and not columns.keys().isdisjoint(_SUMS):
            after = {**here[0], **columns}
            columns["success_score"] = outcomes.posterior(**{name: after[name] for name in _SUMS})
        self._tell("experience.restored", change.subject, key=layer.change(change.subject, **columns))
        return "restored"

    def _put_back(self, id: str) -> str:
        retired = self._shelf.nights.retired(id)
        if retired is None:
            return "lost"
        key = self._shelf.experiences.put_back(retired[1])
        self._shelf.nights.bring_back(id)
        self._tell("experience.restored", id, key=key)
        return "restored"

    def _memory(self, change: Change) -> str:
        if change.action == "promoted":
            return self._withdraw(change)
        names = [name for name in change.was if name != "sources"]
        here = self._shelf.memories.columns(change.subject, names)
        if here is None:
            return "lost"
        columns = back(here, change)
        if not columns:
            return "kept"
        key = self._shelf.memories.change(change.subject, **columns)
        self._weigh(change.subject, columns)
        self._shelf.links.loosen(change.subject, change.became.get("sources", ()))
        self._tell("memory.restored", change.subject, key=key)
        return "restored"

    def _weigh(self, id: str, columns: Mapping[str, Any]) -> None:
        """The strength follows from what it is computed from, whatever that has become by now."""
        if columns.keys().isdisjoint(_OF_STRENGTH):
            return
        now = self._shelf.memories.columns(id, _OF_STRENGTH)
        assert now is not None  # noqa: S101  # it was changed a moment ago
        count, moment = whole(now["reinforcement_count"]), from_text(str(now["accessed_at"]))
        self._shelf.memories.change(id, strength=strength(str(now["type"]), count, moment))

    def _withdraw(self, change: Change) -> str:
        """Remove a memory the run made, unless somebody edited it or vouched for it since."""
        one = self._shelf.memories.find(change.subject)
        if one is None:
            return "lost"
        made = change.became
        said = (one.content, one.type, one.trust, one.folded_into, one.superseded_by)
        if said != (made["content"], made["type"], made["trust"], None, None):
            return "kept"
        key = self._shelf.memories.delete(change.subject)
        self._shelf.links.untie(change.subject)
        self._tell("memory.withdrawn", change.subject, key=key)
        return "restored"

    def _review(self, change: Change) -> str:
        """Take a question back that nobody has answered."""
        asked = self._shelf.reviews.of(change.became["kind"], change.subject, change.became["other"])
        if asked is None:
            return "lost"
        if asked.state != "open":
            return "kept"
        self._shelf.reviews.withdraw(asked.id)
        return "restored"

    def _session(self, change: Change) -> str:
        archived_at = from_text(change.became["archived_at"])
        return "restored" if self._shelf.episodic.unarchive(change.subject, archived_at) else "kept"

    def _tell(self, event: str, subject: str, **data: Any) -> None:
        self._shelf.events.append(event, subject, self._now, actor="undo", **{"run": self._run, **data})


def _parts(changes: Iterable[Change]) -> Iterator[Sequence[Change]]:
    left = iter(changes)
    while some := list(islice(left, TOGETHER)):
        yield some
