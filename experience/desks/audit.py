"""The desk that audits what is stored: secrets, duplicates, junk, stale and contradicting memories, with rates."""

from __future__ import annotations

from experience.capture import likeness
from experience.capture.junk import junk
from experience.capture.secrets import scrub
from experience.context.activation import STALE, activation
from experience.desks.shelf import Desk
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from experience.desks.shelf import Shelf
    from experience.models import MemoryItem

SHOWN = 20  # ids named of each finding
ALL = 1_000_000


class Finding(Value):
    """One kind of trouble: how often, in which share of the memories (secrets: of all texts), and the first ids."""

    kind: str
    count: int
    rate: float
    ids: tuple[str, ...]
    advice: str


class Audit(Value):
    """What an audit found in how many memories and experiences."""

    memories: int
    experiences: int
    findings: tuple[Finding, ...]

    def rate(self, kind: str) -> float:
        """The rate of one kind."""
        return next(found.rate for found in self.findings if found.kind == kind)


ADVICE = {
    "secrets": "change the secret, for it was written down; then `experience forget ID` or `experience erase ID`",
    "duplicates": "`experience consolidate` folds them",
    "junk": "`experience forget ID` removes one",
    "stale": "`experience consolidate` archives them once a week",
    "contradictions": "`experience forget` the wrong one, or say again what is right",
}


class AuditDesk(Desk):
    """Looks at everything once. A look: it changes nothing."""

    def audit(self) -> Audit:
        """Every kind of trouble with its rate."""
        now = self.now()
        shelves = self.shelves()
        current = [one for shelf in shelves for _, one in shelf.memories.everything() if _counts(one)]
        leaks = [scrub(text).found and id for shelf in shelves for id, text in _written(shelf)]
        found = {
            "secrets": [id for id in leaks if id],
            "duplicates": _duplicates(current),
            "junk": [one.id for one in current if junk(one.content)],
            "stale": _stale(current, now, activation),
            "contradictions": _contradictions(current),
        }
        experiences = sum(int(shelf.experiences.stats()["experiences"]) for shelf in shelves)
        of = {"secrets": len(leaks)}
        return Audit(
            memories=len(current), experiences=experiences,
            findings=tuple(_finding(kind, ids, of.get(kind, len(current))) for kind, ids in found.items()),
        )  # fmt: skip


def _counts(one: MemoryItem) -> bool:
    """Whether a memory is held to be true and in use."""
    return not (one.archived_at or one.quarantined_at or one.superseded_by or one.folded_into)


def _written(shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Every text that is stored, whatever became of it."""
    for _, one in shelf.memories.everything():
        yield one.id, f"{one.title}\n{one.content}"
    yield from shelf.experiences.texts()
    for event in shelf.episodes.list(limit=ALL):
        yield event.id, f"{event.event}\n{event.outcome or ''}"
    for known in shelf.procedures.list(limit=ALL):
        yield known.id, "\n".join((known.name, known.context, *known.steps))
    yield from shelf.episodic.texts()
    yield from shelf.injections.texts()


def _duplicates(current: Sequence[MemoryItem]) -> list[str]:
    """All but the first of those that say the same: exact ones, and near ones among those filed alike."""
    first: dict[tuple[str, str | None, str], MemoryItem] = {}
    alike: dict[tuple[str, str | None, str], list[MemoryItem]] = {}
    found = []
    for one in current:
        key = (one.reach, one.scope, likeness.fingerprint(one.content))
        if key in first:
            found.append(one.id)
            continue
        first[key] = one
        near = alike.setdefault((one.reach, one.scope, "|".join(sorted(one.keywords.split("|")[:3]))), [])
        if any(likeness.same(other.content, one.content) for other in near[-SHOWN:]):
            found.append(one.id)
        near.append(one)
    return found


def _stale(current: Sequence[MemoryItem], now: datetime, worth: Callable[[MemoryItem, datetime], float]) -> list[str]:
    return [one.id for one in current if worth(one, now) < STALE]


def _contradictions(current: Sequence[MemoryItem]) -> list[str]:
    """All but the newest of those that give the same thing another value."""
    holding: dict[tuple[str, str | None, str], list[str]] = {}
    for one in current:
        if one.claim and one.claim[0] != "?":
            holding.setdefault((one.reach, one.scope, one.claim), []).append(one.id)
    return [id for ids in holding.values() for id in ids[:-1]]


def _finding(kind: str, ids: Sequence[str], of: int) -> Finding:
    return Finding(
        kind=kind, count=len(ids), rate=len(ids) / of if of else 0.0, ids=tuple(ids[:SHOWN]), advice=ADVICE[kind]
    )
