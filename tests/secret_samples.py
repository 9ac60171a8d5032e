"""Invented secrets: the examples of every kind, filled with random characters, in the places where secrets stand.

`python -m tests.secret_samples` prints the table of docs/secrets.md.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from experience.capture.secrets import KINDS

HOLE = re.compile(r"<(\d+|uuid)(?: (\w+))?>")
ALNUM = string.ascii_letters + string.digits
ALPHABETS = {
    "": ALNUM,
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + string.digits,
    "lower": string.ascii_lowercase + string.digits,
    "digits": string.digits,
    "base32": "abcdefghijklmnopqrstuvwxyz234567",
    "base58": "".join(sorted(set(ALNUM) - set("0OIl"))),
    "base64": ALNUM + "+/",
    "url": ALNUM + "-_",
    "letters": string.ascii_lowercase,
}
WORDS = "ocean marble copper lantern velvet harvest timber saddle orchid pepper window riddle anchor canyon".split()

PLACES = {  # where a token may stand; what the place itself gives away is tested by the kinds of places
    "bare": "{}",
    "quoted": '"{}"',
    "code": 'client = Client("{}", timeout=3)',
    "environment": "export SERVICE_VALUE={}",
    "json": '{{"a": 1, "value": "{}"}}',
    "escaped": '{{\\"value\\": \\"{}\\",\\n\\"b\\": 2}}',
    "yaml": "service:\n  value: {}\n  retries: 3",
    "address": "https://api.host.com/v1/items?page=2&value={}&size=10",
    "markdown": "Run it with `{}` please.",
    "prose": "I used {} for it, and it worked.",
    "unicode": "日本語「{}」です",
    "lines": "first line\n{}\nlast line",
}
NOT_IN = {  # an unknown random text in an address is most often a public identifier
    "high-entropy": {"address"},
}


class Sample(NamedTuple):
    """A text with a secret in it, and the random parts that may not survive."""

    kind: str
    place: str
    text: str
    parts: tuple[str, ...]


def samples(seed: int = 7) -> Iterator[Sample]:
    """Every kind's every example in every place it may stand."""
    random = Random(seed)
    for kind in KINDS:
        for example in kind.examples:
            for place, form in PLACES.items():
                if fits(kind.name, example, place):
                    secret, parts = filled(example, random)
                    yield Sample(kind.name, place, form.format(secret), parts)


def fits(kind: str, example: str, place: str) -> bool:
    """Whether an example makes sense in a place: what is a token may stand anywhere, what is a statement may not."""
    token = not re.search(r"[\s\"'=:?]", HOLE.sub("", example)) or kind == "telegram-bot-token"
    return (place in ("bare", "lines") or token) and place not in NOT_IN.get(kind, set())


def filled(template: str, random: Random) -> tuple[str, tuple[str, ...]]:
    """The template with its holes filled, and what they were filled with."""
    parts: list[str] = []

    def fill(hole: re.Match[str]) -> str:
        parts.append(chosen(hole[1], hole[2] or "", random))
        return parts[-1]

    return HOLE.sub(fill, template), tuple(parts)


def chosen(length: str, alphabet: str, random: Random) -> str:
    """Random characters that hold every class of their alphabet, as nearly all long random texts do."""
    if length == "uuid":
        return "-".join(chosen(str(part), "hex", random) for part in (8, 4, 4, 4, 12))
    if alphabet == "words":
        return " ".join(random.choice(WORDS) for _ in range(int(length)))
    while True:
        text = "".join(random.choice(ALPHABETS[alphabet]) for _ in range(int(length)))
        if int(length) < 8 or varied(text, alphabet):
            return "k" + text[1:-1] + "Q" if {text[0], text[-1]} & set("-_+/") else text


def varied(text: str, alphabet: str) -> bool:
    """Whether digits and letters of each case that the alphabet has are there, digits twice."""
    classes = [string.digits, string.ascii_lowercase, string.ascii_uppercase]
    wanted = [each for each in classes if set(each) & set(ALPHABETS[alphabet])]
    if "2" in ALPHABETS[alphabet] and sum(map(str.isdigit, text)) < 2:
        return False
    return all(set(each) & set(text) for each in wanted)


def survivors(parts: tuple[str, ...], text: str, width: int = 8) -> list[str]:
    """The windows of the random parts that still stand in the text; short parts count as a whole."""
    windows = (part[at : at + width] for part in parts for at in range(max(1, len(part) - width + 1)))
    return [window for window in windows if len(window) >= 4 and window in text]


def table() -> str:
    """The kinds as a table in Markdown."""
    rows = ["| kind | what it is | for example |", "|---|---|---|"]
    for kind in KINDS:
        example = kind.examples[0].replace("\n", "⏎").replace("|", "\\|")
        rows.append(f"| `{kind.name}` | {kind.what} | `{example}` |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
