"""Choices: which of several is used or preferred, and for what."""

from __future__ import annotations

from experience.capture.phrases import ADVERBS, ARTICLES, BE, Found, plain, topic
from experience.capture.predicates import ALONE, FAMILIES
from experience.capture.wording import singular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.capture.phrases import Sentence, Words

USING = frozenset("use uses using".split())
KEENLY = frozenset("really strongly much generally definitely".split())
PREFERRING = frozenset("prefer prefers".split())
US = frozenset("we i please always only must should team our the".split())  # who gives an order, or nobody
OVER = {("over",): 1, ("not",): 1, ("instead", "of"): 2, ("rather", "than"): 2, ("to",): 1}
NO_CHOICE = frozenset("and or , a an it this that them these those my your our not to i we you me only more".split())
PURPOSE = frozenset("for to as when in on with inside within".split())
FAMILY = {singular(word): family for family, members in FAMILIES.items() for word in members.split()}


def chosen(sentence: Sentence) -> Found | None:
    """`use pnpm, not npm`, `we use Postgres for billing`, `I prefer tabs`."""
    low = sentence.low
    at = next((at for at, word in enumerate(low) if word in USING or word in PREFERRING), -1)
    if at < 0 or at > 6 or at + 1 >= len(low):
        return None
    who = _who(low[:at])
    what, other, purpose = _parts(low[at + 1 :], preferring=low[at] in PREFERRING)
    if who is None or not what or len(what) > 4 or not NO_CHOICE.isdisjoint(what) or low[at - 1 : at] == ["to"]:
        return None
    if low[at] == "using" and not (at and low[at - 1] in BE):
        return None
    return _choice(who, what, other, purpose, low[at] in PREFERRING)


def _who(low: Words) -> str | None:
    """Who uses it: `we` for an order or a team; nothing where nobody definite does."""
    rest = [word for word in low if word not in US and word not in ADVERBS and word not in BE and word not in KEENLY]
    if not rest:
        return "we"
    return topic(low, low) if rest == [word for word in low if word not in ARTICLES and word not in ADVERBS] else None


def _parts(low: Words, *, preferring: bool) -> tuple[Words, Words, Words]:
    """What is chosen, what it is chosen over, and what for."""
    low = [word for word in low if word not in (",", "(", ")", "the", "using")]
    what: Words = []
    other: Words = []
    at = 0
    while at < len(low):
        over = _over(low, at, preferring)
        if over:
            other, at = _run(low, at + over)
            continue
        if low[at] in PURPOSE and what:
            return what, other, low[at:]
        what.append(low[at])
        at += 1
    return what, other, []


def _over(low: Words, at: int, preferring: bool) -> int:
    for mark, length in OVER.items():
        if tuple(low[at : at + length]) == mark and at and (mark != ("to",) or preferring):
            return length
    return 0


def _run(low: Words, at: int) -> tuple[Words, int]:
    end = at
    while end < len(low) and low[end] not in PURPOSE:
        end += 1
    return low[at:end], end


def _choice(who: str, what: Words, other: Words, purpose: Words, preferring: bool) -> Found | None:
    value, aim = plain(what), plain(purpose[1:] if purpose[:1] in (["for"], ["as"]) else purpose)
    family = _family(what)
    if family in ALONE and (not purpose or _says_the_same(aim, family)):
        return Found(key=f"choice | {family}", value=value, sure=True)
    if family in ALONE:
        return Found(key=f"choice | {family} | {aim}", value=value, sure=True)
    if other and not purpose:
        pair = " ".join(sorted((value, plain(other))))
        return Found(key=f"choice | {who} | {family or pair}", value=value, sure=True)
    if family and purpose:
        return Found(key=f"choice | {who} | {family} | {aim}", value=value, sure=not preferring or bool(aim))
    if len(what) == 2 and what[1][:1].isdigit():
        return Found(key=f"version {what[0]} | {who} | {aim}", value=what[1], sure=True)
    if purpose and not preferring and len(what) <= 2:
        return Found(key=f"choice | {who} | | {aim}", value=value, sure=False)
    return None


def _family(what: Words) -> str:
    """The family of what is chosen, by any of its words but a number."""
    found = [FAMILY[word] for word in map(singular, what) if word in FAMILY]
    return found[0] if len(found) == 1 and len(what) <= 3 else ""


def _says_the_same(aim: str, family: str) -> bool:
    """Whether a purpose only repeats what the family is for: `tabs for indenting`."""
    return bool(aim) and aim.split()[0][:5] in (word[:5] for word in family.split())
