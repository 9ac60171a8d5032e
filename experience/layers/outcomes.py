"""Outcomes: how the work went afterwards, and which channel vouches for it."""

from __future__ import annotations

from experience.clock import from_text, to_text
from experience.columns import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from experience.db import Store

AT_ONCE = 500  # parameters in one statement


class Outcomes:
    """The outcomes of one store, as one project sees them."""

    def __init__(self, store: Store, project: str) -> None:
        self._store = store
        self._project = project

    def insert(
        self, id: str, subject: str, at: datetime, *, score: float, channel: str, verified: bool, evidence: str
    ) -> None:
        """Write down how it went with one subject."""
        self._store.execute(
            """
            insert into outcomes (id, project, subject, score, channel, verified, evidence, created_at)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            id, self._project, subject, score, channel, int(verified), evidence, to_text(at),
        )  # fmt: skip

    def verified(self, subjects: Sequence[str]) -> Sequence[tuple[str, float, str, datetime]]:
        """Every verified outcome of these: subject, score, channel, time; oldest first."""
        found = []
        for start in range(0, len(subjects), AT_ONCE):
            some = subjects[start : start + AT_ONCE]
            found += self._store.query(
                f"""
                select subject, score, channel, created_at from outcomes
                where project = ? and verified = 1 and subject in ({', '.join('?' * len(some))}) order by key
                """,
                self._project, *some,
            )  # fmt: skip
        return [
            (str(subject), number(score), str(channel), from_text(str(at))) for subject, score, channel, at in found
        ]

    def erase(self, subject: str) -> None:
        """Forget every outcome of one subject."""
        self._store.execute("delete from outcomes where subject = ? and project = ?", subject, self._project)

    def count(self) -> int:
        """How many outcomes this project has."""
        return int(str(self._store.query("select count(*) from outcomes where project = ?", self._project)[0][0]))
