"""Many things for a person to read: a line or two each, what they are told by first."""

from __future__ import annotations

import json

from experience.cli.show import WIDTH, one_line, out, say, solution
from experience.context.assemble import REASONS
from experience.models import Experience, Injection, MemoryItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from experience.desks.audit import Audit
    from experience.models import Captured, Considered, Episode, Event, MemoryHit, Procedure
    from experience.settings import Setting

_encode = json.JSONEncoder(ensure_ascii=False).encode


def experiences(found: Iterable[Experience]) -> None:
    """One line each."""
    for one in found:
        out(f"{one.id}  {one.created_at:%Y-%m-%d}  {one.success_score:.2f}  {one.type:15}  {one_line(one.intent)}")


def memories(found: Sequence[MemoryItem]) -> None:
    """One line each: the id, when, how pressing, what it says, and whatever keeps it from being injected."""
    for one in found:
        told = f"{one.id}  {one.created_at:%Y-%m-%d}  {one.priority:8}  {one.type:12}"
        out(f"{told}  {one_line(one.content)}{_besides(one)}")
    if not found:
        say("there is no such memory")


def recalled(found: Sequence[MemoryHit]) -> None:
    """One line each, the best first."""
    for hit in found:
        out(f"{hit.score:.3f}  {hit.id}  {hit.memory.type:12}  {one_line(hit.memory.content)}{_besides(hit.memory)}")
    if not found:
        say("nothing like it was learned yet")


def history(found: Iterable[Mapping[str, Any]]) -> None:
    """One line each: until when it held, what became of it, and what it said."""
    for one in found:
        out(f"{one['until']:%Y-%m-%d %H:%M:%S}  {one['kind']:10}  {one_line(one['content'])}")


def episodes(found: Sequence[Episode]) -> None:
    """One line each."""
    for one in found:
        out(f"{one.id}  {one.created_at:%Y-%m-%d}  {one_line(one.outcome or '-'):10}  {one_line(one.event)}")
    if not found:
        say("there is no such episode")


def captured(found: Sequence[Captured]) -> None:
    """One line each: what it becomes, its words, and the pattern that saw it."""
    for one in found:
        id = f"{one.id}  " if one.id else ""
        out(f"{id}{one.priority:8}  {one.type:12}  {one_line(one.text)}  ({one.pattern})")
    if not found:
        say("it says nothing that is worth keeping")


def explained(one: Injection) -> None:
    """What the block was for, then a line for each thing that was considered: the score, and why it is in or not."""
    taken = sum(each.taken for each in one.trace)
    out(f"{one.id}  {one.created_at:%Y-%m-%d %H:%M:%S}  {one_line(one.prompt)}")
    out(f"{one.tokens} of at most {one.budget} tokens, {taken} of {len(one.trace)} considered are in")
    for each in one.trace:
        out(f"{'in ' if each.taken else 'out'}  {each.layer}  {each.score:7.3f}  {each.tokens:>4}  {each.id:14}  "
            f"{each.reason}: {REASONS[each.reason]}")  # fmt: skip


def reason(one: Considered) -> None:
    """Whether a thing is in, why, and the parts of its score."""
    out(f"{one.id} is {'in' if one.taken else 'not in'}: {REASONS[one.reason]} ({one.reason})")
    if one.parts:
        out(f"score {one.score:.3f} of " + ", ".join(f"{name} {part:.3f}" for name, part in one.parts.items()))


def credited(after: Experience | MemoryItem | Procedure | Injection) -> None:
    """How what an outcome was about stands now."""
    if isinstance(after, Experience):
        out(f"{after.id}  success {after.success_score:.2f}, used {after.use_count} times")
    elif isinstance(after, MemoryItem):
        out(f"{after.id}  trusted as {after.trust}{_besides(after)}")
    elif isinstance(after, Injection):
        credited = sum(one.taken and one.kind == "experience" for one in after.trace)
        out(f"{after.id}  entries {len(after.items)}, experiences credited {credited}")
    else:
        out(f"{after.id}  worked {after.success_count} times, failed {after.failure_count} times")


def audit(found: Audit) -> None:
    """A table of rates, and for each kind of trouble what to do about it and the first ids."""
    out(f"{'memories':14}  {found.memories:>6}")
    out(f"{'experiences':14}  {found.experiences:>6}")
    for one in found.findings:
        out(f"{one.kind:14}  {one.count:>6}  {one.rate:7.2%}  {_first(one.ids, one.count)}".rstrip())
    for one in found.findings:
        if one.count:
            say(f"{one.kind}: {one.advice}")


def events(found: Iterable[Event]) -> None:
    """One line each."""
    for one in found:
        data = one_line(_encode(one.data))
        out(f"{one.seq:>7}  {one.at:%Y-%m-%d %H:%M:%S}  {one.type:22}  {one.subject:14}  {one.actor:6}  {data}")


def settings(found: Iterable[Setting]) -> None:
    """One line each."""
    for one in found:
        out(f"{one.name:17} {one_line(str(one.value)):12} {one.source:10} {one.help}")


def _first(ids: Sequence[str], count: int) -> str:
    """As many ids as a line takes."""
    shown = list(ids)
    while len(" ".join(shown)) > WIDTH // 2:
        shown.pop()
    return " ".join([*shown, "…"] if len(shown) < count else shown)


def _besides(one: MemoryItem) -> str:
    """What else a person should know of a memory, in brackets."""
    states = {
        "archived": one.archived_at, "in quarantine": one.quarantined_at,
        f"replaced by {one.superseded_by}": one.superseded_by, f"folded into {one.folded_into}": one.folded_into,
        f"for {solution(one.scope)}": one.scope,
    }  # fmt: skip
    told = [words for words, holds in states.items() if holds]
    return f"  ({'; '.join(told)})" if told else ""
