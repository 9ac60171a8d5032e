"""Leases: one holder at a time, a token that grows with every holder, and an end that comes by itself."""

from __future__ import annotations

from datetime import timedelta

from experience.clock import to_text
from experience.columns import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from experience.db import Store


class Leases:
    """The leases of one store; *project* keeps those of others apart."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def acquire(self, name: str, holder: str, at: datetime, ttl: timedelta) -> int | None:
        """Take a lease that is free or ran out; returns its token, or None while somebody else holds it.

        One that ends later than any could was written by a clock that has gone back since: it counts as run out.
        """
        rows = self._store.query(
            """
            insert into leases (name, holder, token, expires_at) values (?, ?, 1, ?)
            on conflict (name) do update set holder = excluded.holder, token = token + 1,
                expires_at = excluded.expires_at
            where leases.expires_at <= ? or leases.expires_at > ?
            returning token
            """,
            self._name(name), holder, to_text(at + ttl), to_text(at), to_text(at + 2 * ttl),
        )  # fmt: skip
        return whole(rows[0][0]) if rows else None

    def extend(self, name: str, token: int, at: datetime, ttl: timedelta) -> bool:
        """Hold it longer; False where it has passed on to another."""
        rows = self._store.query(
            "update leases set expires_at = ? where name = ? and token = ? and holder <> '' returning token",
            to_text(at + ttl), self._name(name), token,
        )  # fmt: skip
        return bool(rows)

    def release(self, name: str, token: int, at: datetime) -> None:
        """Give it back; the token stays, so that the next one is larger."""
        self._store.execute(
            "update leases set holder = '', expires_at = ? where name = ? and token = ?",
            to_text(at), self._name(name), token,
        )  # fmt: skip

    def holder(self, name: str, at: datetime) -> str | None:
        """Who holds it, if anybody does."""
        rows = self._store.query(
            "select holder from leases where name = ? and holder <> '' and expires_at > ?",
            self._name(name), to_text(at),
        )  # fmt: skip
        return str(rows[0][0]) if rows else None

    def _name(self, name: str) -> str:
        return f"{name}:{self._project}"
