"""Statements and tasks made from a seed, near-duplicates of some, and pairs that only look like duplicates."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.corpus import SEED, Writer
from benchmarks.words import NOUNS, TOOLS, TRAITS, VERBS

LEADS = (
    "Always {}", "You must {}", "We usually {}", "Make sure to {}", "The team decided to {}", "Do not {}",
    "It is important to {}", "I am going to {}", "The reviewers expect us to {}", "Nobody should {}",
)  # fmt: skip
ASIDES = ("with {tool} in {env}", "on {env} for the {noun}", "after {number} attempts", "with {tool} {number}.{minor}")
ENVIRONMENTS = ("staging", "production", "development", "preview")
LONG = 8  # letters of a word in which a slip of typing is planted
ORDINARY = {*VERBS, *NOUNS, *TRAITS, "important", "reviewers", "decided", "attempts", "without"}  # not a name
FOLLOWED = re.compile(rf"(?<![\w./-])[a-z]{{{LONG},}}(?![\w./-])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Texts; which of them were planted as the same as which; and which only look it."""

    texts: list[str]
    same: list[tuple[int, int, str]]
    apart: list[tuple[int, int, str]]


def statements(count: int, seed: int = SEED) -> Corpus:
    """*count* memories, two in a hundred of them near-duplicates and one in a hundred a trap."""
    random, writer = Random(seed), Writer(seed)
    base = [_statement(random, writer) for _ in range(count - count // 50 - count // 100)]
    return _planted(random, base, count)


def tasks(count: int, seed: int = SEED + 7) -> Corpus:
    """*count* intents, with as many near-duplicates and traps."""
    random, writer = Random(seed), Writer(seed)
    base = [
        f"{writer.intent(random.randint(7, 11))} {_aside(random)}" for _ in range(count - count // 50 - count // 100)
    ]
    return _planted(random, base, count)


def _planted(random: Random, base: list[str], count: int) -> Corpus:
    texts, same, apart = list(base), [], []
    chosen = iter(random.sample(range(len(base)), len(base)))  # none is taken twice
    for wanted, kinds, found in ((count // 50, SAME, same), (count // 100, APART, apart)):
        ways = _turns(random, kinds)
        for number in chosen:
            if len(found) == wanted:
                break
            name, made = next(ways)(base[number])
            if made is not None and made != base[number]:
                found.append((number, len(texts), name))
                texts.append(made)
    return Corpus(texts=texts, same=same, apart=apart)


def _turns(random: Random, kinds: dict[str, Callable[[Random, str], str | None]]) -> Iterator[Callable]:
    while True:
        for name, way in kinds.items():
            yield lambda text, name=name, way=way: (name, way(random, text))


def _statement(random: Random, writer: Writer) -> str:
    lead = random.choice(LEADS)
    return f"{lead.format(writer.intent(random.randint(6, 10)))} {_aside(random)}."


def _aside(random: Random) -> str:
    return random.choice(ASIDES).format(
        tool=random.choice(TOOLS), env=random.choice(ENVIRONMENTS), noun=random.choice(NOUNS),
        number=random.randint(2, 40), minor=random.randint(0, 9),
    )  # fmt: skip


def _swapped(pattern: str, instead: str) -> Callable[[Random, str], str | None]:
    def way(random: Random, text: str) -> str | None:
        made, times = re.subn(pattern, instead, text, count=1)
        return made if times else None

    return way


def _reordered(random: Random, text: str) -> str | None:
    """`with git in staging` as `in staging with git`."""
    found = re.search(r"(with \w+) (in \w+)(\.?)$", text)
    bound = re.search(r"(?i)\b(not|nobody|without|before|after|when|and)\b", text)
    return f"{text[: found.start()]}{found[2]} {found[1]}{found[3]}" if found and not bound else None


def _mistyped(random: Random, text: str) -> str | None:
    """Two letters swapped, one doubled, missing or wrong, inside a long word."""
    words = [found for found in FOLLOWED.finditer(text) if found[0] in ORDINARY]
    if not words:
        return None
    found = random.choice(words)
    word, at = found[0], random.randrange(1, len(found[0]) - 3)
    slip = random.randrange(4)
    made = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1 :],
        word[:at] + random.choice(string.ascii_lowercase) + word[at + 1 :],
    )[slip]
    return text[: found.start()] + made + text[found.end() :]


def _renumbered(pattern: str) -> Callable[[Random, str], str | None]:
    def way(random: Random, text: str) -> str | None:
        found = re.search(pattern, text)
        return text[: found.start(1)] + str(int(found[1]) + 1) + text[found.end(1) :] if found else None

    return way


def _negated(random: Random, text: str) -> str | None:
    for yes, no in (
        ("Always ", "Never "),
        ("You must ", "You must not "),
        ("Do not ", "Do "),
        ("Make sure to ", "Make sure not to "),
    ):
        if text.startswith(yes):
            return no + text[len(yes) :]
    return None


def _another(words: list[str]) -> Callable[[Random, str], str | None]:
    def way(random: Random, text: str) -> str | None:
        found = [at for at, word in enumerate(text.split()) if word in words]
        if not found:
            return None
        parts, at = text.split(), random.choice(found)
        parts[at] = random.choice([word for word in words if word != parts[at]])
        return " ".join(parts)

    return way


def _renamed(random: Random, text: str) -> str | None:
    """Another name of a product, person or host."""
    found = re.search(r"(?<![\w.])(?=\w*[_A-Z]\w*)([a-z]+)([_A-Z]\w+)(?![\w.])", text)
    return text[: found.start(1)] + random.choice(NOUNS) + found[2] + text[found.end() :] if found else None


def _recased(random: Random, text: str) -> str:
    shouted = random.random() < 0.3 and not re.search("[_A-Z]", text[1:])  # identifiers are told apart by case
    return text.upper() if shouted else text[0].swapcase() + text[1:]


def _polite(random: Random, text: str) -> str:
    return f"{random.choice(('Please note that', 'Remember that', 'FYI,'))} {text[0].lower()}{text[1:]}"


COUNTED = r"\b(test|error|file|request|token|build|cache|button|secret|bucket)\b(?= (?:in|on|for|with|from)\b)"
SAME: dict[str, Callable[[Random, str], str | None]] = {
    "case": _recased,
    "punctuation": lambda random, text: text.rstrip(".") + random.choice(("!", "..", ";", " .")),
    "spacing": lambda random, text: f"  {text.replace(' ', '  ', 3)} \n",
    "contraction": _swapped(r"\bDo not\b|\bdo not\b", "Don't"),
    "contracted": _swapped(r"\bI am\b", "I'm"),
    "article": _swapped(r"\bthe ", ""),
    "politeness": _polite,
    "order": _reordered,
    "number": _swapped(COUNTED, r"\1s"),
    "slip": _mistyped,
    "decoration": lambda random, text: random.choice(("- {}", "**{}**", "> {}", "* {}")).format(text),
}
APART: dict[str, Callable[[Random, str], str | None]] = {
    "number": _renumbered(r"after (\d+) attempts"),
    "version": _renumbered(r"\d+\.(\d+)"),
    "negation": _negated,
    "noun": _another(NOUNS),
    "tool": _another(TOOLS),
    "environment": _another(list(ENVIRONMENTS)),
    "name": _renamed,
}
