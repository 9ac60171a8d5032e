"""What a memory is called and the words it is filed under, where nobody said."""

from __future__ import annotations

import re

from experience.analyzer import STOP_WORDS

TITLE = 60
MOST = 6
_DULL = STOP_WORDS | frozenset(
    """about after all also always any because been before being between both doesn don down each every few get gets got
    here just like make makes many may more most much must need never new no not now off one only other out over own
    same shall since some still such sure take than thing things through too under until up use used uses using very
    want way well""".split()
)


def title_of(content: str) -> str:
    """The beginning of the first sentence."""
    first = re.split(r"(?<=[.!?])\s|\n", " ".join(content.split()), maxsplit=1)[0]
    if len(first) <= TITLE:
        return first.rstrip(".")
    return first[: TITLE - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def keywords_of(title: str, content: str) -> str:
    """The most telling words of both, separated by `|`: names and identifiers first, then long and repeated words."""
    found: dict[str, float] = {}
    for position, word in enumerate(re.findall(r"\w[\w.-]*\w|\w", f"{title} {content}"[:5000])):
        plain = word.lower()
        if plain in _DULL or (len(plain) < 3 and not plain.isdigit()):
            continue
        telling = 3.0 if re.search(r"\d|[_.-]|[a-z][A-Z]|^[A-Z]{2,}", word) else 0.0
        found[plain] = found.get(plain, 1.0 - position * 1e-6) + telling + min(len(plain), 12) / 12
    if not found:  # nothing but dull words: better those than none
        return "|".join(dict.fromkeys(re.findall(r"\w+", content.lower())[:MOST]))
    return "|".join(sorted(found, key=lambda word: -found[word])[:MOST])
