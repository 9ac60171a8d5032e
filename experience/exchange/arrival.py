"""What comes in from elsewhere: each thing once, at its own time, trusted no more than whoever said it.

The words of the user are heard as if they were said today, but at their own time: what is known since then stays. All
else waits in quarantine until somebody vouches for it. A conversation is logged whole, so that it can be searched.
"""

from __future__ import annotations

from hashlib import blake2b

from experience import analyzer, checks, fence
from experience.capture.detect import detect
from experience.capture.trust import UNVOUCHED, lowest, trust_of
from experience.clock import to_text
from experience.desks.intake import Intake
from experience.errors import ExperienceError, StoreUnavailable
from experience.exchange import kinds, rows
from experience.exchange.records import Bad, Row, Said, Stated
from experience.ids import new_id
from experience.layers.canon import Canon
from experience.layers.imported import Imported as Digests
from experience.layers.memories import strength
from experience.models import Turn
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from typing import TypeAlias

    from experience.clock import Clock
    from experience.desks.memories import MemoryDesk
    from experience.desks.shelf import Shelf
    from experience.exchange.records import Record
    from experience.exchange.source import Source
    from experience.models import Captured, MemoryItem

    Tell: TypeAlias = Callable[[str, float], None]

TRUSTED = ("user", "external")  # what the person who imports may say of a file
TOGETHER = 200  # things brought in by one transaction
MOST_BAD = 100  # lines that are told one by one
MOST_LIVE = 100_000  # turns of a session that are compared with a transcript of it


class Complaint(Value):
    """A line that was left out, and why."""

    file: str
    line: int
    why: str


class Imported(Value):
    """What an import did: how much it read, what of it is new, and what it left out."""

    files: dict[str, int]  # by format
    added: dict[str, int]  # by kind of thing
    known: int
    outdated: int
    bad: int
    complaints: tuple[Complaint, ...]


class TimeOfTale:
    """A clock that tells the time of what is being told, never later than today's."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._at: datetime | None = None

    def __call__(self) -> datetime:
        now = self._clock()
        return now if self._at is None else min(self._at, now)

    def turn_to(self, at: datetime | None) -> None:
        """Go to a time; None is today."""
        self._at = at


class Arrival:
    """One import into one shelf."""

    def __init__(
        self, shelf: Shelf, memories: MemoryDesk, clock: TimeOfTale, actor: str, trust: str | None, root: str
    ) -> None:
        if trust is not None:
            checks.one_of("trust", trust, TRUSTED)
        self._shelf, self._memories, self._clock, self._trust, self._root = shelf, memories, clock, trust, root
        self._actor = actor
        self._canon, self._imported = Canon(shelf.store, shelf.project), Digests(shelf.store, shelf.project)
        self._files: dict[str, int] = {}
        self._added: dict[str, int] = {}
        self._known = self._outdated = self._bad = 0
        self._complaints: list[Complaint] = []
        self._before: dict[str, str] = {}  # the last words of each session
        self._live: dict[str, set[tuple[str, str]]] = {}  # what each session had heard before this import

    def bring(self, path: str, kind: str | None, tell: Tell) -> Imported:
        """Bring in every file at a path, some things at a time; whoever is interrupted goes on where they were."""
        for known, source in kinds.found(path, kind, self._root):
            self._files[known] = self._files.get(known, 0) + 1
            seen: dict[tuple[str, str, str], int] = {}
            for some in _together(kinds.reader(known).read(source)):
                with self._shelf.store.transaction():
                    self._take(known, source, some, seen)
                tell(source.name, source.done / max(1, source.size))
        self._clock.turn_to(None)
        self._conclude()
        return Imported(
            files=self._files, added=self._added, known=self._known, outdated=self._outdated, bad=self._bad,
            complaints=tuple(self._complaints),
        )  # fmt: skip

    def _take(self, kind: str, source: Source, some: list[Record], seen: dict[tuple[str, str, str], int]) -> None:
        before = dict(self._added)
        for one in some:
            try:
                self._take_one(kind, source, one, seen)
            except StoreUnavailable:
                raise
            except ExperienceError as error:
                self._complain(source, one.line, str(error))
        self._clock.turn_to(None)
        for table in ("experience", "memory"):
            if self._added.get(table, 0) > before.get(table, 0):  # live indexes read these rows anew
                self._shelf.events.append(f"{table}.imported", "", self._clock(), actor=self._actor)

    def _take_one(self, kind: str, source: Source, one: Record, seen: dict[tuple[str, str, str], int]) -> None:
        if isinstance(one, Bad):
            self._complain(source, one.line, one.why)
        elif isinstance(one, Row):
            self._put_back(one)
        elif isinstance(one, Stated):
            self._clock.turn_to(one.at)
            self._learn(kind, source, one)
        else:
            told = (one.session, one.role, one.text)
            seen[told] = seen.get(told, 0) + 1
            self._clock.turn_to(one.at)
            self._hear(kind, one, seen[told])

    def _put_back(self, one: Row) -> None:
        """A row of a store like ours, with the ids and times it has there."""
        table, row = rows.checked(one.kind, rows.clean(one.fields))
        if self._trust and "trust" in row:
            row = self._lowered(one.kind, row)
        new = self._canon.insert(table, row, rows.derived(one.kind, row))
        if new and one.kind == "injection":
            self._canon.tie_injected(row["id"], [part[0] for part in row["candidates"] if part[3]])
        if one.kind != "session":  # made by its turns; here only its end is told
            self._count(one.kind, new=new)

    def _lowered(self, kind: str, row: dict[str, object]) -> dict[str, object]:
        """A row of a store that is not ours: nothing in it is trusted more than whoever brings it says."""
        trust = lowest(str(row["trust"]), str(self._trust))
        if kind != "memory" or trust not in UNVOUCHED or row["quarantined_at"]:
            return {**row, "trust": trust}
        why = "it was imported from another store; nobody vouches for it yet"
        return {**row, "trust": trust, "quarantined_at": to_text(self._clock()), "quarantine_reason": why}

    def _hear(self, kind: str, one: Said, times: int) -> None:
        """One message: logged, and what the user says in it that is worth keeping is learned."""
        intake, now = Intake(), self._clock()
        said = intake.beginning("text", one.text)
        session = intake.beginning("session", one.session, most=200)
        context = self._before.get(session)
        self._before[session] = said
        identity = (one.id,) if one.id else (session, one.role, said, str(times))
        if not self._first(kind, *identity) or (one.role, said) in self._heard(session):
            self._known += 1
            return
        turn = Turn(id=new_id("turn_"), session=session, role=one.role, content=said, created_at=now)
        self._shelf.episodic.insert(turn, analyzer.terms(said))
        self._shelf.events.append(
            f"message.{one.role}", turn.id, now, actor=self._actor, session=session, **intake.told()
        )
        self._count("turn", new=True)
        theirs = one.role == "user" and self._trust != "external"
        source = f"{'user' if theirs else 'external'}:{kind}"
        for heard in () if fence.pasted(said) else detect(said, one.role):
            self._clock.turn_to(one.at)
            self._keep(heard, source, context)

    def _heard(self, session: str) -> set[tuple[str, str]]:
        """What a session had said here before this import began: hooks listen to the same conversations."""
        if session not in self._live:
            turns = self._shelf.episodic.last(session, limit=MOST_LIVE)
            self._live[session] = {(turn.role, turn.content) for turn in turns}
        return self._live[session]

    def _learn(self, kind: str, source: Source, one: Stated) -> None:
        """One statement, of the type its words show; somebody else's wait in quarantine."""
        intake = Intake()
        said = intake.beginning("text", one.text).strip()
        if not self._first("stated", said, str(one.scope)):
            self._known += 1
            return
        heard = detect(said, "user")
        type = heard[0].type if heard else one.type or "fact"
        self._keep_as(
            said, type, source=f"{self._trust or 'external'}:{source.name}"[:200], scope=one.scope, tags=one.tags,
            context=one.context or None,
        )  # fmt: skip

    def _keep(self, heard: Captured, source: str, context: str | None) -> None:
        self._keep_as(heard.text, heard.type, priority=heard.priority, source=source, context=context)

    def _keep_as(self, content: str, type: str, *, source: str, **given: object) -> None:
        """Learn it, unless something newer says otherwise: old words never replace what is known since."""
        new = self._memories.checked(Intake(), content=content, type=type, source=source, **given)  # type: ignore[arg-type]
        sure = new.claim and not new.claim.startswith("?") and trust_of(source) == "user"
        rivals = self._shelf.memories.holding(str(new.claim), new.reach, new.scope) if sure else []
        if any(one.valid_from > self._clock() and one.content != new.content for one in rivals):
            self._outdated += 1
            return
        self._refreshed(self._memories.learn(content, type, source=source, **given))
        self._count("memory", new=True)

    def _refreshed(self, one: MemoryItem) -> None:
        """It keeps the date it was said on, but nobody could have used it before today: its decay starts now."""
        self._clock.turn_to(None)
        now = self._clock()
        if one.accessed_at < now:
            worth = strength(one.type, one.reinforcement_count, now)
            self._shelf.memories.change(one.id, accessed_at=to_text(now), strength=worth)

    def _first(self, *told: str) -> bool:
        """Whether a thing was never brought in before."""
        digest = blake2b("\n".join(told).encode(), digest_size=10).hexdigest()
        return self._imported.first(digest, self._clock())

    def _count(self, kind: str, *, new: bool) -> None:
        if new:
            self._added[kind] = self._added.get(kind, 0) + 1
        else:
            self._known += 1

    def _complain(self, source: Source, line: int, why: str) -> None:
        self._bad += 1
        if len(self._complaints) < MOST_BAD:
            self._complaints.append(Complaint(file=source.name, line=line, why=why))

    def _conclude(self) -> None:
        """One event says what came in; an import that added nothing leaves no trace."""
        if self._added:
            self._shelf.events.append(
                "ingestion.imported", "", self._clock(), actor=self._actor, files=self._files, added=self._added
            )


def _together(records: Iterator[Record]) -> Iterator[list[Record]]:
    some: list[Record] = []
    for one in records:
        some.append(one)
        if len(some) == TOGETHER:
            yield some
            some = []
    if some:
        yield some
