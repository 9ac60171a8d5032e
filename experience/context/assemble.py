"""Candidates → one block within its budget: always first, then what matches fills, then procedures. Pure.

The order of competition is A (always), B (contextual), C (procedures); of the room A leaves, at most a third is kept
for past experiences, so that a store full of statements cannot silence what worked.
"""

from __future__ import annotations

from experience.context import render, tokens
from experience.context.activation import THRESHOLD
from experience.models import Considered
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECTIONS = ("always", "contextual", "procedures", "experiences")
LAYERS = {"always": "A", "contextual": "B", "procedures": "C", "experiences": "E"}
KEPT_FOR_EXPERIENCES = 1 / 3
TAKEN = {
    "always": "always", "contextual": "matches", "procedures": "procedure", "experiences": "experience",
}  # fmt: skip
# Every reason there is for a thing to be in a block or not.
REASONS = {
    "always": "a policy, architecture or preference of high priority is always in",
    "matches": "it matches the prompt, or the file at hand is in its scope",
    "procedure": "a procedure for this task",
    "experience": "a similar task that went well before",
    "no-room": "the budget was used up by what comes first",
    "weak-match": "too little of the prompt is in it",
    "below-threshold": f"its activation is below the threshold of {THRESHOLD}",
    "other-scope": "its scope does not cover the file at hand",
    "limit": "enough of its kind were better",
    "unproven": "its success score is too low",
    "untrusted": "nobody vouches for its source yet",
    "quarantined": "it is in quarantine until somebody vouches for it",
    "archived": "it is archived: found, never injected",
    "superseded": "a newer statement replaced it",
    "folded": "it was folded into another memory",
    "not-considered": "it shares too little with the prompt to be considered",
    "later": "it did not exist or was not known in this form then",
}


class Candidate(Value):
    """Something that may stand in a block; with a reason of its own it may not."""

    id: str
    kind: str
    section: str
    line: str
    score: float
    parts: dict[str, float]
    refused: str | None = None


def block(project: str, candidates: Sequence[Candidate], budget: int) -> tuple[str, int, tuple[Considered, ...]]:
    """The text, its tokens and what became of each candidate; the text is empty where nothing is to be said."""
    room = _Room(project, budget)
    sections = {name: [one for one in candidates if one.section == name] for name in SECTIONS}
    verdicts: dict[str, list[Considered]] = {"always": room.fill("always", sections["always"])}
    kept = _Room.copy(room)
    kept.shrink(KEPT_FOR_EXPERIENCES)
    verdicts["experiences"] = kept.fill("experiences", sections["experiences"])
    room.left -= kept.used
    verdicts["contextual"] = room.fill("contextual", sections["contextual"])
    verdicts["procedures"] = room.fill("procedures", sections["procedures"])
    text = room.text(verdicts, {one.id: one.line for one in candidates})
    return text, tokens.count(text), tuple(one for name in SECTIONS for one in verdicts[name])


class _Room:
    """The characters a block may still take; a section costs its title once something is in it."""

    def __init__(self, project: str, budget: int) -> None:
        self._project = project
        self.left = budget * tokens.CHARACTERS - len(render.opening(project)) - len(render.closing())
        self.used = 0

    def copy(self) -> _Room:
        """Room of the same size with nothing in it."""
        fresh = _Room(self._project, 0)
        fresh.left = self.left
        return fresh

    def shrink(self, share: float) -> None:
        """Keep only a share of what is left."""
        self.left = int(self.left * share)

    def fill(self, section: str, candidates: Iterable[Candidate]) -> list[Considered]:
        """Take what fits, in order; one that does not fit makes room for the next."""
        verdicts, heading = [], len(render.title(section))
        for one in candidates:
            cost = len(one.line) + heading
            taken = one.refused is None and cost <= self.left
            if taken:
                self.left -= cost
                self.used += cost
                heading = 0
            reason = one.refused or (TAKEN[section] if taken else "no-room")
            verdicts.append(
                Considered(
                    id=one.id, kind=one.kind, layer=LAYERS[section], taken=taken, reason=reason,
                    score=one.score, parts=one.parts, tokens=tokens.count(one.line),
                )
            )  # fmt: skip
        return verdicts

    def text(self, verdicts: dict[str, list[Considered]], lines: dict[str, str]) -> str:
        """What was taken, section by section, inside the fence."""
        said = [
            render.title(name) + "".join(lines[one.id] for one in verdicts[name] if one.taken)
            for name in SECTIONS
            if any(one.taken for one in verdicts[name])
        ]
        return render.opening(self._project) + "".join(said) + render.closing() if said else ""
