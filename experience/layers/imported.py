"""Imported: which things were brought in from elsewhere, so that the same file adds nothing the next time."""

from __future__ import annotations

from experience.clock import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from experience.db import Store


class Imported:
    """The digests of what one project imported."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def first(self, digest: str, at: datetime) -> bool:
        """Remember a thing; tells whether it is new."""
        rows = self._store.query(
            "insert into imported (project, digest, at) values (?, ?, ?) on conflict do nothing returning digest",
            self._project, digest, to_text(at),
        )  # fmt: skip
        return bool(rows)
