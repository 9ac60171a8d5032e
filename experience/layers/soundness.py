"""What can be asked of a whole store: whether its pages are sound, whose it is, how large, and how many rows it has."""

from __future__ import annotations

from experience.columns import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.db import Store

TABLES = (
    "experiences", "memories", "episodes", "procedures", "turns", "sessions", "injections", "outcomes", "events",
    "links", "reviews", "retired",
)  # fmt: skip


def damage(store: Store) -> str | None:
    """The first thing that is wrong with the pages of a database, or None."""
    found = str(store.query("pragma integrity_check(1)")[0][0])
    return None if found == "ok" else found


def size(store: Store) -> int:
    """The bytes a database takes, its log left out."""
    rows = store.query("select page_count * page_size from pragma_page_count, pragma_page_size")
    return whole(rows[0][0])


def counts(store: Store, project: str) -> dict[str, int]:
    """The rows of a project by table."""
    parts = ", ".join(f"(select count(*) from {table} where project = ?)" for table in TABLES)
    rows = store.query(f"select {parts}", *[project] * len(TABLES))
    return dict(zip(TABLES, map(whole, rows[0]), strict=True))


def carry_over(source: Store, target: Store) -> None:
    """Take the leases of one store into another: their tokens must never go back."""
    for row in source.query("select name, holder, token, expires_at from leases"):
        target.execute(
            """
            insert into leases (name, holder, token, expires_at) values (?, ?, ?, ?)
            on conflict (name) do update set holder = excluded.holder, token = max(token, excluded.token),
                expires_at = excluded.expires_at
            """,
            *row,
        )
