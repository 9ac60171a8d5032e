"""Slips of typing: two words that differ in one letter though only one word was meant.

Most words that differ in one letter are two words (caching and catching, contract and contrast, deployed and
deployer), so a slip needs more: it sits inside a long plain word, and either it is of a kind that hardly ever makes
another word (two letters swapped, one letter doubled), or the right spelling is common here and the wrong one is
found nowhere else. Names, numbers and identifiers never slip: one letter makes another of them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from experience.capture.questions import stem
from experience.capture.wording import singular

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    Array: TypeAlias = Any

LONG = 7  # letters of a word in which a slip is looked for
_ENDING = r"(?:ing|ed|ers?|es|s|ly)$"
OFTEN, COMMON = 3, 8  # times as many texts with the right spelling as with the wrong one, after each kind of slip
_PLAIN = r"(?<![\w`'\"./@#$-]){}(?![\w`'\"/@(=-]|\.\w)"
_ANY = re.compile(_PLAIN.format(rf"[A-Za-z][a-z]{{{LONG - 2},}}"))
_WORDS = re.compile(_PLAIN.format(rf"[a-z]{{{LONG - 1},}}"))
REAL = frozenset(  # words that one letter turns into each other: where both are meant, neither is a slip
    """adapted adopted adapting adopting adaption adoption analyse analyze auction caution caching catching cashing
    casual causal changed charged changing charging charges changes cleaned cleared cleaning clearing cleaner clearer
    cloning closing clustering cluttering collision collusion compete complete compute competing completing computing
    competed completed computed competes completes computes complement compliment compiles complies compliant complaint
    confirm conform confirmed conformed confirms conforms contact contract contrast compact contacts contracts contrasts
    content context contest consent convent contents contexts contests contention convention contiguous continuous
    contiguity continuity converge coverage converged converted conversed conserved converse conserve council counsel
    country county crafted created decided decoded deciding decoding derived drived deserted desserted desired
    existing exiting exciting existed exited excited expensive extensive external eternal explored exploded exploring
    exploding exporting formally formerly farther further father handled handed headed handling handing heading
    hashable hashtable identifies identities identify identity inserted inverted invented inserting inverting inventing
    internal interval integral internals intervals integrals landing leading loading locales locates logging lodging
    longing managed mangled manages mangles marital martial mounted mourned naively natively neutral neural painted
    printed pointed painting printing pointing painter printer pointer parsing passing pausing pasting personal
    personnel placing packing picking planned planted planning planting planner planter polling pulling piling
    porting posting preceded proceeded preceding proceeding presented prevented presenting preventing prepending
    pretending presents prevents prescribe proscribe principal principle project protect projects protects projected
    protected projecting protecting projection protection reaching rearing reducing remaining retaining remained
    retained reminder remainder reminders remainders removed remoted removing remoting replacing replaying reserve
    reverse reserved reversed reserves reverses reserving reversing reverting resource recourse retired retried revolve
    resolve revolved resolved scaling scanning sending seeding serving severing setting settling sharing sharding
    singing signing sorting storing spelling spilling staging stating starting staring starring started starred
    stationary stationery statute statue streaming steaming strange storage striped stripped structure stricture
    testing texting tasting through thorough tracing tracking trading trailing training traced tracked trailer trainer
    transport transpose turning tuning united untied uniting untying waiting wanting writing waking walking warning
    warming whether weather winning wining wrapped warped""".split()
)


class Words:
    """The plain long words that are known here: in how many texts each stands, and which letters follow each other."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = _occurrences(texts)
        self._runs: set[str] = set()

    def forget(self, texts: Iterable[str]) -> None:
        """Count these texts no longer."""
        self._texts.subtract(_occurrences(texts))
        self._runs = set()

    def count(self, word: str) -> int:
        """In how many texts a word stands, whatever its number."""
        return self._texts[word] + self._texts[f"{word}s"]

    def odd(self, word: str) -> bool:
        """Whether three letters follow each other in it as in no word that is known to more than one text."""
        if not self._runs:
            self._runs = {run for known, count in self._texts.items() if count > 1 for run in _runs(known)}
        return not self._runs.issuperset(_runs(word))


def _occurrences(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in set(_WORDS.findall(text)))


def one_word(a: str, b: str, forms: tuple[str, str], known: Words) -> bool:
    """Whether two texts, known to differ in these two forms alone, differ by a slip of typing."""
    spelled = _spelled(a, forms[0]), _spelled(b, forms[1])
    if not all(spelled):
        return False
    opening = any(word[0].isupper() for word in spelled)
    one, other = (word.lower() for word in spelled)
    slip, (wrong, right) = kind(one, other), sorted((one, other), key=known.count)
    rare, common = known.count(wrong), known.count(right)
    if not slip or (opening and not common):  # nowhere in lower case: it may be a name
        return False
    if slip == "harmless":
        return rare <= 1 or common >= OFTEN * rare
    return common >= COMMON * max(1, rare) and (slip == "inner" or known.odd(wrong))


def may_slip(a: str, b: str, forms: tuple[str, str]) -> bool:
    """Whether the words behind two forms are alike enough for a slip, whatever else is known."""
    one, other = _spelled(a, forms[0]), _spelled(b, forms[1])
    return bool(one and other and kind(one.lower(), other.lower()))


def slipped(a: Sequence[str], b: Sequence[str]) -> tuple[str, str] | None:
    """The two words in which two gists differ, where they differ in just one and it may be a slip."""
    if len(a) != len(b):
        return None
    if a[-1] == b[-1] == "?":  # the words of a question stand in the order of their letters
        apart = list(zip(_beyond(a, b), _beyond(b, a), strict=False))
    else:
        apart = [(one, other) for one, other in zip(a, b, strict=True) if one != other]
    if len(apart) != 1 or not all(word.isascii() and word.isalpha() and len(word) >= LONG - 3 for word in apart[0]):
        return None
    return apart[0]


def kind(a: str, b: str) -> str:
    """`harmless` for letters swapped or doubled inside a long word, else where the letter is wrong or missing."""
    few, many = sorted((a, b), key=len)
    if len(many) < LONG or {few, many} <= REAL:
        return ""
    start, end = _agreement(few, many)
    wrong = few[start : len(few) - end], many[start : len(many) - end]
    if start == 0 or end == 0 or len(wrong[1]) > 2:  # first letters tell words apart, last ones their forms
        return ""
    if wrong[0] == wrong[1][::-1] or wrong == ("", many[start - 1]):
        return "harmless"
    if len(wrong[1]) > 1:
        return ""
    return "inner" if end >= 3 and len(re.sub(_ENDING, "", many)) >= LONG else "letter"


def _beyond(a: Sequence[str], b: Sequence[str]) -> list[str]:
    """The words of one that the other lacks."""
    rest, found = list(b), []
    for word in a:
        if word in rest:
            rest.remove(word)
        else:
            found.append(word)
    return found


def _spelled(text: str, form: str) -> str:
    """The plain word of a text that was brought into this form; capitalised only at the start."""
    for found in _ANY.finditer(text):
        word = found[0]
        if form in (low := word.lower(), singular(low), stem(low)):
            return word if word == low or not re.search(r"\w", text[: found.start()]) else ""
    return ""


def _agreement(few: str, many: str) -> tuple[int, int]:
    """How many letters agree at the start and, of the rest, at the end."""
    start = 0
    while start < len(few) and few[start] == many[start]:
        start += 1
    end = 0
    while end < len(few) - start and few[-1 - end] == many[-1 - end]:
        end += 1
    return start, end


def _runs(word: str) -> set[str]:
    return {word[at : at + 3] for at in range(len(word) - 2)}


class Bags:
    """The letters of each text without their order: texts that differ in one slip differ in at most one of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np

        weights = np.random.default_rng(7).integers(1, 2**62, size=256, dtype=np.uint64)
        encoded = [text.encode() for text in texts]
        lengths = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
        sums = np.cumsum(np.append(np.uint64(0), weights[np.frombuffer(b"".join(encoded), dtype=np.uint8)]))
        ends = np.cumsum(lengths)
        self._bags = sums[ends] - sums[ends - lengths]
        self._slips = np.zeros(1 << 16, dtype=bool)  # a coarse table: what passes it is looked at in full
        letters = np.append(np.uint64(0), weights[ord("a") : ord("z") + 1])
        self._slips[((letters[:, None] - letters[None, :]) & np.uint64(0xFFFF)).astype(np.int64).ravel()] = True

    def near(self, left: Array, right: Array) -> Array:
        """Which pairs differ in no more than one letter, or in their order alone."""
        import numpy as np

        apart = self._bags[left] - self._bags[right]
        return self._slips[(apart & np.uint64(0xFFFF)).astype(np.int64)]
