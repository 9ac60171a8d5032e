"""Promote: what happened three times becomes one memory; what worked three times is proposed as a procedure.

Nothing is invented: a memory made here says what one of its episodes said, and links to all of them. A procedure is
only ever proposed; a person decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING

from experience.capture import trust
from experience.clock import to_text
from experience.desks.intake import Intake
from experience.desks.memories import MemoryDesk
from experience.ids import ALPHABET
from experience.layers.memories import strength
from experience.models import TRUST
from experience.values import Value
from jobs import proposals
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import TypeAlias

    from experience.models import Episode, MemoryItem
    from jobs.night import Night

    Groups: TypeAlias = dict[str, "Group"]

NAME = "promote"
ENOUGH = 3
LONGEST = 1_000  # characters of an episode that become a memory
_FAILED = re.compile(
    r"fail|error|crash|broke|denied|refused|reject|time[sd]?[ -]?out|timeout|wrong|bug\b|abort|block|stuck|lost|corrupt"
    r"|unable|cannot|can't|regress|revert|rolled back|leak|missing|unsuccessful|exception|killed|worse|bad\b"
    r"|\b(?:did|does|was|is|has|have|had|could|would)(?:n't| not| never)\b|\bnot? (?:ok|okay|good|done|working|success)"
)
_WORKED = re.compile(
    r"success|succeed|\bpass(?:ed|es)?\b|\bworked?\b|works\b|\bdone\b|fixed|solved|resolved|complet|\bok(?:ay)?\b|green"
    r"|shipped|deployed|merged|approved|finished|\bgood\b|faster|improved|\bwon\b"
)
_TROUBLE = r"(?:errors?|failures?|crash\w*|bugs?|regressions?|time-?outs?|leaks?)\b"
_CLEAN = re.compile(rf"\b(?:no|without|zero|0) (?:\w+ )?{_TROUBLE}")
_OVERCOME = re.compile(rf"\b(?:after|despite) (?:\w+ ){{0,2}}{_TROUBLE}")


class Group(Value):
    """The episodes that share a tag and an outcome, oldest first."""

    id: str  # of the memory that comes of it
    tag: str
    outcome: str
    episodes: tuple[Episode, ...]


def plan(night: Night) -> list[Change]:
    """The episodes that came up often enough, and the procedures to propose."""
    groups = grouped(night.shelf.episodes.everything(), night.shelf.project)
    used = {source for _, source in night.shelf.links.all()}
    found = {id: one for id in groups if (one := night.shelf.memories.find(id))}
    linked = {id: set(night.shelf.links.sources(id)) for id in found}
    gone = _forgotten(night, groups.keys() - found.keys())
    old = [change for id, one in found.items() if (change := grown(groups[id], one, linked[id]))]
    used.update(source for change in old for source in change.became["sources"])
    return [*old, *fresh(groups.values(), used, found.keys() | gone), *proposals.plan(night, NAME)]


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Make the memories, tie the links, put the questions."""
    ways = {"promoted": _promote, "linked": _link, "proposed": proposals.propose}
    return [change for change in changes if ways[change.action](night, change)]


def grouped(episodes: Iterable[Episode], project: str) -> Groups:
    """The episodes by each tag and outcome they have, however those are typed. Pure."""
    found: dict[tuple[str, str], list[Episode]] = defaultdict(list)
    for one in episodes:
        for tag in dict.fromkeys(_plain(tag) for tag in one.tags) if one.outcome else ():
            found[tag, _plain(one.outcome or "")].append(one)
    return {
        (id := _id(project, *pair)): Group(id=id, tag=pair[0], outcome=pair[1], episodes=tuple(some))
        for pair, some in found.items()
        if len(some) >= ENOUGH
    }


def fresh(groups: Iterable[Group], used: Collection[str], taken: Collection[str]) -> list[Change]:
    """A memory for each group with enough episodes that none was made of yet, the largest group first. Pure."""
    left, found = set(used), []
    for group in sorted(groups, key=lambda one: (-len(one.episodes), one.tag, one.outcome)):
        some = trusted([one for one in group.episodes if one.id not in left])
        if some and group.id not in taken:
            left.update(one.id for one in some)
            found.append(_promotion(group, some))
    return found


def trusted(episodes: Sequence[Episode]) -> list[Episode]:
    """The most trusted of them that are enough: what an untrusted source adds must not pull the rest down. Pure."""
    for least in range(len(TRUST)):
        some = [one for one in episodes if trust.rank(one.trust) <= least]
        if len(some) >= ENOUGH:
            return some
    return []


def grown(group: Group, made: MemoryItem, linked: Collection[str]) -> Change | None:
    """What came since and is no less trusted than the memory is one more source, and reinforces it. Pure."""
    more = [one for one in group.episodes if one.id not in linked and trust.rank(one.trust) <= trust.rank(made.trust)]
    if not more:
        return None
    count, moment = made.reinforcement_count + len(more), max([made.accessed_at, *(one.created_at for one in more)])
    return Change(
        step=NAME, action="linked", kind="memory", subject=made.id,
        was={
            "reinforcement_count": made.reinforcement_count, "accessed_at": to_text(made.accessed_at),
            "strength": strength(made.type, made.reinforcement_count, made.accessed_at),
        },
        became={
            "reinforcement_count": count, "accessed_at": to_text(moment),
            "strength": strength(made.type, count, moment), "sources": [one.id for one in more],
        },
    )  # fmt: skip


def type_of(outcome: str) -> str:
    """What such an outcome teaches: a pitfall where it failed, a workflow where it worked, else a fact. Pure."""
    said = outcome.casefold()
    if _FAILED.search(_OVERCOME.sub("", _CLEAN.sub("", said))):
        return "pitfall"
    return "workflow" if _WORKED.search(said) or _CLEAN.search(said) else "fact"


def _promotion(group: Group, some: Sequence[Episode]) -> Change:
    said = _short(min((one.event for one in some), key=lambda event: (len(event), event)))
    first = some[0]
    named = next(tag for tag in first.tags if _plain(tag) == group.tag)
    shared = [tag for tag in first.tags if all(_plain(tag) in map(_plain, one.tags) for one in some)]
    return Change(
        step=NAME, action="promoted", kind="memory", subject=group.id, was={},
        became={
            "type": type_of(group.outcome), "content": f"{said} (again and again: {named} → {first.outcome})",
            "tags": shared, "trust": trust.lowest(*(one.trust for one in some)), "sources": [one.id for one in some],
        },
    )  # fmt: skip


def _promote(night: Night, change: Change) -> bool:
    """Store the memory, unless it is there or too few of its episodes are."""
    shelf, made = night.shelf, change.became
    here = [id for id in made["sources"] if shelf.episodes.find(id)]
    if len(here) < ENOUGH or shelf.memories.find(change.subject) is not None:
        return False
    desk = MemoryDesk(shelf, lambda make: None, night.memory.settings, lambda: night.now, "night")
    new = desk.checked(
        Intake(), content=made["content"], type=made["type"], tags=made["tags"], reach=shelf.reach,
        source=f"{made['trust']}:night",
    ).replace(id=change.subject, claim=None)  # fmt: skip
    key = shelf.memories.insert(new, night.now)
    shelf.links.tie(new.id, here)
    night.tell("memory.promoted", new.id, key=key, type=new.type, trust=new.trust, sources=here)
    return True


def _link(night: Night, change: Change) -> bool:
    """Tie the new sources, unless the memory changed since they were planned."""
    columns = {name: value for name, value in change.became.items() if name != "sources"}
    if night.shelf.memories.columns(change.subject, list(columns)) != change.was:
        return False
    night.shelf.links.tie(change.subject, change.became["sources"])
    key = night.shelf.memories.change(change.subject, **columns)
    night.tell("memory.linked", change.subject, key=key, sources=change.became["sources"])
    return True


def _forgotten(night: Night, ids: Iterable[str]) -> set[str]:
    """What a person has forgotten is not made a second time."""
    return {id for id in ids if night.shelf.events.list(type="memory.forgotten", subject=id, limit=1)}


def _short(event: str) -> str:
    return event if len(event) <= LONGEST else f"{event[:LONGEST].rsplit(' ', 1)[0]} …"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _id(*parts: str) -> str:
    """The same for the same project, tag and outcome: two runs can never make two memories of one group."""
    digest = blake2b("\0".join(parts).encode(), digest_size=7).digest()
    return "".join(ALPHABET[byte & 31] for byte in digest)
