"""Documents and queries, made from a seed: intents of programming tasks, and what somebody would ask later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.words import NOUNS, PLACES, TOOLS, TRAITS, VERBS, Bag, files, identifiers, tail

SEED = 20261118
AT_ONCE = 10_000
SUCCESS = (1.0, 1.0, 0.9, 1.0, 0.5, 1.0, 0.8, 0.0, 1.0, 0.7)  # tasks go well more often than not
QUESTIONS = ("how do i", "how to", "what is the way to", "why does it fail to", "please")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Words to search for, and the document they vary, if any."""

    text: str
    source: int | None


class Writer:
    """Writes intents of 8 to 14 words."""

    def __init__(self, seed: int) -> None:
        made = Random(SEED)  # the vocabulary is the same whatever is written with it
        self._random = Random(seed)
        self._bags = {
            "verb": Bag(VERBS), "noun": Bag(NOUNS, exponent=0.8), "tool": Bag(TOOLS), "trait": Bag(TRAITS),
            "place": Bag(PLACES), "name": Bag(identifiers(made), exponent=0.9), "file": Bag(files(made), exponent=0.8),
            "tail": Bag(tail(made), exponent=0.7),
        }  # fmt: skip
        self._drawn: dict[str, Iterator[str]] = {kind: self._draws(kind) for kind in self._bags}

    def intents(self, count: int) -> Iterator[str]:
        """*count* intents."""
        for _ in range(count):
            yield self.intent(self._random.randint(8, 14))

    def intent(self, length: int) -> str:
        """One intent of about *length* words."""
        one = self._one
        words = [one("verb"), "the", one("trait"), one("noun"), one("noun"), one("place"), self._thing()]
        while len(words) < length:
            words += self._more()
        return " ".join(words[:length])

    def _thing(self) -> str:
        return self._one(self._random.choice(("name", "file", "tail")))

    def _more(self) -> list[str]:
        one = self._one
        match self._random.randrange(5):
            case 0:
                return ["with", one("tool")]
            case 1:
                return [one("place"), "the", one("tail"), one("noun")]
            case 2:
                return ["and", one("verb"), one("noun")]
            case 3:
                return [one("tail")]
            case _:
                return ["of", self._thing()]

    def _one(self, kind: str) -> str:
        return next(self._drawn[kind])

    def _draws(self, kind: str) -> Iterator[str]:
        while True:
            yield from self._bags[kind].draw(self._random, 1000)


def write_documents(path: str, count: int) -> None:
    """A file with one intent a line; a shorter corpus is its beginning."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{intent}\n" for intent in Writer(SEED).intents(count))


def read_documents(path: str, count: int) -> Iterator[str]:
    """The first *count* intents of the file."""
    with open(path, encoding="utf-8") as file:
        for _, line in zip(range(count), file, strict=False):
            yield line.rstrip("\n")


def queries(path: str, size: int, count: int) -> list[Query]:
    """Half vary an intent among the first *size*, half ask for something new; 6 to 12 words each."""
    random, writer = Random(SEED + 1), Writer(SEED + 2)
    sources = set(random.sample(range(size), min(size, (count + 1) // 2)))
    stored = {number: intent for number, intent in enumerate(read_documents(path, size)) if number in sources}
    varied = [Query(text=_varied(random, intent, writer), source=number) for number, intent in stored.items()]
    random.shuffle(varied)
    fresh = [Query(text=_asked(random, writer.intent(random.randint(8, 12))), source=None) for _ in range(count // 2)]
    return [query for pair in zip(varied, fresh, strict=False) for query in pair]


def experience(number: int, intent: str) -> dict[str, object]:
    """A document as the arguments of `record`."""
    return {
        "intent": intent, "solution": {"document": number, "run": f"make task-{number}", "files": ["src/app.py"]},
        "success_score": SUCCESS[number % 10], "tags": [TOOLS[number % 50]] if number % 3 else [],
    }  # fmt: skip


def _varied(random: Random, intent: str, writer: Writer) -> str:
    words = intent.split()
    for _ in range(random.randint(1, 3)):
        words.pop(random.randrange(len(words)))
    words[random.randrange(len(words))] = random.choice(NOUNS)
    return _asked(random, " ".join(words))


def _asked(random: Random, text: str) -> str:
    words = text.split()
    asked = [*random.choice(QUESTIONS).split(), *words] if random.random() < 0.5 else words
    return " ".join(asked[:12])
