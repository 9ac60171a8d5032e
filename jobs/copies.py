"""Copies of one statement or of one experience: which one stays, which fold into it, and what each gives.

Trust decides first, so that nobody can use a copy to change what somebody trusted more has said:

- the copy that stays is one that is in force (not quarantined, then not archived), of those the most trusted, of those
  the best proven, of those the oldest;
- a copy trusted more than the one that stays is left alone: folding it would hand its word to the other's trust;
- a copy trusted as much gives what it has: counts are summed, tags and scopes united, the more pressing priority wins;
- a copy trusted less, or quarantined while the other is not, folds and gives nothing. All that has gone into a copy is
  therefore at least as trusted as the copy says (the lowest trust holds for the whole), and a stranger's copy can
  neither drag a policy of the user down into quarantine nor lend it weight. An experience's verified outcomes and uses
  are nobody's own word; they count from every copy.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from experience.capture.trust import rank
from experience.clock import from_text
from experience.columns import listed, words
from experience.desks.memories import indexed
from experience.globs import MOST
from experience.layers.memories import strength
from experience.learning.outcomes import posterior
from experience.models import PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    Columns: TypeAlias = dict[str, Any]

_SUMMED = ("use_count", "verified_sum", "verified_count")
_SAID = ("reported_sum", "reported_count")
_USED = ("weight", "weighed_at", "last_used_at")


class Memo(NamedTuple):
    """A memory as `layers.memories.COPY` reads it."""

    key: int
    id: str
    reach: str
    scope: str | None
    type: str
    priority: str
    content: str
    trust: str
    claim: str | None
    tags: str
    reinforcement_count: int
    accessed_at: str
    updated_at: str
    valid_from: str
    valid_to: str | None
    quarantined_at: str | None
    archived_at: str | None
    superseded_by: str | None
    folded_into: str | None


class Trial(NamedTuple):
    """An experience as `layers.experiences.COPY` reads it."""

    key: int
    id: str
    type: str
    intent: str
    solution: str
    trust: str
    verified_count: int
    success_score: float
    use_count: int
    created_at: str


class Fold(NamedTuple):
    """One copy that stays, and those that fold into it."""

    keeper: Any
    dropped: Sequence[Any]


def memory_folds(copies: Iterable[Memo]) -> list[Fold]:
    """How the memories of one statement fold: mostly into one, but none into one that is trusted less."""
    folds, left = [], sorted(copies, key=_standing)
    while len(left) > 1:
        keeper, *others = left
        dropped = folding(keeper, others)
        if dropped:
            folds.append(Fold(keeper, dropped))
        went = {one.id for one in dropped}
        left = [one for one in others if one.id not in went]
    return folds


def folding(keeper: Memo, others: Iterable[Memo]) -> list[Memo]:
    """Those that may fold into a memory, given the scope that each brings."""
    scope, found = keeper.scope, []
    for one in others:
        wider = united_scope(scope, one.scope)
        if rank(one.trust) < rank(keeper.trust) or wider == "" or (wider != scope and not gives(keeper, one)):
            continue
        scope = wider
        found.append(one)
    return found


def gives(keeper: Memo, one: Memo) -> bool:
    """Whether a copy may add to the one that stays."""
    return one.trust == keeper.trust and (one.quarantined_at is None or keeper.quarantined_at is not None)


def united_memory(keeper: Memo, dropped: Sequence[Memo]) -> tuple[Columns, Columns]:
    """The columns of a memory that change when copies fold into it: what they were, and what they become."""
    givers = [one for one in dropped if gives(keeper, one)]
    if not givers:
        return {}, {}
    everyone = [keeper, *givers]
    pressing = min(everyone, key=lambda one: PRIORITIES.index(one.priority))
    pressing = keeper if pressing.priority == keeper.priority else pressing
    scope = keeper.scope
    for one in givers:
        scope = united_scope(scope, one.scope)
    count, accessed_at = sum(one.reinforcement_count for one in everyone), max(one.accessed_at for one in everyone)
    after: Columns = {
        "reinforcement_count": count, "accessed_at": accessed_at, "priority": pressing.priority,
        "type": pressing.type, "tags": _tags(one.tags for one in everyone), "scope": scope,
        "strength": strength(pressing.type, count, from_text(accessed_at)),
    }  # fmt: skip
    before: Columns = {name: getattr(keeper, name) for name in after if name != "strength"}
    before["strength"] = strength(keeper.type, keeper.reinforcement_count, from_text(keeper.accessed_at))
    for columns in (before, after) if (before["tags"], before["scope"]) != (after["tags"], after["scope"]) else ():
        columns |= _terms(columns["tags"], columns["scope"])
    return _changed(before, after)


def trial_fold(copies: Iterable[Trial]) -> Fold:
    """How experiences of one intent and one solution fold: into the most trusted, then the best proven, the oldest."""
    keeper, *dropped = sorted(copies, key=_proof)
    return Fold(keeper, dropped)


def united_experience(keeper: Columns, dropped: Sequence[Columns]) -> tuple[Columns, Columns]:
    """The columns of an experience that change when copies fold into it: what they were, and what they become."""
    trusted = [keeper, *(one for one in dropped if rank(one["trust"]) <= rank(keeper["trust"]))]
    after: Columns = {name: sum(one[name] for one in (keeper, *dropped)) for name in _SUMMED}
    after |= {name: sum(one[name] for one in trusted) for name in _SAID}
    after["tags"] = _tags(one["tags"] for one in trusted)
    latest = max(trusted, key=lambda one: (one["last_used_at"], one["weight"]))
    after |= {name: latest[name] for name in _USED}
    sums = {name: after[name] for name in (*_SAID, "verified_sum", "verified_count")}
    after["success_score"] = posterior(**sums)
    return _changed(keeper, after)


def united_scope(one: str | None, other: str | None) -> str | None:
    """The scope that covers what either covers and no more; empty where no glob says that.

    In braces a glob is taken as it stands, so only those that mean the same there are put together.
    """
    if one == other or one is None:
        return one
    if other is None:
        return None
    parts = [part for scope in (one, other) for part in (scope[1:-1].split(",") if _choice(scope) else [scope])]
    if not all("/" in part and "*" in part and not part.endswith("/") and not set(part) & set("{},") for part in parts):
        return ""
    scope = f"{{{','.join(sorted(set(parts)))}}}"
    return scope if len(scope) <= MOST else ""


def canonical(solution: str) -> str:
    """A solution as the same text however its keys are ordered."""
    return json.dumps(json.loads(solution), ensure_ascii=False, sort_keys=True) if solution[:1] in "{[" else solution


def _standing(one: Memo) -> tuple[Any, ...]:
    return (
        one.quarantined_at is not None, one.archived_at is not None, rank(one.trust), -one.reinforcement_count,
        one.valid_from, one.key,
    )  # fmt: skip


def _proof(one: Trial) -> tuple[Any, ...]:
    return rank(one.trust), -one.verified_count, -one.success_score, -one.use_count, one.created_at, one.key


def _choice(scope: str) -> bool:
    return scope[0] == "{" and scope[-1] == "}" and "{" not in scope[1:]


def _tags(columns: Iterable[str]) -> str:
    return listed(tuple(dict.fromkeys(tag for column in columns for tag in words(column))))


def _terms(tags: str, scope: str | None) -> Columns:
    found = indexed(title="", content="", keywords="", scope=scope, tags=words(tags))
    return {name: " ".join(found[name]) for name in ("tag_terms", "scope_terms")}


def _changed(before: Columns, after: Columns) -> tuple[Columns, Columns]:
    names = [name for name, value in after.items() if before[name] != value]
    return {name: before[name] for name in names}, {name: after[name] for name in names}
