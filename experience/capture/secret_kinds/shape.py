"""What a kind of secret is, and the pieces of patterns that many kinds share.

An example is a template: `<36>` stands for that many random letters and digits, `<40 hex>` for another alphabet. So no
secret, not even an invented one, stands in this repository.
"""

from __future__ import annotations

import re

from experience.capture.secret_kinds.randomness import random_looking
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

# A token may begin after anything but a letter or digit, and also after an escape: \n, \u003d, %3D.
START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])|(?<=\\u00[0-9a-fA-F][0-9a-fA-F]))"
QUOTE = r"\\{0,3}[\"'`]"  # of code, of JSON inside a text, of Markdown
UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
GROUPS = frozenset(f"s{number}" for number in range(1, 10))
ESCAPED = r"(?:\s|\\{1,3}[nrt])"  # white space, also as JSON writes it


class Kind(Value):
    """One kind of secret: how it is noticed, matched and shown."""

    name: str  # of its placeholder
    what: str
    triggers: tuple[str, ...]  # lower-case; without any of these the pattern cannot match
    pattern: str  # its groups named s1, s2, … are the secret; without any of them all of it is
    examples: tuple[str, ...]
    proof: Callable[[Match[str]], bool] | None = None  # what a pattern cannot say
    long: bool = True  # it holds a run of 16 characters, as tokens do; a password may not


def prefixed(name: str, what: str, triggers: str, pattern: str, *examples: str) -> Kind:
    """A token that its own first characters give away."""
    return Kind(name=name, what=what, triggers=tuple(triggers.split()), pattern=START + pattern, examples=examples)


def near(name: str, what: str, words: str, value: str, *examples: str) -> Kind:
    """A token without a shape of its own, next to the name of who issued it."""
    pattern = (
        rf"(?i:{'|'.join(words.split())})(?i:[\w .:-]{{0,40}}?)(?:{QUOTE})?\]?[ \t]{{0,3}}(?:=>|:=|=|:|\bis\b|\bto\b|,)"
        rf"[ \t]{{0,3}}(?:{QUOTE})?(?P<s1>{value})(?![A-Za-z0-9_-])"
    )
    triggers = tuple(re.split(r"[\W_]", word.lower())[0] or word for word in words.split())
    return Kind(name=name, what=what, triggers=triggers, pattern=pattern, examples=examples, proof=_issued)


def _issued(match: Match[str]) -> bool:
    """Whether what stands next to the issuer's name was made by chance."""
    return random_looking(secret(match))


def secret(match: Match[str]) -> str:
    """The part of a match that is the secret: its first group s1, s2, …, or all of it."""
    return next((text for name, text in match.groupdict().items() if name[:2] in GROUPS and text is not None), match[0])
