"""The desk of runs: the log of each piece of an agent's work, in order; once the run is over it is put aside."""

from __future__ import annotations

from experience import analyzer, checks
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.errors import Conflict
from experience.ids import new_id
from experience.models import TURN_KINDS, Run, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from experience.models import Json

ROLE_OF = {
    "user_message": "user", "model_response": "assistant", "tool_call": "tool", "tool_result": "tool",
    "message": "system",
}  # fmt: skip
EVENT_OF = {
    "user_message": "message.user", "model_response": "message.assistant", "tool_call": "tool.called",
    "tool_result": "tool.returned", "message": "message.system",
}  # fmt: skip


class RunDesk(Desk):
    """Opens runs, logs their turns, and closes them."""

    def start(self, session: str, host: str) -> Run:
        """Begin a run with an empty log; earlier runs of the session are put aside."""
        now = self.now()
        new = Run(id=new_id("run_"), session=session, host=host, started_at=now)
        with self.project.store.transaction():
            for earlier in self.project.runs.open(session=session):
                self._archive(earlier, now)
            self.project.runs.insert(new)
            self.project.events.append(
                "task.started", new.id, now, actor=self.actor, session=session, **({"host": host} if host else {})
            )
        return new

    def finish(self, id: str) -> Run:
        """End a run: its log is put aside, and still searched. Ending it twice is harmless."""
        now = self.now()
        with self.project.store.transaction():
            self._archive(self.project.runs.get(id), now)
        return self.project.runs.get(id)

    def current(self, session: str, host: str = "") -> Run:
        """The open run of a session; where there is none, one begins."""
        newest = self.project.runs.newest(session)
        return newest if newest is not None and newest.archived_at is None else self.start(session, host)

    def log(
        self, kind: str, content: Json, session: str, *, run: str | None = None, tool: str | None = None,
        ok: bool | None = None,
    ) -> Turn:  # fmt: skip
        """Write one turn into a run, its secrets taken out; anything but text is kept as JSON."""
        checks.one_of("kind", kind, TURN_KINDS)
        intake, now = Intake(), self.now()
        text = content if isinstance(content, str) else intake.json("content", content)
        said = intake.beginning("content", text)
        name = None if tool is None else intake.text("tool", tool, most=200)
        with self.project.store.transaction():
            whole = self.current(session) if run is None else self.project.runs.get(run)
            if whole.archived_at is not None:
                raise Conflict(f"the run {whole.id} is over and its log is put aside; start another run")
            turn = Turn(
                id=new_id("turn_"), session=whole.session, role=ROLE_OF[kind], content=said, created_at=now,
                run=whole.id, kind=kind, tool=name, ok=ok,
            )  # fmt: skip
            self.project.episodic.insert(turn, analyzer.terms(said))
            told = {"tool": name} if name else {}
            self.project.events.append(
                EVENT_OF[kind], turn.id, now, actor=self.actor, session=turn.session, run=whole.id, **told,
                **intake.told(),
            )  # fmt: skip
            if ok is False:
                self.project.events.append("error.tool", turn.id, now, actor=self.actor, run=whole.id, **told)
        return turn

    def turns(self, run: str, *, limit: int | None = None, before: int = 0) -> Sequence[Turn]:
        """The log of a run, oldest first."""
        return self.project.episodic.of_run(self.project.runs.get(run).id, limit=limit, before=before)

    def search(self, query: str, limit: int) -> Sequence[Turn]:
        """Turns about something, of runs that are over, too; the best match first."""
        return self.project.episodic.search(analyzer.query_terms(query), limit=limit)

    def silent(self, since: timedelta, limit: int) -> list[Run]:
        """Open runs in which nothing happened for a while: their agent left without a word."""
        layer, before = self.project.runs, self.now() - since
        return [one for one in layer.open(limit=limit) if (layer.last_turn_at(one.id) or one.started_at) < before]

    def taught(self, run: str, experience: str) -> None:
        """Remember which experience a run became."""
        self.project.runs.taught(run, experience)

    def _archive(self, run: Run, now: datetime) -> None:
        if self.project.runs.archive(run.id, now):
            self.project.events.append(
                "task.finished", run.id, now, actor=self.actor, session=run.session, turns=run.turns
            )
