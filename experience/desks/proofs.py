"""The desk of proofs: what shows by itself that something was used, that it helped, and what a whole run taught."""

from __future__ import annotations

import json
import re

from experience import checks
from experience.desks.shelf import Desk
from experience.learning import verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from experience.desks.experiences import ExperienceDesk
    from experience.desks.memories import MemoryDesk
    from experience.desks.outcomes import OutcomeDesk
    from experience.desks.runs import RunDesk
    from experience.models import Experience, Injection, Json, Run, Turn

CITED = re.compile(r"\[([mep]):([0-9a-z_]{4,40})\]")
CITATIONS = 50  # of one message
INTENT, INPUT, STEPS = 2_000, 300, 40  # what of a run becomes an experience: characters, characters a step, steps


class ProofDesk(Desk):
    """Counts uses, credits outcomes, learns from runs."""

    def __init__(
        self, *given: Any, memories: MemoryDesk, outcomes: OutcomeDesk, experiences: ExperienceDesk, runs: RunDesk
    ) -> None:
        super().__init__(*given)
        self._memories, self._outcomes, self._experiences, self._runs = memories, outcomes, experiences, runs

    def cited(self, text: str, session: str) -> list[str]:
        """Count as used what an answer cites, if the session was shown it; returns the ids that counted."""
        named = dict.fromkeys(CITED.findall(text))
        counted = []
        for kind, id in list(named)[:CITATIONS]:
            if self.project.injections.list(session=session, subject=id, limit=1) and self._used(kind, id):
                counted.append(id)
        return counted

    def verified(self, session: str, score: float, channel: str, evidence: Json) -> Injection | None:
        """Credit what was injected last with what a channel proved; saying the same again adds nothing."""
        checks.score("score", score)
        with self.project.store.transaction():
            last = self.project.injections.last(session)
            if last is None or self._said_before(last.id, score, channel):
                return None
            return self._outcomes.injection(last.id, score, channel, evidence)

    def finish(self, id: str) -> Run:
        """End a run; if tests or a build vouch for any of it, it becomes an experience."""
        with self.project.store.transaction():
            over = self._runs.finish(id)
            if over.experience is None and (made := self._lesson(self._runs.turns(id))):
                self._runs.taught(id, made.id)
                over = over.replace(experience=made.id)
        return over

    def _used(self, kind: str, id: str) -> bool:
        if kind == "e" and self.project.experiences.find(id):
            self._experiences.mark_used(id)
            return True
        if kind == "m":
            found = [one for shelf in self.shelves() for one in shelf.memories.by_ids([id])]
            return bool(self._memories.touch(found, self.now()))
        return False

    def _said_before(self, injection: str, score: float, channel: str) -> bool:
        told = [
            (was, through) for _, was, through, _ in self.project.outcomes.verified([injection]) if through == channel
        ]
        return bool(told) and told[-1] == (score, channel)

    def _lesson(self, turns: Sequence[Turn]) -> Experience | None:
        """The run as an experience: what was asked first, what was done, and how much of it was proven."""
        asked = next((turn.content for turn in turns if turn.kind == "user_message"), None)
        verdicts_now = _verdicts(turns)
        if asked is None or not asked.strip() or not verdicts_now:
            return None  # what nobody vouches for teaches nothing
        steps = [_step(call, result) for call, result in _pairs(turns)]
        fields = {
            "intent": asked[:INTENT], "solution": {"steps": steps[-STEPS:], "checks": verdicts_now},
            "type": "tool_chain", "success_score": sum(verdicts_now.values()) / len(verdicts_now), "source": "agent",
        }  # fmt: skip
        return self._experiences.get(self._experiences.record_many([fields])[0])


def _verdicts(turns: Sequence[Turn]) -> dict[str, bool]:
    """Each command that tested or built, and how it ended the last time: a test that was mended has passed."""
    found = {}
    for call, result in _pairs(turns):
        command = command_of(call.content)
        if verdicts.channel(command) and result.ok is not None:
            found[command[:INPUT]] = result.ok
    return found


def _pairs(turns: Sequence[Turn]) -> Iterator[tuple[Turn, Turn]]:
    """Each call with its result; results stand in the order of their calls."""
    waiting: list[Turn] = []
    for turn in turns:
        if turn.kind == "tool_call":
            waiting.append(turn)
        elif turn.kind == "tool_result" and waiting:
            yield waiting.pop(0), turn


def command_of(content: str) -> str:
    """The command line in what a tool was called with; nothing where it is no command."""
    try:
        given = json.loads(content)
    except ValueError:
        return content
    command = given.get("command", given.get("cmd", "")) if isinstance(given, dict) else ""
    return " ".join(map(str, command)) if isinstance(command, list) else str(command)


def _step(call: Turn, result: Turn) -> str:
    """A step on one line: the tool, what it was given, and whether it failed."""
    given = command_of(call.content) or call.content
    return f"{call.tool or 'tool'}: {given[:INPUT]}{' (failed)' if result.ok is False else ''}"
