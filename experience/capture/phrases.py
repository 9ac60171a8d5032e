"""A single statement as words, and the phrases in it: what it is about, and the value it gives."""

from __future__ import annotations

import re

from experience.capture.likeness import ALIKE
from experience.capture.wording import singular, tidy
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Words: TypeAlias = list[str]

LONGEST = 300  # characters; what is longer says more than one thing
MOST = 32  # words
MOST_OF_VALUE = 7
MOST_OF_TOPIC = 14

ARTICLES = frozenset("the a an our this that your its".split())
VOID = frozenset("the a an our current currently now".split())  # says nothing about which thing is meant
BE = frozenset("is am are was were be been being".split())
ADVERBS = frozenset(
    """now currently still always usually also actually officially originally only just generally normally presently
    internally typically already mainly primarily first exactly permanently""".split()
)
SMALL = frozenset("of the and de la le van von der den du da di del y & for".split())
_PLACED = frozenset("in on at for during when while if unless until except with within under via through".split()) | (
    frozenset("from by after before as between across since to per using".split())
)
_ACTING = frozenset(
    """i me we us you he him she they them it have has had will do does did become became get got need want im then
    look looks sound sounds I I've I'm""".split()
)
_COUNTING = frozenset("Some Many Most Several Each Any No A An Few Not".split())
_INTENSE = frozenset("too very so quite pretty really more less definitely totally completely absolutely like".split())
_REASON = frozenset("because since so instead rather not unlike though although but".split())
_DANGLING = frozenset("now anymore currently again too already instead today onwards".split())
_NOBODY = frozenset(  # nothing definite is meant by these
    """it this that these those he she they there here who what which where when how why if someone somebody everyone
    everybody anyone anybody nobody everything something anything nothing all some many most few several any each every
    a an another other no not you your his her their its one both either neither such more less as because since while
    after before with without for to in on at from by until unless although though let's lets and or but maybe perhaps
    whether it's that's there's he's she's what's who's here's they're you're i've i'll i'd we've we'll we'd they've
    sound sounds look looks been been going being im ive ill""".split()
)
_PASSING = frozenset(  # of one moment, or only believed
    """yesterday today tonight tomorrow ago recently earlier lately soon yet think thought guess hope hoped wish maybe
    perhaps probably possibly apparently seems seem seemed feel feels felt might could would can cannot can't
    couldn't wouldn't sometimes often almost nearly wonder believe suppose suspect unsure either whether if
    don't doesn't didn't isn't aren't wasn't weren't haven't hasn't won't shouldn't mustn't never nobody none neither
    dont doesnt didnt isnt arent wasnt werent wont lol haha wow yay hey hi hello thanks thank congrats sorry""".split()
)
_LEAD = (
    r"(?:(?:actually|now|currently|ok|okay|so|also|and|but|no|yes|well|correction|update|updated|edit|fyi|btw|decision"
    r"|decided|fact|from now on|as of now|as of today|going forward|for now|these days|in fact|by default|by convention"
    r"|we decided that|we agreed that|it was decided that|the rule is that|rule)\b[ ,:–—-]+)+"
)
_SPLIT = r"([,;()])(?=\s|$)|(?<=\s)(\()"
_ABOUT = r"(?<=[a-z0-9)\"'`%])[.!;:] +(?=[\"'`A-Z(])"  # a second sentence begins
_SHORT = r"(?:\b(?:inc|ltd|co|corp|jr|sr|st|dr|mr|mrs|ms|no|vs|prof|gen|gov|sen|lt|col|mt|ft|approx|e\.g|i\.e|etc))\.$"
_QUOTES = "`\"'“”‘’*"
_LIKE_VALUE = r"[\W\d_]|\w*[\d_/\\@#.]|[A-Z]|\w+-\w"


class Sentence(Value):
    """One statement, word by word: as it is written and in lower case without quotes."""

    text: str
    words: Words
    low: Words


class Found(Value):
    """What a shape found: of what, which value, and whether there is one at a time."""

    key: str
    value: str
    sure: bool


def sentence(content: str) -> Sentence | None:
    """The statement, if the text is one single statement of lasting things."""
    if not 3 < len(content) <= LONGEST or "?" in content or "\n" in content.strip():
        return None
    text = tidy(content)
    if found := re.match(_LEAD, text, re.IGNORECASE):
        text = text[found.end() :]
    text = re.sub(r"^(?:([A-Za-z][\w /-]{1,40}): |(\w+_\w+) ?[=:] ?)(?=\S)", r"\1\2 ≔ ", text)
    text = re.sub(r"\b([Ii]|[Ww]e)['’](?:m|re)\b", r"\1 am", text)
    if "!" in text[:-1] or _goes_on(text):
        return None
    words = re.sub(_SPLIT, r" \1\2 ", text).split()
    low = [word.lower().strip(_QUOTES) or word for word in words]
    if not 1 < len(words) <= MOST:
        return None
    passing = not _PASSING.isdisjoint([low[0], *words[1:]]) or "may" in words or _of_one_day(low)
    return None if passing else Sentence(text=text, words=words, low=low)


def _goes_on(text: str) -> bool:
    """Whether a second statement follows; initials and abbreviations end nothing."""
    for found in re.finditer(_ABOUT, text):
        if text[found.start()] != "." or not re.search(_SHORT, text[: found.start() + 1], re.IGNORECASE):
            return True
    return " ... " in text or "… " in text


def _of_one_day(low: Words) -> bool:
    """Whether it happened once: `last week`, `this morning`."""
    spans = ("week", "month", "year", "night", "morning", "afternoon", "evening", "weekend", "summer", "time", "friday")
    return any(word in ("last", "this", "next", "past") and low[at] in spans for at, word in enumerate(low[:-1], 1))


def topic(words: Words, low: Words) -> str:
    """What is spoken of, in one form; nothing where it is indefinite."""
    if not 0 < len(low) <= MOST_OF_TOPIC or low[0][:1] == "[" or "," in low or ";" in low:
        return ""
    if low[0] in _NOBODY and not _titled(words):
        return ""
    if len(low) > 1 and (low[0] in ("i", "we") or not _ACTING.isdisjoint(words) or _doing(low)) and not _titled(words):
        return ""
    return plain(low)


def _titled(words: Words) -> bool:
    """Whether it is the title of something: `All Along`, but not of some of them."""
    return len(words) > 1 and words[0][:1].isupper() and words[1][:1].isupper() and words[0] not in _COUNTING


def _doing(low: Words) -> bool:
    """Whether it is an action rather than a thing: `going to …`."""
    return low[0].endswith("ing") and (low[1] in _PLACED or low[1] in ARTICLES or low[1] in ("my", "those", "these"))


def plain(low: Words) -> str:
    """Words in one form, without those that say nothing of which thing is meant."""
    kept = [singular(ALIKE.get(word, word)).removesuffix("'s").removesuffix("’s") for word in low if word not in VOID]
    return " ".join(kept).replace("'", "").replace("’", "")


def settled(words: Words, low: Words) -> tuple[Words, str] | None:
    """A value as it is written, and the circumstances it holds under; nothing where it is no value."""
    end = _end_of_value(words, low)
    value, rest = [word.strip(_QUOTES) for word in words[:end]], low[end:]
    while len(value) > 1 and value[0].lower() in (
        "the",
        "a",
        "an",
        "called",
        "named",
        "our",
        "exactly",
        "about",
        "just",
        "only",
    ):
        value = value[1:]
    while value and value[-1].lower() in _DANGLING:
        value = value[:-1]
    around = _circumstances(rest)
    if around is None or not 0 < len(value) <= MOST_OF_VALUE or not _clean([word.lower() for word in value]):
        return None
    return value, around


def _end_of_value(words: Words, low: Words) -> int:
    for at in range(1, len(low)):
        if low[at] in _PLACED or low[at] in _REASON or low[at] in ",;(":
            named = words[at - 1][:1].isupper() and low[at] == "," and at + 1 < len(low) and words[at + 1][:1].isupper()
            if not named:
                return at
    return len(low)


def _clean(low: Words) -> bool:
    """Whether no verb, pronoun or negation stands among the words of a value."""
    heavy = BE | _REASON | frozenset("i we you he she it they has have had that which who where not no or will".split())
    return heavy.isdisjoint(low) and low[0] not in _NOBODY and low[0] not in _INTENSE and low != ["my"]


def _circumstances(low: Words) -> str | None:
    """What is said after a value: nothing of reasons and contrasts, all of where and when; None if it goes on."""
    if low and low[0] in ",(" and len(low) > 1:
        low = low[1:]
        if low[0] not in _PLACED | _REASON:
            return None
    if not low or low[0] in _REASON or low[:2] == ["as", "of"]:
        return "" if not {"but", "though", "although", "so"}.intersection(low[:1]) else None
    if {"but", "and", "which", "who", ",", ";"}.intersection(low):
        return None
    return plain([word for word in low if word != ")"])


def valued(words: Words) -> bool:
    """Whether the words look like a value: a name, a number, a path, something quoted."""
    first = words[0]
    if first.lower() in ("the", "a", "an") and len(words) > 1:
        first = words[1]
    return bool(re.match(_LIKE_VALUE, first)) or any(word[:1].isdigit() for word in words)


def value_text(value: Words) -> str:
    """A value in one form: its case, and the plural of a common noun, are not part of it."""
    low = [ALIKE.get(word.lower(), word.lower()) for word in value]
    return " ".join(low).replace(",", "").rstrip(".")


def numeric(value: Words) -> bool:
    return value[0][:1].isdigit()
