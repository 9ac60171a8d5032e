"""The port both drivers serve: what the rest of the house may ask of a database."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType
    from typing import Protocol, TypeAlias

    Value: TypeAlias = str | int | float | bytes | None
    Row: TypeAlias = tuple[Value, ...]
    Statement: TypeAlias = tuple[str, Sequence[Value]]

    class Transaction(Protocol):
        """A block whose writes happen together or not at all; inner blocks join the outer one."""

        def __enter__(self) -> None: ...

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
        ) -> None: ...

    class Store(Protocol):
        """One open database. Safe to share between threads; each thread has its own transaction."""

        where: str  # how messages name this store: a path or a URL, never a token

        def query(self, sql: str, *params: Value) -> list[Row]:
            """The rows of one statement (also of `insert … returning`)."""

        def execute(self, sql: str, *params: Value) -> int:
            """Run one statement and return the number of rows it changed."""

        def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
            """Run one statement once a row, inside one transaction."""

        def batch(self, statements: Sequence[Statement]) -> list[list[Row]]:
            """Run several statements atomically and return the rows of each."""

        def transaction(self) -> Transaction:
            """A block of statements that happen together or not at all."""

        def version(self) -> object:
            """A cheap value that differs once anything may have been committed by anyone; None inside a transaction."""

        def sweep(self) -> None:
            """Leave nothing behind of what was erased, as far as this side can."""

        def close(self) -> None:
            """Release every connection. Closing twice is harmless."""
