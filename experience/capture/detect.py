"""What a message says that is worth remembering, and how it says the last attempt went. No model, no network.

A message is read in three steps, each dearer than the one before: is any trigger word of any pattern in it; which of
its sentences are its writer's own; does a pattern match there. Most messages end at the first step, so nothing is
compiled and `regex` is not even imported for them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from experience.capture.patterns import PATTERNS as ALL
from experience.capture.patterns import PRIORITY
from experience.capture.patterns import feedback as outcomes
from experience.capture.sentences import asks, sentences, words
from experience.models import Captured
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import regex

    from experience.capture.patterns.shape import Pattern

MOST = 20  # captures of one message: whoever pastes a book teaches nothing
PATIENCE_S = 0.05  # for one pattern in one sentence
TRIES = 3  # patterns that may run out of time in one message before it is left alone

PATTERNS = tuple(sorted(ALL, key=lambda pattern: pattern.weak))  # the strictest first, the weak last
_FAILURES = tuple(pattern for pattern in outcomes.PATTERNS if pattern.type == "failure")

timeouts: dict[str, int] = {}  # pattern → how often it ran out of time in this process

_REPORTED = (  # somebody else is speaking from here on
    r"\b(?!(?:i|we|you|ive|weve|youve|u|please|must|should|to|and|also|never|always|dont|just|not|only|can|could"
    r"|would|will|that|which) )"
    r"\w+ (?:(?:just|also|always|once|often|even|now|clearly|still) )?"
    r"(?:says?|said|saying|tells|told|claims?|claimed|insists|insisted|suggests|suggested|recommends|recommended"
    r"|states|stated"
    r"|wrote|writes|thinks|thought|believes|warns|warned|complains|complained|argues|argued|advises|advised"
    r"|replied|responded|answered)\b"
    r"|\b(?:according to|quoting|quote|in the words of)\b|\bi (?:was|am|got) told\b"
)
_HOLLOW = frozenset(
    "i we you u it its this that these those they them he she him her me us my your our one ones some any all"
    " thing things"
    " so do does did done dont doesnt didnt not no yes ok okay and or but is are was were be been am im youre"
    " theyre thats"
    " to of in on at for with by as if then than just only also again please pls now here there always never ever"
    " must should shouldnt cant can cannot will wont would could have has had need want stop actually really the a an"
    " what why how when where who which like way instead same too very".split()
)


class Feedback(Value):
    """What a message says about the last attempt; an outcome of what was injected then, never a memory."""

    verdict: str  # failure, success
    pattern: str
    span: tuple[int, int]


def detect(text: str, role: str = "user") -> list[Captured]:
    """What is worth remembering in *text*: at most one thing a sentence, by the strictest pattern that sees it.

    Every *role* is read alike; how far it is trusted is decided where it is stored.
    """
    found: dict[str, Captured] = {}
    for begin, end, said, pattern in _seen(text, PATTERNS):
        if pattern.weak and any(_seen(said, _FAILURES)):
            continue
        if said not in found and _says_enough(said, pattern):
            found[said] = Captured(
                type=pattern.type, text=text[begin:end], priority=PRIORITY[pattern.type], span=(begin, end),
                pattern=pattern.name,
            )  # fmt: skip
        if len(found) == MOST:
            break
    return list(found.values())


def feedback(text: str) -> Feedback | None:
    """How the last attempt went, if *text* says so: the first failure it tells of, or else the first success."""
    first: Feedback | None = None
    for begin, end, _, pattern in _seen(text, outcomes.PATTERNS):
        if first is None or pattern.type == "failure":
            first = Feedback(verdict=pattern.type, pattern=pattern.name, span=(begin, end))
        if first.verdict == "failure":
            break
    return first


def _seen(text: str, patterns: tuple[Pattern, ...]) -> Iterator[tuple[int, int, str, Pattern]]:
    """Each sentence in which one of *patterns* matches, with the first that does; the weak come last."""
    awake = _awake(patterns, words(text))
    left = TRIES
    for begin, end, said in sentences(text) if awake else ():
        for pattern in _awake(awake, words(said)):
            matched = _matches(pattern, said)
            left -= matched is None
            if matched:
                yield begin, end, said, pattern
                break
            if not left:
                return


def _awake(patterns: Iterable[Pattern], heard: str) -> tuple[Pattern, ...]:
    """The patterns one of whose triggers was heard."""
    return tuple(pattern for pattern in patterns if any(map(heard.__contains__, pattern.triggers)))


def _matches(pattern: Pattern, said: str) -> bool | None:
    """Whether a person says this as their own words, not as a question; None if it takes too long to tell."""
    if not pattern.asks and _asked(said):
        return False
    try:
        return any(
            not _reported(said[: one.start()]) for one in _compiled(pattern.regex).finditer(said, timeout=PATIENCE_S)
        )
    except TimeoutError:
        timeouts[pattern.name] = timeouts.get(pattern.name, 0) + 1
        return None


@lru_cache(maxsize=256)
def _compiled(expression: str) -> regex.Pattern[str]:
    import regex  # most messages have no trigger and never pay for it

    return regex.compile(expression.replace("'", ""), regex.IGNORECASE)  # `plain` text has no apostrophes


def _asked(said: str) -> bool:
    """Whether a sentence is a question, with or without its mark."""
    return said.rstrip(" )]\"'_~!.:").endswith(("?", "？")) or asks(said)


def _reported(before: str) -> bool:
    """Whether somebody else was given the word in what stands before."""
    return bool(re.search(_REPORTED, before, re.IGNORECASE))


def _says_enough(said: str, pattern: Pattern) -> bool:
    """Whether a sentence means something without the ones around it."""
    spoken = words(said).split()
    return len(spoken) >= (2 if pattern.brief else 3) and not _HOLLOW.issuperset(spoken)
