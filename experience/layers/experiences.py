"""Experiences: what was tried for an intent, and how well it went; also their keyword index inside the store."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import chain

from experience.clock import from_text, to_text
from experience.columns import listed, number, whole, words
from experience.errors import NotFound
from experience.models import Experience
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Row, Store

    Rows: TypeAlias = list[Row]
    Keys: TypeAlias = list[int]

COLUMNS = (
    "id, type, intent, solution, success_score, weight, use_count, tags, trust, source, verified_count, created_at, "
    "last_used_at"
)
CANDIDATE = "key, project, terms, length, weight, weighed_at, success_score, verified_count, tags, created_at"
REWEIGHED = "last_used_at > created_at or verified_count > 0"  # weighs more than its age says; an index keeps them
KEPT = (
    "id", "type", "intent", "solution", "tags", "success_score", "weight", "weighed_at", "use_count", "reported_sum",
    "reported_count", "verified_sum", "verified_count", "trust", "source", "created_at", "last_used_at", "terms",
    "length",
)  # fmt: skip
COPY = "key, id, type, intent, solution, trust, verified_count, success_score, use_count, created_at"
AT_ONCE = 500  # parameters in one statement
TOGETHER = 200  # rows inserted by one statement


class NewExperience(Value):
    """A checked experience that is not stored yet."""

    id: str
    type: str
    intent: str
    solution: str
    success_score: float
    tags: tuple[str, ...]
    trust: str
    source: str
    terms: list[str]


class Tally(Value):
    """The sums an experience's success is computed from."""

    key: int
    reported_sum: float
    reported_count: int
    verified_sum: float
    verified_count: int


class Experiences:
    """The experiences of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert_many(self, fresh: Iterable[NewExperience], at: datetime) -> list[int]:
        """Store experiences and return their keys, in order."""
        moment = to_text(at)
        rows = [
            (
                new.id, self._project, new.type, new.intent, new.solution, listed(new.tags),
                new.success_score, moment, new.success_score, new.trust, new.source, moment, moment,
                " ".join(new.terms), len(new.terms),
            )
            for new in fresh
        ]  # fmt: skip
        with self._store.transaction():
            before = self._last_key()
            for some in (rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER)):
                self._insert(some)
        return list(range(before + 1, before + 1 + len(rows)))  # one writer at a time: keys follow each other

    def find(self, id: str) -> Experience | None:
        """The experience with this id, if this project has it."""
        rows = self._store.query(f"select {COLUMNS} from experiences where id = ? and project = ?", id, self._project)
        return experience(rows[0]) if rows else None

    def get(self, id: str) -> Experience:
        """The experience with this id."""
        found = self.find(id)
        if found is None:
            raise NotFound("experience", id)
        return found

    def list(self, *, type: str | None = None, tag: str | None = None, limit: int = 100) -> list[Experience]:
        """The newest experiences first."""
        rows = self._store.query(
            f"""
            select {COLUMNS} from experiences
            where project = ? and (? is null or type = ?)
            and (? is null or exists (select 1 from json_each(tags) where value = ?))
            order by created_at desc, key desc limit ?
            """,
            self._project, type, type, tag, tag, limit,
        )  # fmt: skip
        return [experience(row) for row in rows]

    def mark_used(self, id: str, at: datetime) -> int:
        """Count one use: the weight is whole again. Returns the key."""
        rows = self._store.query(
            """
            update experiences set use_count = use_count + 1, last_used_at = max(last_used_at, ?), weight = 1,
                weighed_at = max(weighed_at, ?)
            where id = ? and project = ? returning key
            """,
            to_text(at), to_text(at), id, self._project,
        )  # fmt: skip
        if not rows:
            raise NotFound("experience", id)
        return whole(rows[0][0])

    def tally(self, id: str) -> Tally:
        """What the success of an experience is computed from."""
        rows = self._store.query(
            """
            select key, reported_sum, reported_count, verified_sum, verified_count from experiences
            where id = ? and project = ?
            """,
            id, self._project,
        )  # fmt: skip
        if not rows:
            raise NotFound("experience", id)
        key, reported, reports, verified, proofs = rows[0]
        return Tally(
            key=whole(key), reported_sum=number(reported), reported_count=whole(reports),
            verified_sum=number(verified), verified_count=whole(proofs),
        )  # fmt: skip

    def settle(self, tally: Tally, success_score: float) -> None:
        """Write down what the outcomes so far add up to."""
        self._store.execute(
            """
            update experiences set success_score = ?, reported_sum = ?, reported_count = ?, verified_sum = ?,
                verified_count = ?
            where key = ?
            """,
            success_score, tally.reported_sum, tally.reported_count, tally.verified_sum, tally.verified_count,
            tally.key,
        )  # fmt: skip

    def decay(self, at: datetime, half_life_days: float) -> int:
        """Compute every weight anew from its last use, so that a second run changes nothing."""
        return self._store.execute(
            """
            update experiences set weight = fresh.weight, weighed_at = ?
            from (
                select key, power(0.5, max(0, julianday(?) - julianday(last_used_at)) / ?) as weight
                from experiences where project = ?
            ) as fresh
            where experiences.key = fresh.key and (weighed_at <> ? or experiences.weight <> fresh.weight)
            """,
            to_text(at), to_text(at), half_life_days, self._project, to_text(at),
        )  # fmt: skip

    def unweighed(self, at: datetime, half_life_days: float, together: int) -> Sequence[tuple[int, int, int]]:
        """Ranges of keys, and how many weights in each are older than half a day or not what their last use says."""
        rows = self._store.query(
            f"""
            select min(key), max(key), count(*) from (
                select key, (row_number() over (order by key) - 1) / ? as part from experiences
                where project = ? and {_UNWEIGHED}
            ) group by part order by part
            """,
            together, self._project, *_since(at), half_life_days,
        )  # fmt: skip
        return [(whole(first), whole(last), whole(count)) for first, last, count in rows]

    def reweigh(self, first: int, last: int, at: datetime, half_life_days: float) -> int:
        """Compute those weights anew in one range of keys; returns how many there were."""
        return self._store.execute(
            f"""
            update experiences set weighed_at = ?,
                weight = power(0.5, max(0, julianday(?) - julianday(last_used_at)) / ?)
            where project = ? and key between ? and ? and {_UNWEIGHED}
            """,
            to_text(at), to_text(at), half_life_days, self._project, first, last, *_since(at), half_life_days,
        )  # fmt: skip

    def prune(self, min_weight: float) -> Sequence[tuple[int, str]]:
        """Remove what weighs less; returns the key and id of each."""
        rows = self._store.query(
            "delete from experiences where project = ? and weight < ? returning key, id", self._project, min_weight
        )
        return [(whole(key), str(id)) for key, id in rows]

    def erase(self, id: str) -> int:
        """Remove one experience and every trace of its words; returns its key."""
        rows = self._store.query(
            "delete from experiences where id = ? and project = ? returning key", id, self._project
        )
        if not rows:
            raise NotFound("experience", id)
        return whole(rows[0][0])

    def stats(self) -> dict[str, Any]:
        """How many there are, of which type, how heavy, how successful, how much used."""
        types = self._store.query(
            "select type, count(*) from experiences where project = ? group by type order by type", self._project
        )
        weight, success, uses, proven = self._store.query(
            """
            select avg(weight), avg(success_score), coalesce(sum(use_count), 0),
                coalesce(sum(verified_count > 0), 0)
            from experiences where project = ?
            """,
            self._project,
        )[0]
        return {
            "experiences": sum(whole(count) for _, count in types),
            "by_type": {str(type): whole(count) for type, count in types},
            "mean_weight": weight, "mean_success": success, "uses": uses, "proven": proven,
        }  # fmt: skip

    def rows(self, ids: Sequence[str]) -> Sequence[dict[str, Any]]:
        """Whole rows by column, as they can be put back."""
        marks = ", ".join("?" * len(ids))
        found = self._store.query(
            f"select {', '.join(KEPT)} from experiences where id in ({marks}) and project = ? order by key",
            *ids, self._project,
        )  # fmt: skip
        return [dict(zip(KEPT, row, strict=True)) for row in found]

    def take_out(self, ids: Sequence[str]) -> Sequence[tuple[int, str]]:
        """Remove rows whose whole content is kept elsewhere; returns the key and id of each."""
        marks = ", ".join("?" * len(ids))
        rows = self._store.query(
            f"delete from experiences where id in ({marks}) and project = ? returning key, id", *ids, self._project
        )
        return [(whole(key), str(id)) for key, id in rows]

    def put_back(self, row: dict[str, Any]) -> int:
        """Insert a whole row again; returns its new key."""
        found = self._store.query(
            f"insert into experiences (project, {', '.join(KEPT)}) values (?, {', '.join('?' * len(KEPT))}) "
            "returning key",
            self._project, *(row[name] for name in KEPT),
        )  # fmt: skip
        return whole(found[0][0])

    def change(self, id: str, **columns: Any) -> int:
        """Set some columns of one experience and return its key."""
        assert columns.keys() <= set(KEPT), columns.keys()  # noqa: S101  # column names never come from outside
        rows = self._store.query(
            f"update experiences set {', '.join(f'{name} = ?' for name in columns)} where id = ? and project = ? "
            "returning key",
            *columns.values(), id, self._project,
        )  # fmt: skip
        if not rows:
            raise NotFound("experience", id)
        return whole(rows[0][0])

    def lighter(
        self, min_weight: float, at: datetime, half_life_days: float, *, among: Sequence[str] = (), page: int = 20_000
    ) -> Iterator[str]:
        """The ids of what weighs less at that time (*among* some, if any are named), oldest first."""
        some, last = f"and id in ({', '.join('?' * len(among))})" if among else "", 0
        while rows := self._store.query(
            f"""
            select key, id from experiences where project = ? {some}
            and power(0.5, max(0, julianday(?) - julianday(last_used_at)) / ?) < ? and key > ? order by key limit ?
            """,
            self._project, *among, to_text(at), half_life_days, min_weight, last, page,
        ):  # fmt: skip
            yield from (str(id) for _, id in rows)
            last = whole(rows[-1][0])

    def texts(self, page: int = 5_000) -> Iterator[tuple[str, str]]:
        """Every id with its intent and solution."""
        last = 0
        while rows := self._store.query(
            "select key, id, intent, solution from experiences where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from ((str(id), f"{intent!s}\n{solution!s}") for _, id, intent, solution in rows)
            last = whole(rows[-1][0])

    def copies(self, page: int = 5_000) -> Iterator[Row]:
        """What comparing needs of every experience, by COPY, in the order they came."""
        last = 0
        while rows := self._store.query(
            f"select {COPY} from experiences where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from rows
            last = whole(rows[-1][0])

    def proven(
        self, success_score: float, times: int, page: int = 5_000
    ) -> Iterator[tuple[str, str, str, str, str, int]]:
        """What went well in a way that others did, too: id, type, intent, solution as JSON, trust, times it worked.

        Of chains of tools every one: their solutions may differ and the tools still be the same.
        """
        last = 0
        while rows := self._store.query(
            """
            select key, id, type, intent, solution, trust, reported_count + verified_count from experiences
            where project = ? and success_score >= ? and (type = 'tool_chain' or solution in (
                select solution from experiences where project = ? and success_score >= ?
                group by solution having sum(reported_count + verified_count) >= ?
            )) and key > ? order by key limit ?
            """,
            self._project, success_score, self._project, success_score, times, last, page,
        ):  # fmt: skip
            for _, id, type, intent, solution, trust, worked in rows:
                yield str(id), str(type), str(intent), str(solution), str(trust), whole(worked)
            if len(rows) < page:
                return
            last = whole(rows[-1][0])

    def by_keys(self, keys: Sequence[int]) -> dict[int, Experience]:
        """Whole experiences by their keys."""
        rows = self._by_key(f"key, {COLUMNS}", keys)
        return {whole(row[0]): experience(row[1:]) for row in rows}

    def _insert(self, rows: Sequence[Row]) -> None:
        """Several rows in one statement: FTS5 writes its index down at the end of each."""
        marks = ", ".join(["(?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)"] * len(rows))
        self._store.execute(
            f"""
            insert into experiences (
                id, project, type, intent, solution, tags, success_score, weight, weighed_at, reported_sum,
                trust, source, created_at, last_used_at, terms, length
            ) values {marks}
            """,
            *chain.from_iterable(rows),
        )

    def _by_key(self, columns: str, keys: Sequence[int]) -> Rows:
        found: Rows = []
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ", ".join("?" * len(some))
            found += self._store.query(f"select {columns} from experiences where key in ({marks})", *some)
        return found

    def _last_key(self) -> int:
        rows = self._store.query("select seq from sqlite_sequence where name = 'experiences'")
        return whole(rows[0][0]) if rows else 0


_UNWEIGHED = """
    (weighed_at < ? or weighed_at > ?
    or abs(weight - power(0.5, max(0, julianday(weighed_at) - julianday(last_used_at)) / ?)) > 1e-6)
"""


def _since(at: datetime) -> tuple[str, str]:
    """From when to when a weight counts as fresh: ranking lets it go on falling from where it was weighed."""
    return to_text(at - timedelta(hours=12)), to_text(at)


def experience(row: Row) -> Experience:
    """A row with COLUMNS as a value."""
    id, type, intent, solution, success, weight, uses, tags, trust, source, verified, created, used = row
    return Experience(
        id=str(id), type=str(type), intent=str(intent), solution=json.loads(str(solution)),
        success_score=number(success), weight=number(weight), use_count=whole(uses), tags=words(tags),
        trust=str(trust), source=str(source), verified_count=whole(verified), created_at=from_text(str(created)),
        last_used_at=from_text(str(used)),
    )  # fmt: skip


def from_kept(row: dict[str, Any]) -> Experience:
    """A whole row by column, as a value."""
    return experience(tuple(row[name] for name in COLUMNS.split(", ")))
