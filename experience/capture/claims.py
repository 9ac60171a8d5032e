"""A statement that gives one value to one thing, and whether a later one takes an earlier one back.

A wrong answer hides a truth, so a claim is *sure* only where a thing has one such value at a time. Everything else that
looks like another value of the same thing is for a person to judge.
"""

from __future__ import annotations

import re

from experience.capture.likeness import gist, same
from experience.capture.phrases import Found, Sentence, sentence, topic, valued
from experience.capture.shapes import SHAPES
from experience.values import Value

NEGATIVE = frozenset("not never".split())
LIKING = ("taste |", "distaste |")
ORDERING = r"(?:(?:you|we) (?:must|should) )?(?:never|always|do not|dont|don't|must not|avoid)\b"


class Claim(Value):
    """One value of one thing."""

    key: str  # what of what
    value: str
    sure: bool  # the thing has one such value at a time


def claim(content: str) -> Claim | None:
    """The claim a statement makes, or nothing where taking it back would lose more than a value."""
    said = sentence(content)
    if said is None:
        return None
    for shape in SHAPES:
        found = shape(said)
        if found is not None:
            return _claim(found)
    return None


def supersedes(new: str, old: str) -> str:
    """Whether what is said later takes back what was said before: `yes`, `maybe` or `no`."""
    if same(new, old):
        return "no"
    later, earlier = claim(new), claim(old)
    if later and earlier and later.key == earlier.key:
        return _weighed(later, earlier)
    if later and earlier and _cooled(later, earlier):
        return "yes"
    if turned := _turned(new, old):
        return turned
    return "maybe" if not (later and earlier) and _reframed(new, old) else "no"


def _claim(found: Found) -> Claim | None:
    key = " | ".join(part for part in (" ".join(part.split()) for part in found.key.split("|")) if part)
    value = " ".join(found.value.split())
    return Claim(key=key, value=value, sure=found.sure) if key and value else None


def _weighed(later: Claim, earlier: Claim) -> str:
    """What two values of one thing mean for each other."""
    if later.value == earlier.value:
        return "no"
    if later.sure and earlier.sure:
        return "maybe" if _finer(later.value, earlier.value) else "yes"
    likings = later.key.startswith(LIKING)  # one likes many things; only of one kind are they worth a look
    return "no" if likings and later.value.split()[-1] != earlier.value.split()[-1] else "maybe"


def _cooled(later: Claim, earlier: Claim) -> bool:
    """Whether what was liked is disliked, or the other way round."""
    few, many = sorted((later.key, earlier.key), key=len)
    return later.value == earlier.value and few.startswith(LIKING) and many == f"dis{few}"


def _finer(one: str, other: str) -> bool:
    """Whether one value only says more than the other, such as `postgres` and `postgres 15`."""
    few, many = sorted((set(one.split()), set(other.split())), key=len)
    return few <= many


def _turned(new: str, old: str) -> str:
    """Whether one says not to what the other says."""
    sides = [gist(text).split() for text in (new, old)]
    bare = [[word for word in side if word not in NEGATIVE and word != "always"] for side in sides]
    negative = [not NEGATIVE.isdisjoint(side) for side in sides]
    if bare[0] != bare[1] or negative[0] == negative[1] or len(bare[0]) < 2 or "?" in bare[0]:
        return ""
    ordered = any(re.match(ORDERING, text.strip().lower()) for text in (new, old))
    return "yes" if ordered else "maybe"


def _reframed(new: str, old: str) -> bool:
    """Whether two statements differ in one value alone."""
    one, other = sentence(new), sentence(old)
    return bool(one and other and _one_span(one, other))


def _one_span(one: Sentence, other: Sentence) -> bool:
    a, b = one.low, other.low
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    spans = one.words[start : len(a) - end], other.words[start : len(b) - end]
    definite = start >= 2 and topic(one.words[:start], a[:1]) != ""
    return definite and start + end >= 4 and all(0 < len(span) <= 4 and valued(span) for span in spans)
