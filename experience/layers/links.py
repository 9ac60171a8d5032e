"""Links: what a derived memory or procedure was made of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from experience.db import Store


class Links:
    """The links of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def tie(self, made: str, sources: Sequence[str]) -> None:
        """Say what a thing was made of; saying it again is harmless."""
        self._store.execute_many(
            "insert into links (made, source, project) values (?, ?, ?) on conflict do nothing",
            [(made, source, self._project) for source in sources],
        )

    def sources(self, made: str) -> tuple[str, ...]:
        """What a thing was made of."""
        rows = self._store.query(
            "select source from links where made = ? and project = ? order by source", made, self._project
        )
        return tuple(str(source) for (source,) in rows)

    def made_of(self, source: str) -> tuple[str, ...]:
        """What was made of a thing."""
        rows = self._store.query(
            "select made from links where source = ? and project = ? order by made", source, self._project
        )
        return tuple(str(made) for (made,) in rows)

    def all(self, page: int = 20_000) -> Iterator[tuple[str, str]]:
        """Every made thing with each of its sources."""
        last = ("", "")
        while rows := self._store.query(
            """
            select made, source from links where project = ? and (made, source) > (?, ?)
            order by made, source limit ?
            """,
            self._project, *last, page,
        ):  # fmt: skip
            found = [(str(made), str(source)) for made, source in rows]
            yield from found
            last = found[-1]

    def untie(self, made: str) -> None:
        """Forget what a thing was made of."""
        self._store.execute("delete from links where made = ? and project = ?", made, self._project)

    def loosen(self, made: str, sources: Sequence[str]) -> None:
        """Forget some of what a thing was made of."""
        self._store.execute_many(
            "delete from links where made = ? and source = ? and project = ?",
            [(made, source, self._project) for source in sources],
        )
