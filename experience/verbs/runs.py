"""The verbs of runs: `memory.episodic`, the log of what an agent says and does, a log per run."""

from __future__ import annotations

import json
import os
from datetime import timedelta

from experience import checks
from experience.clock import to_text
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from experience.desks.runs import RunDesk
    from experience.models import Context, Injection, Json, Run, Turn

    Ids: TypeAlias = list[str]

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class EpisodicLog:
    """One log per run; a run belongs to a session, and a new run begins with an empty log."""

    def __init__(self, desk: RunDesk) -> None:
        self._desk = desk

    def start(self, session: str | None = None, host: str = "") -> Run:
        """Begin a run; the session's earlier runs are archived."""
        return self._desk.start(_name(session), host and checks.text("host", host, most=100))

    def finish(self, run: str) -> Run:
        """End a run: its log is archived, and still found."""
        return self._desk.finish(checks.text("run", run, most=200))

    def log(
        self, kind: str, content: Json, run: str | None = None, session: str | None = None, *, tool: str | None = None,
        ok: bool | None = None,
    ) -> Turn:  # fmt: skip
        """Write down a user_message, model_response, tool_call or tool_result; without a run, into the session's."""
        return self._desk.log(kind, content, _name(session), run=run, tool=tool, ok=ok)

    def last(self, n: int = 10, run: str | None = None, session: str | None = None) -> Sequence[Turn]:
        """The last turns of a run, oldest first; without one named, of the session's newest."""
        known = self._known(run, session)
        return self._desk.turns(known, limit=checks.count("n", n, most=100_000)) if known else []

    def back(self, steps: int = 1, run: str | None = None, session: str | None = None) -> Turn | None:
        """The turn so many steps ago: 1 is the last one, 3 the third from the end; None where the log is shorter."""
        known = self._known(run, session)
        before = checks.count("steps", steps, most=1_000_000) - 1
        found = self._desk.turns(known, limit=1, before=before) if known else []
        return found[0] if found else None

    def opened(self, session: str | None = None, host: str = "") -> Run:
        """The open run of a session; where there is none, one begins."""
        return self._desk.current(_name(session), host)

    def silent(self, since: timedelta, limit: int = 50) -> Sequence[Run]:
        """Open runs in which nothing happened for a while, the oldest first."""
        return self._desk.silent(since, checks.count("limit", limit))

    def turns(self, run: str) -> Sequence[Turn]:
        """The whole log of a run, in order."""
        return self._desk.turns(checks.text("run", run, most=200))

    def search(self, query: str, limit: int = 20) -> Sequence[Turn]:
        """Turns about something, of archived runs, too; the best match first."""
        return self._desk.search(checks.text("query", query), checks.count("limit", limit, most=1000))

    def runs(self, session: str | None = None, limit: int = 50) -> Sequence[Run]:
        """The newest runs first; of one session, or of all."""
        return self._desk.project.runs.list(session=session, limit=checks.count("limit", limit, most=100_000))

    def get(self, run: str) -> Run:
        """The run with this id."""
        return self._desk.project.runs.get(checks.text("run", run, most=200))

    def export(self, run: str) -> str:
        """The log of a run as JSON, one turn a line, in order: the same bytes every time."""
        return "".join(f"{_encode(_plain(at, turn))}\n" for at, turn in enumerate(self.turns(run), 1))

    def _known(self, run: str | None, session: str | None) -> str | None:
        """The run that is meant, if there is any."""
        if run is not None:
            return checks.text("run", run, most=200)
        newest = self._desk.project.runs.newest(_name(session))
        return newest.id if newest else None


class RunVerbs(Verbs):
    """Episodic, pitfalls, cited, verified, finish."""

    @property
    def episodic(self) -> EpisodicLog:
        """The log of what was said and done, a log per run."""
        return EpisodicLog(self._desks.runs)

    def pitfalls(
        self, about: str, path: str | os.PathLike[str] | None = None, session: str | None = None, budget: int = 300, *,
        cooldown_minutes: float = 30.0,
    ) -> Context:  # fmt: skip
        """What is known about the file or the command at hand, without what the session was told a moment ago."""
        at_hand = None if path is None else self._relative(path)
        cooldown = timedelta(minutes=checks.positive("cooldown_minutes", cooldown_minutes))
        return self._desks.pitfalls.pitfalls(about, at_hand, _name(session), budget, cooldown)

    def cited(self, text: str, session: str | None = None) -> Ids:
        """Count what an answer cites by its id as used, if its session was shown it; returns the ids that counted."""
        return self._desks.proofs.cited(text, _name(session))

    def verified(
        self, session: str | None, score: float, channel: str = "tests", evidence: Json = None
    ) -> Injection | None:
        """Credit the last block of a session with what tests or a build proved; None where there is nothing new."""
        return self._desks.proofs.verified(_name(session), score, channel, evidence)

    def finish(self, run: str) -> Run:
        """End a run; if tests or a build vouch for any of it, it becomes an experience."""
        return self._desks.proofs.finish(checks.text("run", run, most=200))


def _plain(at: int, turn: Turn) -> dict[str, Json]:
    return {"step": at, **turn.as_dict(), "created_at": to_text(turn.created_at)}


def _name(session: str | None) -> str:
    """The name of a session; whoever gives none shares one."""
    return checks.text("session", session, most=500) if session else ""
