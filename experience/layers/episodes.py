"""Episodes: events with an outcome and tags, worth remembering after the run."""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import listed, optional, whole, words
from experience.models import Episode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from experience.db import Row, Store

COLUMNS = "id, event, outcome, tags, session, trust, source, created_at"
CANDIDATE = "key, project, terms, length, created_at"
FILTERS = "(? is null or exists (select 1 from json_each(tags) where value = ?)) and (? is null or outcome = ?)"


class Episodes:
    """The episodes of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(self, new: Episode, terms: Sequence[str]) -> int:
        """Store an episode and return its key."""
        rows = self._store.query(
            f"insert into episodes (project, {COLUMNS}, terms, length) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "returning key",
            self._project, new.id, new.event, new.outcome, listed(new.tags), new.session, new.trust, new.source,
            to_text(new.created_at), " ".join(terms), len(terms),
        )  # fmt: skip
        return whole(rows[0][0])

    def find(self, id: str) -> Episode | None:
        """The episode with this id, if this project has it."""
        rows = self._store.query(f"select {COLUMNS} from episodes where id = ? and project = ?", id, self._project)
        return episode(rows[0]) if rows else None

    def by_keys(self, keys: Sequence[int]) -> dict[int, Episode]:
        """Whole episodes by their keys."""
        marks = ", ".join("?" * len(keys))
        rows = self._store.query(
            f"select key, {COLUMNS} from episodes where key in ({marks}) and +project = ?", *keys, self._project
        )
        return {whole(row[0]): episode(row[1:]) for row in rows}

    def list(self, *, tag: str | None = None, outcome: str | None = None, limit: int = 100) -> Sequence[Episode]:
        """The newest episodes first."""
        rows = self._store.query(
            f"""
            select {COLUMNS} from episodes where project = ? and {FILTERS}
            order by created_at desc, key desc limit ?
            """,
            self._project, *filtered(tag, outcome), limit,
        )  # fmt: skip
        return [episode(row) for row in rows]

    def everything(self, page: int = 5_000) -> Iterator[Episode]:
        """Every episode of the project, in the order they came."""
        last = 0
        while rows := self._store.query(
            f"select key, {COLUMNS} from episodes where project = ? and key > ? order by key limit ?",
            self._project, last, page,
        ):  # fmt: skip
            yield from (episode(row[1:]) for row in rows)
            last = whole(rows[-1][0])

    def delete(self, id: str) -> int | None:
        """Remove one episode; returns its key where there was one."""
        rows = self._store.query("delete from episodes where id = ? and project = ? returning key", id, self._project)
        return whole(rows[0][0]) if rows else None

    def count(self) -> int:
        """How many episodes this project has."""
        return whole(self._store.query("select count(*) from episodes where project = ?", self._project)[0][0])


def filtered(tag: str | None, outcome: str | None) -> tuple[str | None, ...]:
    """The parameters of FILTERS."""
    return tag, tag, outcome, outcome


def episode(row: Row) -> Episode:
    """A row with COLUMNS as a value."""
    id, event, outcome, tags, session, trust, source, created = row
    return Episode(
        id=str(id), event=str(event), outcome=optional(outcome), tags=words(tags), session=optional(session),
        trust=str(trust), source=str(source), created_at=from_text(str(created)),
    )  # fmt: skip
