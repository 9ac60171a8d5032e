"""The shapes of sentences that give one value to one thing, tried in this order."""

from __future__ import annotations

import re

from experience.capture.choices import FAMILY, chosen
from experience.capture.phrases import ADVERBS, BE, Found, numeric, plain, settled, topic, value_text, valued
from experience.capture.predicates import LONGEST, MANY_EACH, ONE_EACH, OPENING, SAID, VAGUE
from experience.capture.times import scheduled
from experience.capture.wording import singular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from experience.capture.phrases import Sentence, Words

MODAL = frozenset("should must shall".split())
EQUALS = BE | frozenset("≔ equals stays remains becomes".split())
AGENTS = {  # who does this to a thing is its …
    "owns": "owner", "leads": "lead", "maintains": "maintainer", "manages": "lead", "heads": "lead", "chairs": "lead",
    "founded": "founder", "wrote": "author", "directed": "director", "coaches": "lead", "supervises": "lead",
    "handles": "maintainer", "runs": "lead",
}  # fmt: skip
STATES = {
    word: group.split()[0]
    for group in ("enabled disabled on off active inactive", "allowed forbidden permitted prohibited banned",
                  "required optional mandatory", "public private", "true false")
    for word in group.split()
}  # fmt: skip
SAME_STATE = {"on": "enabled", "active": "enabled", "off": "disabled", "inactive": "disabled", "mandatory": "required"}
SAME_STATE |= {"permitted": "allowed", "prohibited": "forbidden", "banned": "forbidden"}
TRAITS = frozenset(  # said of a thing, and true beside others
    """good bad great nice slow fast big small new old ready broken down up late early open closed full empty high low
    happy sad important different same similar wrong right correct fine ok okay busy free hard easy simple complex
    weird ugly clean dirty dead alive online offline available missing gone done red green stable flaky outdated safe
    lovely cool awesome amazing beautiful cute funny hot cold warm large huge tiny strong weak rich poor short long
    tall cheap expensive useful useless necessary worth true false sick tired fun special perfect super""".split()
)
COLOURED = frozenset("color colour theme status state mode priority".split())
BEST = frozenset("best worst most least greatest biggest hardest easiest main only latest last next first".split())


def said(sentence: Sentence) -> Found | None:
    """`the API listens on port 8080`: a thing, what is said of it, a value."""
    low = sentence.low
    for at in range(1, len(low) - 1):
        if low[at] in EQUALS and _relative(low[:at]):
            return None
        taken, way = _longest(low, at)
        if way and low[at + taken] not in BE:
            return _told(sentence, at, at + taken, way)
    return None


def given(sentence: Sentence) -> Found | None:
    """`the capital of Peru is Lima`: what of what, and its value."""
    low = sentence.low
    at = next((at for at in range(1, len(low) - 1) if low[at] in EQUALS), 0)
    if not at:
        return None
    start = at + 1
    while start < len(low) - 1 and (low[start] in ADVERBS or low[start] in BE):
        start += 1
    left = [word for word in low[:at] if word not in MODAL]
    for read in (_state, _role, _place, _attribute):
        if found := read(sentence, left, start):
            return found
    return None


def done(sentence: Sentence) -> Found | None:
    """`Ana owns billing`: who is what to a thing."""
    low, words = sentence.low, sentence.words
    at = next((at for at in range(1, min(4, len(low) - 1)) if low[at] in AGENTS), 0)
    if not at or not _named(words[:at]):
        return None
    parts = settled(words[at + 1 :], low[at + 1 :])
    thing = topic(words[at + 1 :], low[at + 1 :])
    if not parts or not thing or low[at + 1] in ("on", "in", "to", "into"):
        return None
    definite = low[at + 1] in ("the", "our", "my") or words[at + 1][:1].isupper() or len(low) - at == 2
    sure = definite and thing not in VAGUE and low[at] != "runs"
    return Found(key=f"{AGENTS[low[at]]} | {thing}", value=value_text(words[:at]), sure=sure)


def _longest(low: Words, at: int) -> tuple[int, str]:
    """How many words the predicate at this place takes, and its name; forms of "be" and adverbs belong to it."""
    start = at
    while start < len(low) - 1 and (low[start] in BE or low[start] in ADVERBS or low[start] in MODAL):
        start += 1
    if low[start] not in OPENING:
        return 0, ""
    for length in range(min(LONGEST, len(low) - start - 1), 0, -1):
        way = " ".join(low[start : start + length])
        if way in SAID:
            return start - at + length, way
    return 0, ""


def _relative(low: Words) -> bool:
    """Whether the words before a verb hold a clause of their own: `the company that produced …`."""
    return not {"that", "which", "who", "where", "whose"}.isdisjoint(low[1:])


def _told(sentence: Sentence, end: int, start: int, way: str) -> Found | None:
    words, low = sentence.words, sentence.low
    kind, sure = SAID[way]
    about = topic(words[:end], low[:end])
    parts = settled(words[start:], low[start:])
    if not about or not parts or _relative(low[:end]):
        return None
    value, around = parts
    if (kind == "port" and not valued(value)) or (
        kind.endswith("taste") and (end > 1 or (way == "like" and low[0] not in ("i", "we")))
    ):
        return None
    if kind == "count":
        return _counted(words[start:], about) if len(value) == 2 and numeric(value) else None
    if versioned := _product(value):
        kind, value, sure = f"version {versioned}", value[-1:], True
    around += " " + _class_of(way)
    text = value_text(_class_free(value))
    if kind in ("port", "place"):
        text = re.sub(r"^(?:port|localhost:|:)\s*(?=\d)", "", text)
    sort = "number" if numeric([text]) and not kind.startswith(("version", "port")) else ""
    sure = sure and not _vague(low[:end]) and "and" not in low[start:]
    return Found(key=f"{kind} | {about} | {around} {sort}", value=text, sure=sure)


def _counted(value: Words, about: str) -> Found:
    """`4 workers`: how many of them there are."""
    return Found(key=f"count {singular(value[1].lower())} | {about}", value=value[0], sure=about not in ("i", "we"))


def _product(value: Words) -> str:
    """The product of `Python 3.12`."""
    if len(value) == 2 and re.match(r"v?\d+(?:\.[\dx]+)*\+?$", value[1]) and value[0][:1].isalpha():
        return value[0].lower() if value[0].lower() not in ("port", "version", "level", "line", "page") else ""
    return ""


def _class_of(way: str) -> str:
    """The continent of `located in the continent of`, for a place lies in one of each; a city goes without saying."""
    found = re.search(r" the (\w+) of$", way)
    return found[1] if found and found[1] in ("continent", "country", "state") else ""


def _class_free(value: Words) -> Words:
    """`Lima` of `city of Lima`."""
    classes = ("city", "town", "country", "state", "continent", "region", "sport", "language", "religion", "province")
    return value[2:] if len(value) > 2 and value[0] in classes and value[1] == "of" else value


def _vague(low: Words) -> bool:
    """Whether `the file` could be any file."""
    return len(low) == 2 and low[0] in ("the", "this", "that") and singular(low[1]) in VAGUE


def _state(sentence: Sentence, left: Words, start: int) -> Found | None:
    """`dark mode is enabled`."""
    if len(sentence.low) - start > 1 or sentence.low[start] not in STATES or not topic(left, left):
        return None
    word, thing = sentence.low[start], plain(left)
    return Found(key=f"{STATES[word]} | {thing}", value=SAME_STATE.get(word, word), sure=thing not in VAGUE)


def _role(sentence: Sentence, left: Words, start: int) -> Found | None:
    """`Ana is the owner of billing` is `the owner of billing is Ana`."""
    words, low = sentence.words, sentence.low
    if low[start] not in ("the", "our", "my") or not _named(words[: len(left)]) or len(left) > 4:
        return None
    right = low[start:]
    key, head = _key_of(right)
    if head not in ONE_EACH or not key or "," in right:
        return None
    return Found(key=key, value=value_text(words[: len(left)]), sure=True)


def _place(sentence: Sentence, left: Words, start: int) -> Found | None:
    """`the config is in src/config`."""
    low, words = sentence.low, sentence.words
    if low[start] not in ("in", "at", "under", "inside", "on") or len(low) - start < 2:
        return None
    about, parts = topic(left, left), settled(words[start + 1 :], low[start + 1 :])
    if not about or not parts or not valued(words[start + 1 :]) or numeric(parts[0]) or left[0] == "i":
        return None
    if (product := _product(parts[0])) and low[start] == "on":
        return Found(key=f"version {product} | {about}", value=value_text(parts[0][-1:]), sure=True)
    definite = left[0] in ("the", "our", "my") and not _vague(left)
    return Found(key=f"place | {about} | {parts[1]}", value=value_text(parts[0]), sure=definite)


def _attribute(sentence: Sentence, left: Words, start: int) -> Found | None:
    """`the default branch is trunk`, `my manager is Ana`, `the port of the API is 8080`."""
    words, low = sentence.words, sentence.low
    if low[start] in ("in", "at", "on", "to", "for", "that", "not", "a", "an") or low[len(left)] in ("was", "were"):
        return None
    key, head = _key_of(left)
    parts = settled(words[start:], low[start:])
    if not key or not parts or not BEST.isdisjoint(left[:3]):
        return None
    value, around = parts
    looks = valued(words[start:])
    if low[start - 1] == "≔" and len(left) == 1 and "_" in left[0]:
        return Found(key=f"setting | {left[0]}", value=value_text(value), sure=True)
    if not _fits(left, head, looks, value):
        return None
    if head not in ONE_EACH and not looks:
        return None
    sure = head in ONE_EACH or (head not in MANY_EACH and "of" in left and left[0] == "the")
    return Found(key=f"{key} | {around}", value=value_text(value), sure=sure)


def _fits(left: Words, head: str, looks: bool, value: Words) -> bool:
    """Whether a value is one of such a thing, and no trait of it."""
    if looks:
        return head in ONE_EACH or head in MANY_EACH or "of" in left
    low = value[-1].lower()
    if value[-1].lower() in FAMILY and head in ONE_EACH:
        return True
    if (low in TRAITS and head not in COLOURED) or (
        len(value) == 1 and low.endswith(("ing", "able", "ful", "ous", "ive", "less", "ed"))
    ):
        return False
    return head in ONE_EACH and len(left) > 1 and len(value) <= 4 and (len(plain(left).split()) > 1 or left[0] == "my")


def _key_of(low: Words) -> tuple[str, str]:
    """What of what: the same for `the port of the API`, `the API's port` and `the API port`; and its head noun."""
    about = topic(low, low)
    if not about or low[0] in ("i", "we"):
        return "", ""
    mine = "my" if low[0] == "my" else ""
    rest = [word for word in low if word != "my"]
    for at in range(1, len(rest) - 1):
        if rest[at] in ("of", "for", "behind"):
            return _pair(rest[:at], rest[at + 1 :], mine)
        if rest[at] in ("that", "where", "which", "who"):
            return f"{plain(rest)} {mine}", singular(rest[at - 1])
    for at in range(len(rest) - 1):
        if rest[at].endswith(("'s", "’s", "s'")):
            return _pair(rest[at + 1 :], rest[: at + 1], mine)
    return _pair(rest[-1:], rest[:-1], mine)


def _pair(attribute: Words, of: Words, mine: str) -> tuple[str, str]:
    head = singular(attribute[-1]) if attribute else ""
    if head == "name" and len(of) > 3 and "of" in of:
        attribute = ["name"]
    return (f"{plain(attribute)} | {plain(of)} | {mine}", head) if head else ("", "")


def _named(words: Words) -> bool:
    """Whether the words are the name of somebody or something."""
    return all(word[:1].isupper() or word in ("of", "de", "van", "von", "the") for word in words) and not {
        "I", "We", "It", "He", "She", "They", "This", "That", "The", "You", "What", "Who", "There", "My", "Our",
    }.intersection(words)  # fmt: skip


SHAPES: tuple[Callable[[Sentence], Found | None], ...] = (chosen, scheduled, done, said, given)
