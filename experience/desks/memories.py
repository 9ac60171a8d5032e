"""The desk of memories: learning without repeating, superseding without losing, and what is done to one by its id."""

from __future__ import annotations

from experience import analyzer, checks, globs
from experience.capture import likeness, trust
from experience.capture.keywords import keywords_of, title_of
from experience.clock import to_text
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.errors import InvalidInput, NotFound
from experience.ids import new_id
from experience.layers.memories import NewMemory, most_pressing, strength
from experience.models import MEMORY_TYPES, PRIORITIES, REACHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Any

    from experience.db import Value as Column
    from experience.desks.shelf import Shelf
    from experience.models import Json, MemoryItem

PRIORITY = {
    "policy": "critical", "workflow": "high", "pitfall": "high", "architecture": "high", "decision": "medium",
    "preference": "medium", "fact": "normal",
}  # fmt: skip
ALIKE = 12  # memories looked at for one that says the same in other words
RAREST = 6  # terms they are looked up by
FORGOTTEN = "[forgotten]"
CONTRADICTS = "it contradicts a memory that is trusted more"


class MemoryDesk(Desk):
    """Learns memories and keeps them true."""

    def learn(self, content: str, type: str = "fact", **given: Any) -> MemoryItem:
        """Store a statement; said before, it is reinforced; another value of a known claim supersedes the old one."""
        intake, now = Intake(), self.now()
        new = self.checked(intake, content=content, type=type, **given)
        shelf = self.shelf(new.reach)
        with shelf.store.transaction():  # the look for a twin, too: of two who learn at once one reinforces the other
            twin = self._twin(shelf, new)
            if twin is not None:
                return self._reinforced(shelf, twin, new, now, intake)
            return self._inserted(shelf, new, now, intake)

    def checked(
        self,
        intake: Intake,
        *,
        content: str,
        type: str = "fact",
        priority: str | None = None,
        scope: str | None = None,
        tags: Iterable[str] = (),
        reach: str = "project",
        source: str = "user",
        context: str | None = None,
        title: str | None = None,
        keywords: str | Iterable[str] | None = None,
        quarantine: bool = False,
    ) -> NewMemory:
        """A memory as it will be stored, every field checked, nothing stored yet."""
        kind = checks.one_of("type", type, MEMORY_TYPES)
        said = intake.text("content", content).strip()
        named = intake.text("title", title, most=200).strip() if title else title_of(said)
        source = intake.text("source", source, most=200)
        before = intake.beginning("context", context, most=2000) if context else ""
        known: dict[str, Any] = {
            "title": named, "content": said, "keywords": filed(intake, keywords) or keywords_of(named, said),
            "scope": globs.checked("scope", scope) if scope is not None else None, "tags": intake.tags(tags),
        }  # fmt: skip
        columns: dict[str, Any] = indexed(**known)
        vouched = trust.trust_of(source)
        return NewMemory(
            id=new_id(length=7), reach=checks.one_of("reach", reach, REACHES), type=kind,
            priority=checks.one_of("priority", priority or PRIORITY[kind], PRIORITIES), trust=vouched, source=source,
            context=before, claim=_claim(said), quarantine_reason=_quarantine(vouched, quarantine),
            fingerprint=likeness.fingerprint(said), follows=likeness.fingerprint(before) if before.strip() else None,
            context_terms=tuple(analyzer.terms(before)), **known, **columns,
        )  # fmt: skip

    def scoped(self, path: str) -> list[MemoryItem]:
        """The current memories whose scope covers a path: most pressing first, then strongest."""
        found = []
        for shelf in self.shelves():
            covering = [scope for scope in shelf.memories.scopes() if globs.matches(scope, path)]
            found += shelf.memories.in_scopes(covering, 1000)
        return sorted(found, key=most_pressing)

    def get(self, id: str) -> MemoryItem:
        """The memory with this id, on whichever shelf."""
        return self.held(id)[1]

    def held(self, id: str) -> tuple[Shelf, MemoryItem]:
        """The memory with this id and the shelf that holds it."""
        for shelf in self.shelves():
            found = shelf.memories.find(id)
            if found is not None:
                return shelf, found
        raise NotFound("memory", id)

    def listed(self, **filters: Any) -> list[MemoryItem]:
        """Memories in one state, the newest first."""
        found = [one for shelf in self.shelves() for one in shelf.memories.list(**filters)]
        return sorted(found, key=lambda one: to_text(one.created_at), reverse=True)[: filters.get("limit", 100)]

    def update(self, id: str, *, source: str | None = None, **changes: Any) -> MemoryItem:
        """Change the given fields; what it said before is kept as a version. A *source* may lower the trust."""
        allowed = {"content", "type", "priority", "scope", "tags", "title", "keywords"}
        if not changes or not changes.keys() <= allowed:
            raise InvalidInput(f"update takes one or more of {', '.join(sorted(allowed))}; got {sorted(changes)}")
        intake, now, (shelf, _) = Intake(), self.now(), self.held(id)
        with shelf.store.transaction():
            was = shelf.memories.get(id)  # as it is now: somebody else may have changed another field
            fields = {name: getattr(was, name) for name in allowed}
            if "content" in changes:  # derived where nobody says otherwise
                fields |= {"title": None, "keywords": None}
            said_by = was.source if source is None else source
            new = self.checked(intake, **{**fields, **changes}, reach=was.reach, source=said_by)
            rivals = _rivals(shelf, was.replace(claim=new.claim, scope=new.scope)) if _holds(was) else []
            standing = _lowered(was, new, rivals, now)
            shelf.memories.keep_version(was, now, self.actor)
            key = shelf.memories.change(
                id, **_columns(new), **standing, updated_at=to_text(max(was.updated_at, now)),
                strength=strength(new.type, was.reinforcement_count, was.accessed_at),
            )  # fmt: skip
            self._tell(shelf, "memory.updated", id, now, key=key, fields=sorted(changes), **intake.told())
            self._supersede(shelf, rivals if "quarantined_at" not in standing else (), id, now)
            return shelf.memories.get(id)

    def forget(self, id: str) -> None:
        """Remove a memory for good, every word of it; the event log keeps its id alone.

        Its words go from the messages it was captured from and from the blocks it stood in, too.
        """
        now, (shelf, was) = self.now(), self.held(id)
        with self.project.store.transaction():
            self.project.injections.redact(id)
            for turn in self.project.episodic.saying(was.content):
                rest = turn.content.replace(was.content, FORGOTTEN)
                self.project.episodic.rewrite(turn.id, rest, analyzer.terms(rest))
        with shelf.store.transaction():
            key = shelf.memories.delete(id)
            shelf.index("memories").forget_erased()
            shelf.nights.erase(id)
            shelf.reviews.erase(id)
            self.project.outcomes.erase(id)
            self._tell(shelf, "memory.forgotten", id, now, key=key)
        shelf.store.sweep()

    def archive(self, id: str) -> MemoryItem:
        """Put a memory out of reach of injection; it is still found. Archiving twice is harmless."""
        now, (shelf, _) = self.now(), self.held(id)
        with shelf.store.transaction():
            was = shelf.memories.get(id)
            key = shelf.memories.change(id, archived_at=to_text(was.archived_at or now))
            self._tell(shelf, "memory.archived", id, now, key=key)
            return shelf.memories.get(id)

    def restore(self, id: str) -> MemoryItem:
        """Bring an archived memory back, its decay starting anew."""
        return self._brought_back(id, "memory.restored")

    def remember(self, id: str) -> MemoryItem:
        """Reset the decay timer, as "remember this" asks for; an archived memory comes back."""
        return self._brought_back(id, "memory.remembered")

    def release(self, id: str, *, vouched: str) -> MemoryItem:
        """Let a quarantined memory out: a person or a verified outcome vouches for it."""
        return self._brought_back(id, "memory.released", vouched=vouched)

    def history(self, id: str) -> list[dict[str, Any]]:
        """What a memory said before each edit, and what it replaced, oldest first."""
        shelf, _ = self.held(id)
        edits = [{"kind": "edited", **version} for version in shelf.memories.versions(id)]
        replaced = [
            {"kind": "superseded", "id": old.id, "content": old.content, "until": old.valid_to or old.updated_at}
            for old in shelf.memories.replaced_by(id)
        ]
        return sorted([*edits, *replaced], key=lambda one: to_text(one["until"]))

    def touch(self, found: Iterable[MemoryItem], now: datetime) -> dict[str, MemoryItem]:
        """Count one recall of each: it is reinforced and its decay starts anew. Returns them as they are now, by id."""
        fresh: dict[str, MemoryItem] = {}
        for shelf in self.shelves():
            ids = [one.id for one in found if one.reach == shelf.reach]
            if not ids:
                continue
            with shelf.store.transaction():
                there = shelf.memories.by_ids(ids)  # others may have counted meanwhile, or forgotten one
                for one in there:
                    shelf.memories.change(one.id, **_touched(one, now, again=1))
                if there:
                    self._tell(shelf, "memory.recalled", "", now, ids=[one.id for one in there])
                fresh |= {one.id: one for one in shelf.memories.by_ids(ids)}
        return fresh

    def _twin(self, shelf: Shelf, new: NewMemory) -> MemoryItem | None:
        """The memory that says the same already: in the same words, or in words that mean no less and no more."""
        exact = shelf.memories.alike(new.fingerprint, new.reach, new.scope)
        if exact:
            return exact[0]
        distinct = list(dict.fromkeys(new.terms))
        if len(distinct) < 3:
            return None
        index = shelf.index("memories")
        counts = index.document_counts(distinct)
        rarest = sorted((counts[term], term) for term in distinct if term in counts)[:RAREST]
        near = index.matching([(term, 1 / (1 + count), 1.0) for count, term in rarest], ALIKE) if rarest else []
        for one in shelf.memories.by_keys([key for key, _ in near]).values() if near else ():
            apart = one.superseded_by or one.folded_into or one.reach != new.reach or one.scope != new.scope
            if not apart and likeness.same(one.content, new.content):
                return one
        return None

    def _reinforced(self, shelf: Shelf, twin: MemoryItem, new: NewMemory, now: datetime, intake: Intake) -> MemoryItem:
        """Said again: by somebody trusted no less it counts, and lets an archived memory out; by a person, any."""
        if trust.rank(new.trust) > trust.rank(twin.trust) or (new.quarantine_reason and not twin.quarantine_reason):
            return twin  # a source trusted less can neither strengthen nor change it
        if twin.quarantine_reason and not new.quarantine_reason and new.trust not in trust.VOUCHING:
            return twin  # an agent that repeats what a page said does not vouch for it
        rivals = [] if new.quarantine_reason or _holds(twin) else _rivals(shelf, twin)
        if _overruled(new.trust, rivals):
            return twin  # what is trusted more says otherwise
        changes = _touched(twin, now, again=1) | {"archived_at": None, "trust": new.trust}
        if not new.quarantine_reason:
            changes |= _freed(twin, now)
        tags = tuple(dict.fromkeys((*twin.tags, *new.tags)))
        if PRIORITIES.index(new.priority) < PRIORITIES.index(twin.priority):
            count = twin.reinforcement_count + 1
            changes |= {"priority": new.priority, "type": new.type}
            changes |= {"strength": strength(new.type, count, max(twin.accessed_at, now))}
        if tags != twin.tags:
            fresh = indexed(title=twin.title, content=twin.content, keywords=twin.keywords, scope=twin.scope, tags=tags)
            changes |= {"tags": _json(tags), "tag_terms": " ".join(fresh["tag_terms"])}
        key = shelf.memories.change(twin.id, **changes)
        self._tell(shelf, "memory.reinforced", twin.id, now, key=key, **intake.told())
        self._supersede(shelf, rivals, twin.id, now)
        return shelf.memories.get(twin.id)

    def _inserted(self, shelf: Shelf, new: NewMemory, now: datetime, intake: Intake) -> MemoryItem:
        replaced = _holding(shelf, new)
        if _overruled(new.trust, replaced):
            new = new.replace(quarantine_reason=CONTRADICTS)
        while (key := shelf.memories.insert(new, now)) is None:
            new = new.replace(id=new_id(length=7))  # in a large store somebody already has that name
        self._tell(
            shelf, "memory.learned", new.id, now, key=key, type=new.type, trust=new.trust,
            quarantined=bool(new.quarantine_reason), **intake.told(),
        )  # fmt: skip
        if not new.quarantine_reason:
            self._supersede(shelf, replaced, new.id, now)
        return shelf.memories.get(new.id)

    def _supersede(self, shelf: Shelf, replaced: Iterable[MemoryItem], by: str, now: datetime) -> None:
        for old in replaced:
            gone = shelf.memories.change(old.id, superseded_by=by, valid_to=to_text(max(old.valid_from, now)))
            self._tell(shelf, "memory.superseded", old.id, now, key=gone, by=by)

    def _brought_back(self, id: str, event: str, **data: str) -> MemoryItem:
        """A memory out of the archive, or out of quarantine for whom *vouched* is given; it replaces its rivals."""
        now, (shelf, _) = self.now(), self.held(id)
        with shelf.store.transaction():
            was, vouched = shelf.memories.get(id), data.get("vouched")
            returning = bool(vouched) or bool(was.archived_at and not was.quarantined_at)
            rivals = _rivals(shelf, was) if returning else []
            if _overruled(vouched or was.trust, rivals):
                return was  # what is trusted more says otherwise
            freed = {**_freed(was, now), "trust": vouched} if vouched else {"archived_at": None}
            key = shelf.memories.change(id, **freed, **_touched(was, now))
            self._tell(shelf, event, id, now, key=key, **data)
            self._supersede(shelf, rivals, id, now)
            return shelf.memories.get(id)

    def _tell(self, shelf: Shelf, event: str, subject: str, now: datetime, **data: Json) -> None:
        shelf.events.append(event, subject, now, actor=self.actor, **data)


def filed(intake: Intake, keywords: str | Iterable[str] | None) -> str:
    """Keywords as they are stored: words separated by `|`."""
    words = keywords.split("|") if isinstance(keywords, str) else [] if keywords is None else keywords
    if not isinstance(words, list | tuple | set | frozenset) or not all(isinstance(word, str) for word in words):
        raise InvalidInput(f"keywords must be words, as 'a|b' or as a list, not {keywords!r}")
    joined = "|".join(filter(None, dict.fromkeys(word.replace("|", " ").strip() for word in words)))
    return intake.text("keywords", joined) if joined else ""


def indexed(
    *, title: str, content: str, keywords: str, scope: str | None, tags: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """The search terms of a memory by column; title and keywords add only what the content does not say."""
    said = analyzer.terms(content)
    more = [term for term in analyzer.terms(f"{title} {keywords.replace('|', ' ')}") if term not in said]
    return {
        "terms": (*said, *dict.fromkeys(more)),
        "tag_terms": tuple(analyzer.terms(" ".join(tags))),
        "scope_terms": tuple(analyzer.terms(scope.replace("/", " ").replace("*", " ")) if scope else ()),
    }


def _touched(was: MemoryItem, at: datetime, *, again: int = 0) -> dict[str, Column]:
    """The columns of a decay that starts anew; a clock that went backwards takes nothing away."""
    count, moment = was.reinforcement_count + again, max(was.accessed_at, at)
    return {
        "reinforcement_count": count, "accessed_at": to_text(moment), "strength": strength(was.type, count, moment)
    }  # fmt: skip


def _columns(new: NewMemory) -> dict[str, Column]:
    """What an edit may change, as columns."""
    plain = {name: getattr(new, name) for name in ("type", "priority", "content", "title", "keywords", "scope")}
    terms = {name: " ".join(getattr(new, name)) for name in ("terms", "tag_terms", "scope_terms")}
    return {**plain, **terms, "tags": _json(new.tags), "claim": new.claim, "fingerprint": new.fingerprint}


def _freed(was: MemoryItem, at: datetime) -> dict[str, Column]:
    """The columns of a memory that is out of quarantine: from now on it holds."""
    since = max(was.valid_from, at) if was.quarantined_at else was.valid_from
    return {"quarantined_at": None, "quarantine_reason": None, "valid_from": to_text(since)}


def _lowered(was: MemoryItem, new: NewMemory, rivals: Iterable[MemoryItem], at: datetime) -> dict[str, Column]:
    """The columns of a memory that somebody trusted less rewrote, or that now contradicts one trusted more."""
    columns: dict[str, Column] = {}
    reason, trusted = None, was.trust
    if trust.rank(new.trust) > trust.rank(was.trust) and new.source != was.source:
        columns = {"trust": new.trust, "source": new.source}
        reason, trusted = new.quarantine_reason, new.trust
    if _overruled(trusted, rivals):
        reason = CONTRADICTS
    return {**columns, "quarantined_at": to_text(at), "quarantine_reason": reason} if reason else columns


def _holds(one: MemoryItem) -> bool:
    """Whether a memory is held true now."""
    return not (one.quarantined_at or one.archived_at or one.superseded_by or one.folded_into)


def _rivals(shelf: Shelf, one: MemoryItem) -> list[MemoryItem]:
    """What says otherwise than a memory that is about to be held true."""
    if one.superseded_by or one.folded_into:
        return []
    return [other for other in _holding(shelf, one) if other.id != one.id]


def _holding(shelf: Shelf, new: NewMemory | MemoryItem) -> list[MemoryItem]:
    """What gives the same thing another value; where several may hold at once, a person decides."""
    if not new.claim or new.claim.startswith("?"):
        return []
    return shelf.memories.holding(new.claim, new.reach, new.scope)


def _overruled(trusted: str, others: Iterable[MemoryItem]) -> bool:
    """Whether one of the others is trusted more."""
    return any(trust.rank(trusted) > trust.rank(one.trust) for one in others)


def _json(words: tuple[str, ...]) -> str:
    return checks.json_text("tags", list(words))


def _claim(content: str) -> str | None:
    from experience.capture.claims import claim

    found = claim(content)
    if found is None:
        return None
    return found.key if found.sure else f"?{found.key}"  # several values may hold at once: a person decides


def _quarantine(vouched: str, asked: bool) -> str | None:
    if vouched in trust.UNVOUCHED:
        return f"its source is only trusted as {vouched}; nobody vouches for it yet"
    return "it was not said by the user; nobody vouches for it yet" if asked else None
