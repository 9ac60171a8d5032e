"""The keyword index that stands beside a table: which rows hold a term, and what ranking needs to know of them.

A table `things` has `things_fts` (FTS5 over its analysed terms), `things_vocabulary` (fts5vocab) and a row in
`corpora`; triggers keep all three in step with the rows.
"""

from __future__ import annotations

from experience.columns import number, whole
from experience.errors import ExperienceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from experience.db import Row, Store
    from experience.db import Value as Column

    Rows: TypeAlias = list[Row]

AT_ONCE = 500  # parameters in one statement
AROUND = 16  # rows whose age tells that of a place: a row that was put back is older than its neighbours


class KeywordIndex:
    """The index of one table, as one project sees it; *columns* begin with key and project."""

    def __init__(self, store: Store, project: str, table: str, columns: str) -> None:
        self._store, self.project, self._table, self._columns = store, project, table, columns

    def corpus(self) -> tuple[int, int]:
        """How many rows and how many terms are indexed, of all projects in the store."""
        rows = self._store.query("select rows, terms from corpora where name = ?", self._table)
        return whole(rows[0][0]), whole(rows[0][1])

    def document_counts(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many rows each term stands; terms that stand nowhere are left out."""
        marks = ", ".join("?" * len(terms))
        rows = self._store.query(f"select term, doc from {self._table}_vocabulary where term in ({marks})", *terms)
        return {str(term): whole(count) for term, count in rows}

    def matching(
        self, terms: Sequence[tuple[str, float, float]], most: int, *, only: str = "", params: Sequence[Column] = ()
    ) -> list[tuple[int, float]]:
        """This project's rows that hold any of the terms and the idfs they gather, most first; of equals the newest.

        Each term comes with its idf and the share of the rows, newest first, that it is looked up in. *only* is one
        more condition on the table's columns.
        """
        lists = " union all ".join(
            [f"select rowid as key, ? as idf from {self._table}_fts where {self._table}_fts match ? and rowid > ?"]
            * len(terms)
        )
        last = self.last_key()
        conditions = [*([] if self._alone() else ["project = ?"]), *([only] if only else [])]
        mine = (
            f"where exists (select 1 from {self._table} as t where t.key = lists.key and {' and '.join(conditions)})"
            if conditions
            else ""
        )
        rows = self._store.query(
            f"select key, sum(idf) + key * 1e-12 as idfs from ({lists}) as lists {mine} "
            "group by key order by idfs desc limit ?",
            *(value for term, idf, share in terms for value in (idf, f'"{term}"', int(last * (1 - share)))),
            *([self.project] if conditions[:1] == ["project = ?"] else []),
            *params,
            most,
        )
        return [(whole(key), number(idfs)) for key, idfs in rows]

    def edges(self, parts: Sequence[float]) -> list[tuple[int, str]]:
        """The key at each of these shares of all keys ever given, and when the rows right before it were made."""
        rows = self._store.query(
            f"""
            select cast(seq * part as integer), (
                select max(created_at) from (
                    select created_at from {self._table} where key <= seq * part order by key desc limit {AROUND}
                )
            ) from (select column1 as part from (values {", ".join(["(?)"] * len(parts))})), sqlite_sequence
            where name = ? order by part desc
            """,
            *parts, self._table,
        )  # fmt: skip
        return [(whole(key), str(newest)) for key, newest in rows if newest is not None]

    def holds(self, condition: str) -> bool:
        """Whether any row is like that."""
        return bool(self._store.query(f"select 1 from {self._table} where {condition} limit 1"))

    def holding(self, formula: str, since: int, until: int, most: int, *, only: str = "") -> Rows:
        """What ranking needs to know of this project's rows that match, from *until* down to before *since*.

        *only* is one more condition; few rows fulfil it, and an index knows them.
        """
        few = f"and +f.rowid in (select key from {self._table} where {only})" if only else ""
        columns = ", ".join(f"t.{name}" for name in self._columns.split(", "))
        return self._store.query(
            f"""
            select {columns} from {self._table}_fts as f cross join {self._table} as t on t.key = f.rowid
            where {self._table}_fts match ? and f.rowid > ? and f.rowid <= ? {few} and t.project = ?
            order by f.rowid desc limit ?
            """,
            formula, since, until, self.project, most,
        )  # fmt: skip

    def candidates(self, keys: Sequence[int]) -> Rows:
        """What ranking needs to know of these rows, those of other projects left out."""
        return [row for row in self.changed(keys) if row[1] == self.project]

    def changed(self, keys: Sequence[int]) -> Rows:
        """What a live index needs to know of these rows, of every project in the store."""
        found: Rows = []
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ", ".join("?" * len(some))
            found += self._store.query(f"select {self._columns} from {self._table} where key in ({marks})", *some)
        return found

    def everything(self, page: int = 20_000) -> Iterator[Rows]:
        """What a live index needs to know of every row of the store, in the order of their keys."""
        last = 0
        while rows := self._store.query(
            f"select {self._columns} from {self._table} where key > ? order by key limit ?", last, page
        ):
            yield rows
            last = whole(rows[-1][0])

    def texts(self, columns: str, page: int = 500) -> Iterator[Rows]:
        """The key of every row of the store and the columns its terms are made from, some at a time."""
        last = 0
        while rows := self._store.query(
            f"select key, {columns} from {self._table} where key > ? order by key limit ?", last, page
        ):
            yield rows
            last = whole(rows[-1][0])

    def rewrite(self, rows: Sequence[tuple[int, dict[str, Sequence[str]]]]) -> None:
        """Give rows other terms by column; the triggers carry them into the index."""
        columns = ", ".join(f"{name} = ?" for name in rows[0][1])
        self._store.execute_many(
            f"update {self._table} set {columns}, length = ? where key = ?",
            [(*map(" ".join, terms.values()), sum(map(len, terms.values())), key) for key, terms in rows],
        )

    def flaw(self) -> str | None:
        """What is wrong between the rows and what is derived from them; None where nothing is."""
        counts, truth = self._counted()
        if counts != truth:
            return f"it counts {counts[0]:,} rows and {counts[1]:,} terms; there are {truth[0]:,} and {truth[1]:,}"
        try:
            self._store.execute(
                f"insert into {self._table}_fts ({self._table}_fts, rank) values ('integrity-check', 1)"
            )
        except ExperienceError as error:
            if "malformed" not in str(error):
                raise  # it could not be looked at, which says nothing about it
            return "it does not hold what the rows say"
        return None

    def _counted(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The rows and terms as they are kept, and as a count finds them."""
        rows = self._store.query(
            f"""
            select rows, terms, (select count(*) from {self._table}),
                (select coalesce(sum(length), 0) from {self._table})
            from corpora where name = ?
            """,
            self._table,
        )
        kept_rows, kept_terms, real_rows, real_terms = map(whole, rows[0])
        return (kept_rows, kept_terms), (real_rows, real_terms)

    def rebuild(self) -> int:
        """Make the index and its counts anew from the rows; returns how many rows there are."""
        self._store.batch(
            [
                (f"insert into {self._table}_fts ({self._table}_fts) values ('rebuild')", ()),
                (
                    f"""
                    update corpora set rows = (select count(*) from {self._table}),
                        terms = (select coalesce(sum(length), 0) from {self._table})
                    where name = ?
                    """,
                    (self._table,),
                ),
            ]
        )
        return self.corpus()[0]

    def forget_erased(self) -> None:
        """Merge the index, so that no words of an erased row are left in it."""
        self._store.execute(f"insert into {self._table}_fts ({self._table}_fts) values ('optimize')")

    def last_key(self) -> int:
        """The key of the newest row ever written."""
        rows = self._store.query("select seq from sqlite_sequence where name = ?", self._table)
        return whole(rows[0][0]) if rows else 0

    def _alone(self) -> bool:
        """Whether no other project shares the store."""
        rows = self._store.query(
            f"select (select min(project) from {self._table}), (select max(project) from {self._table})"
        )
        return rows[0] == (self.project, self.project)
