"""Rivals: memories that give one thing another value, or forbid what the other asks for.

Where they are looked for is bounded, whatever a store looks like: memories of one claim, those that are the same but
for a "not", those that like and dislike one thing, and neighbours in the order of their words. What a pair means is
then for `capture.claims` to say.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from experience.capture import claims
from experience.capture.claims import LIKING, NEGATIVE
from experience.capture.likeness import gist
from experience.capture.phrases import LONGEST
from experience.capture.trust import UNVOUCHED, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from jobs.copies import Memo

    Pair: TypeAlias = tuple[Memo, Memo]  # the newer and the older

LOOKS = 5_000  # pairs of no sure claim that one night looks at, the newest first
NEXT = 2  # neighbours in the order of words
SPAN = 4  # words in which two texts of one frame may differ
FRAME = 4  # words they must share
SHORT = 4  # letters of a word that alone tells no text from another
TURNING = NEGATIVE | {"always"}


def rivals(memos: Iterable[Memo], fresh: Callable[[Memo], bool]) -> list[tuple[Memo, Memo, str]]:
    """Newer memories with older ones that they replace, or that a person should judge; *fresh* ones are looked at."""
    by_place: dict[tuple[str, str | None], list[Memo]] = {}
    for one in sorted(filter(_weighed, memos), key=_age):
        by_place.setdefault((one.reach, one.scope), []).append(one)
    sure = [pair for some in by_place.values() for pair in _claiming(some)]
    ways = (_doubtful, _turned, _cooled, _framed)
    found = {(a.id, b.id): (a, b) for some in by_place.values() for find in ways for a, b in find(some)}
    loose = sorted((pair for pair in found.values() if any(map(fresh, pair))), key=lambda pair: _age(pair[0]))
    replaced: dict[str, tuple[Memo, Memo, str]] = {}
    unclear: dict[tuple[str, str], tuple[Memo, Memo, str]] = {}
    for newer, older in [*sure, *loose[-LOOKS:]]:
        said = verdict(newer, older) if older.id not in replaced else ""
        if said == "replace":
            replaced[older.id] = newer, older, said
        elif said:
            unclear[newer.id, older.id] = newer, older, said
    return [*replaced.values(), *(one for ids, one in unclear.items() if replaced.keys().isdisjoint(ids))]


def verdict(newer: Memo, older: Memo) -> str:
    """`replace` where the newer takes the older back, `ask` where a person should say, or nothing."""
    if older.quarantined_at is not None:
        return ""
    said = claims.supersedes(newer.content, older.content)
    if said == "no":
        return ""
    trusted = rank(newer.trust) <= rank(older.trust) and newer.quarantined_at is None
    return "replace" if said == "yes" and trusted else "ask"


def _weighed(one: Memo) -> bool:
    """Whether a memory takes part: it is in force, or waits in quarantine though somebody of ours said it."""
    gone = one.superseded_by or one.folded_into or one.archived_at
    return not gone and (one.quarantined_at is None or one.trust not in UNVOUCHED)


def _age(one: Memo) -> tuple[str, int]:
    return one.valid_from, one.key


def _claiming(memos: Sequence[Memo]) -> Iterator[Pair]:
    """Each memory of a sure claim with the next that may replace it, and with the newest."""
    for some in _grouped(memos, lambda one: one.claim if one.claim and one.claim[0] != "?" else None):
        latest, following = some[-1], None
        for newer, older in zip(reversed(some), reversed(some[:-1]), strict=False):
            following = newer if following is None or rank(newer.trust) <= rank(older.trust) else following
            yield following, older
            if latest is not following:
                yield latest, older


def _doubtful(memos: Sequence[Memo]) -> Iterator[Pair]:
    """Neighbours in time of a claim that may have several values."""
    for some in _grouped(memos, lambda one: one.claim if one.claim and one.claim[0] == "?" else None):
        yield from ((newer, older) for older, newer in pairwise(some))


def _turned(memos: Sequence[Memo]) -> Iterator[Pair]:
    """Neighbours in time of which one says not to what the other says."""
    short = [one for one in memos if len(one.content) <= LONGEST]
    for near in _grouped(short, _long_words):  # the gist is dear: only what might share one is asked for it
        words = [gist(one.content).split() for one in near]
        sides: dict[str, list[tuple[Memo, bool]]] = {}
        for one, said in zip(near, words, strict=True):
            bare = " ".join(word for word in said if word not in TURNING)
            sides.setdefault(bare, []).append((one, NEGATIVE.isdisjoint(said)))
        for some in sides.values():
            yield from ((newer, older) for (older, was), (newer, now) in pairwise(some) if was != now)


def _long_words(one: Memo) -> str:
    words = one.content.lower().rstrip(" .!").split()
    return " ".join(word for word in words if len(word) > SHORT and word not in TURNING)


def _cooled(memos: Sequence[Memo]) -> Iterator[Pair]:
    """Neighbours in time of which one likes what the other dislikes."""

    def liked(one: Memo) -> str | None:
        bare = (one.claim or "").removeprefix("?")
        found = claims.claim(one.content) if bare.startswith(LIKING) else None
        return f"{found.key.removeprefix('dis')} = {found.value}" if found else None

    for some in _grouped(memos, liked):
        yield from ((newer, older) for older, newer in pairwise(some) if newer.claim != older.claim)


def _framed(memos: Sequence[Memo]) -> Iterator[Pair]:
    """Neighbours in the order of their words that differ in one place alone."""
    lines = sorted((" ".join(one.content.lower().split()), one) for one in memos if len(one.content) <= LONGEST)
    for step in range(1, NEXT + 1):
        for (line, one), (other_line, other) in zip(lines, lines[step:], strict=False):
            words, others = line.split(), other_line.split()
            if words[:2] == others[:2] and _one_place(words, others):
                yield (one, other) if _age(one) > _age(other) else (other, one)


def _one_place(a: Sequence[str], b: Sequence[str]) -> bool:
    least = min(len(a), len(b))
    start = next((at for at in range(least) if a[at] != b[at]), least)
    end = next((at for at in range(least - start) if a[-1 - at] != b[-1 - at]), least - start)
    return start + end >= FRAME and all(0 < len(side) - start - end <= SPAN for side in (a, b))


def _grouped(memos: Sequence[Memo], key: Callable[[Memo], str | None]) -> Iterator[list[Memo]]:
    """Those that share a key, where there are two at least, in the order given."""
    found: dict[str, list[Memo]] = {}
    for one in memos:
        name = key(one)
        if name:
            found.setdefault(name, []).append(one)
    yield from (some for some in found.values() if len(some) > 1)
