"""Dedupe: what says the same becomes one, the copy that has proven itself most; see `jobs.copies` for who gives what.

A memory that folds keeps its row and its text and points at the one that stays; an experience leaves its table and can
be brought back. Experiences are the same only with the same solution: two ways to one end are two experiences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobs import copies, twins
from jobs.copies import Fold, Memo, Trial
from jobs.night import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from jobs.night import Night

NAME = "dedupe"
AT_ONCE = 500  # parameters in one statement


def plan(night: Night) -> list[Change]:
    """Every fold, what it makes of the copy that stays, and whatever pointed at a copy that goes."""
    memos = [Memo._make(row) for row in night.shelf.memories.copies()]
    changes, gone = [], {one.id: one.folded_into for one in memos if one.folded_into is not None}
    for keeper, dropped in memory_folds(memos):
        gone.update((one.id, keeper.id) for one in dropped)
        changes += _folded("memory", keeper.id, [one.id for one in dropped])
        changes += _united("memory", keeper.id, *copies.united_memory(keeper, dropped), _givers(keeper, dropped))
    changes += pointers(memos, gone)
    del memos
    for keeper, dropped in experience_folds(Trial._make(row) for row in night.shelf.experiences.copies()):
        ids = [one.id for one in dropped]
        rows = _rows(night, [keeper.id, *ids])
        if len(rows) == len(ids) + 1:  # all are still there
            changes += _folded("experience", keeper.id, ids)
            changes += _united(
                "experience", keeper.id, *copies.united_experience(rows[keeper.id], [rows[id] for id in ids])
            )
    return changes


def memory_folds(memos: Iterable[Memo]) -> list[Fold]:
    """How memories fold; what was folded or superseded already stands for itself no longer. Pure."""
    standing = [one for one in memos if one.folded_into is None and one.superseded_by is None]
    found = []
    for numbers in twins.groups([one.content for one in standing], [one.reach for one in standing]):
        for keeper, dropped in copies.memory_folds(standing[number] for number in numbers):
            close = [one for one in dropped if twins.alike(keeper.content, one.content)]
            found += [Fold(keeper, close)] if close else []
    return found


def experience_folds(trials: Iterable[Trial]) -> list[Fold]:
    """How experiences fold; only those that share a solution are compared. Pure."""
    by_solution: dict[tuple[str, str], list[Trial]] = {}
    for one in trials:
        by_solution.setdefault((one.type, copies.canonical(one.solution)), []).append(one)
    shared = {kind: some for kind, some in by_solution.items() if len(some) > 1}
    flat = [(number, one) for number, some in enumerate(shared.values()) for one in some]
    found = []
    for numbers in twins.groups([one.intent for _, one in flat], [number for number, _ in flat]):
        keeper, dropped = copies.trial_fold(flat[number][1] for number in numbers)
        close = [one for one in dropped if twins.alike(keeper.intent, one.intent)]
        found += [Fold(keeper, close)] if close else []
    return found


def pointers(memos: Iterable[Memo], gone: dict[str, str]) -> list[Change]:
    """What pointed at a memory that folds points at the one that stays. Pure."""
    found = []
    for one in memos:
        for name, at in (("folded_into", one.folded_into), ("superseded_by", one.superseded_by)):
            if at is not None and (end := _end(at, gone)) not in (at, one.id):
                found.append(
                    Change(
                        step=NAME, action="pointed", kind="memory", subject=one.id, was={name: at}, became={name: end}
                    )
                )
    return found


def apply(night: Night, changes: Sequence[Change]) -> list[Change]:
    """Fold what is still the same; each fold is whole: the copy that goes and what the other gains by it."""
    made = []
    for kind, fold in (("memory", _fold_memories), ("experience", _fold_experiences)):
        into: dict[str, list[str]] = {}
        for one in changes:
            if one.action == "folded" and one.kind == kind:
                into.setdefault(one.became["folded_into"], []).append(one.subject)
        made += fold(night, into) if into else []
    return made + _point(night, [one for one in changes if one.action == "pointed"])


def _fold_memories(night: Night, into: dict[str, list[str]]) -> list[Change]:
    made, keys = [], {}
    here = {one.id: one for one in _memos(night, [*into, *(id for ids in into.values() for id in ids)])}
    for keeper, dropped in _still(into, here):
        before, after = copies.united_memory(keeper, dropped)
        for one in dropped:
            keys[one.id] = night.shelf.memories.change(one.id, folded_into=keeper.id)
        made += _folded("memory", keeper.id, [one.id for one in dropped])
        if after:
            keys[keeper.id] = night.shelf.memories.change(keeper.id, **after)
            night.shelf.links.tie(keeper.id, _givers(keeper, dropped))
        made += _united("memory", keeper.id, before, after, _givers(keeper, dropped))
    _tell(night, made, keys)
    return made


def _fold_experiences(night: Night, into: dict[str, list[str]]) -> list[Change]:
    layer, made = night.shelf.experiences, []
    rows = {row["id"]: row for row in layer.rows([*into, *(id for ids in into.values() for id in ids)])}
    keys: dict[str, int] = {}
    for keeper, ids in into.items():
        close = [rows[id] for id in ids if id in rows and keeper in rows and _same_trial(rows[keeper], rows[id])]
        if close:
            before, after = copies.united_experience(rows[keeper], close)
            night.shelf.nights.retire(
                night.run, "experience", [(row["id"], row, keeper) for row in close], "folded", night.now
            )
            if after:
                keys[keeper] = layer.change(keeper, **after)
            made += _folded("experience", keeper, [row["id"] for row in close])
            made += _united("experience", keeper, before, after)
    gone = [one.subject for one in made if one.action == "folded"]
    keys |= {id: key for key, id in (layer.take_out(gone) if gone else ())}
    _tell(night, made, keys)
    return made


def _still(into: dict[str, list[str]], here: dict[str, Memo]) -> Iterator[Fold]:
    """The folds that still hold: agents may have changed either side since the plan was made."""
    for id, ids in into.items():
        keeper = here.get(id)
        if keeper is None:
            continue
        same = [here[one] for one in ids if one in here and twins.alike(keeper.content, here[one].content)]
        dropped = copies.folding(keeper, same)
        if dropped:
            yield Fold(keeper, dropped)


def _givers(keeper: Memo, dropped: Sequence[Memo]) -> list[str]:
    return [one.id for one in dropped if copies.gives(keeper, one)]


def _memos(night: Night, ids: Sequence[str]) -> list[Memo]:
    memos = [Memo._make(row) for row in night.shelf.memories.copies(ids)]
    return [one for one in memos if one.folded_into is None and one.superseded_by is None]


def _rows(night: Night, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    some = (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))
    return {row["id"]: row for part in some for row in night.shelf.experiences.rows(part)}


def _same_trial(one: dict[str, Any], other: dict[str, Any]) -> bool:
    same = one["type"] == other["type"] and copies.canonical(one["solution"]) == copies.canonical(other["solution"])
    return same and twins.alike(one["intent"], other["intent"])


def _point(night: Night, changes: Sequence[Change]) -> list[Change]:
    made, keys = [], {}
    for one in changes:
        ((name, was),) = one.was.items()
        here = night.shelf.memories.columns(one.subject, [name])
        if here == {name: was}:
            keys[one.subject] = night.shelf.memories.change(one.subject, **one.became)
            made.append(one)
    _tell(night, made, keys)
    return made


def _tell(night: Night, made: Sequence[Change], keys: dict[str, int]) -> None:
    """One event a row; live indexes follow the keys."""
    events: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for one in made:
        into = one.became.get("folded_into") or one.became.get("superseded_by")
        data = {"run": night.run, "key": keys[one.subject], **({"into": into} if into else {})}
        events.setdefault(f"{one.kind}.{one.action}", []).append((one.subject, data))
    for event, facts in events.items():
        night.shelf.events.append_many(event, facts, night.now, actor="night")


def _folded(kind: str, keeper: str, ids: Sequence[str]) -> list[Change]:
    was: dict[str, Any] = {"folded_into": None} if kind == "memory" else {}
    return [
        Change(step=NAME, action="folded", kind=kind, subject=id, was=was, became={"folded_into": keeper}) for id in ids
    ]


def _united(
    kind: str, keeper: str, before: dict[str, Any], after: dict[str, Any], sources: Sequence[str] = ()
) -> list[Change]:
    if not after:
        return []
    became = {**after, "sources": list(sources)} if sources else after
    return [Change(step=NAME, action="united", kind=kind, subject=keeper, was=before, became=became)]


def _end(at: str, gone: dict[str, str]) -> str:
    """Where a chain of folds ends."""
    seen = {at}
    while (after := gone.get(at)) is not None and after not in seen:
        seen.add(at := after)
    return at
