"""Procedures to propose: what worked three times for the same intent in the same way. A person decides about each."""

from __future__ import annotations

import json
from collections import defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING

from experience.capture import likeness, trust
from experience.desks.intake import MAX_STEPS
from experience.values import Value
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

    from jobs.night import Night

KIND = "promotion"
ENOUGH = 3  # times it worked; a folded experience counts as often as it was recorded
SUCCESS = 0.7
LONGEST = 1_000  # characters of one step
_LISTS = ("steps", "chain", "tools", "tool_chain", "commands", "calls")
_NAMES = ("tool", "name", "run", "command", "action", "step")


class Proven(Value):
    """An experience that went well."""

    id: str
    type: str
    intent: str
    solution: str
    trust: str
    times: int


def plan(night: Night, step: str) -> list[Change]:
    """A question for each way that proved itself and was never asked about."""
    rows = (
        Proven(id=id, type=type, intent=intent, solution=solution, trust=trusted, times=times)
        for id, type, intent, solution, trusted, times in night.shelf.experiences.proven(SUCCESS, ENOUGH)
    )
    return proposed(rows, {other for _, other in night.shelf.reviews.asked(KIND)}, step)


def proposed(experiences: Iterable[Proven], asked: Collection[str], step: str) -> list[Change]:
    """One question for each way with enough successes. Pure."""
    by_way: dict[str, list[Proven]] = defaultdict(list)
    for one in experiences:
        by_way[way(one)].append(one)
    found: dict[str, list[Proven]] = defaultdict(list)
    for same, some in by_way.items():
        if sum(one.times for one in some) >= ENOUGH:  # an intent costs more to reduce than a solution
            for one in some:
                found[_mark(likeness.gist(one.intent), same)].append(one)
    return [
        _question(mark, some, step)
        for mark, some in found.items()
        if mark not in asked and sum(one.times for one in some) >= ENOUGH and _followable(some[0].solution)
    ]


def way(one: Proven) -> str:
    """How it was done: the tools in their order where it is a chain of tools, else the solution itself. Pure."""
    return "\n".join(steps(json.loads(one.solution))) if one.type == "tool_chain" else one.solution


def steps(solution: Any) -> list[str]:
    """A solution as steps in words, in order. Pure."""
    if isinstance(solution, dict):
        some = next((solution[name] for name in _LISTS if isinstance(solution.get(name), list)), None)
        solution = solution if some is None else some
    return [_step(one) for one in (solution if isinstance(solution, list) and solution else [solution])]


def propose(night: Night, change: Change) -> bool:
    """Put the question, unless its experience is gone or it was put already."""
    detail = change.became["detail"]
    if night.shelf.experiences.find(change.subject) is None:
        return False
    asked = night.shelf.reviews.ask(KIND, change.subject, change.became["other"], detail, night.now)
    if asked is None:
        return False
    night.tell("memory.procedure_proposed", change.subject, review=asked, experiences=detail["experiences"])
    return True


def _question(mark: str, some: list[Proven], step: str) -> Change:
    best = max(some, key=lambda one: one.times)
    detail = {
        "name": best.intent[:200], "context": best.intent, "steps": steps(json.loads(best.solution)),
        "times": sum(one.times for one in some), "trust": trust.lowest(*(one.trust for one in some)),
        "experiences": [one.id for one in some],
    }  # fmt: skip
    return Change(
        step=step, action="proposed", kind="review", subject=best.id, was={},
        became={"kind": KIND, "other": mark, "detail": detail},
    )  # fmt: skip


def _followable(solution: str) -> bool:
    """Whether somebody could follow it step by step, and a procedure hold it."""
    said = steps(json.loads(solution))
    return len(said) <= MAX_STEPS and all(one.strip() and len(one) <= LONGEST for one in said)


def _step(one: Any) -> str:
    if isinstance(one, dict):
        one = next((one[name] for name in _NAMES if isinstance(one.get(name), str)), one)
    return one if isinstance(one, str) else json.dumps(one, ensure_ascii=False, sort_keys=True)


def _mark(gist: str, same: str) -> str:
    return blake2b(f"{gist}\0{same}".encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
