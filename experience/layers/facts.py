"""What a store says about itself: the project it belongs to."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.db import Store


def known(store: Store, name: str) -> str | None:
    """The value of a fact, or nothing where the store does not say."""
    rows = store.query("select value from facts_about_store where name = ?", name)
    return str(rows[0][0]) if rows else None


def tell(store: Store, name: str, value: str) -> None:
    """Write a fact down, whatever it was before."""
    store.execute(
        "insert into facts_about_store (name, value) values (?, ?) "
        "on conflict (name) do update set value = excluded.value",
        name, value,
    )  # fmt: skip


def settled(store: Store, name: str, proposed: str) -> str:
    """The value a store was given first; a fresh store takes the proposed one."""
    rows = store.query("select value from facts_about_store where name = ?", name)
    if not rows:
        store.execute(
            "insert into facts_about_store (name, value) values (?, ?) on conflict do nothing", name, proposed
        )
        rows = store.query("select value from facts_about_store where name = ?", name)
    return str(rows[0][0])
