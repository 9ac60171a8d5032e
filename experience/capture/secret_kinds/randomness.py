"""What chance made: a random text changes between letters and digits all the time, what a person made does not."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

_PIECE = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+"
_UNSPOKEN = r"(?i)[bcdfghjklmnpqrstvwxz]{5}"  # more consonants than words have in a row
_ROWS = ("ABCDEFG", "12345678")
SPLIT = r"[^A-Za-z0-9]+"


@cache
def compiled(pattern: str) -> Pattern[str]:
    """A pattern, compiled when it is first needed: most starts of the house never need it."""
    return re.compile(pattern)


def random_looking(text: str) -> bool:
    """Whether chance made a text: letters and digits in many short pieces, or plain hexadecimal."""
    return hexadecimal(text) or any(mixture(part) for part in {text, *text.split("/")} if len(part) >= 16)


def hexadecimal(text: str) -> bool:
    """Whether a text is a long hexadecimal number, also with dashes."""
    digits = text.replace("-", "")
    return len(digits) >= 16 and compiled(r"[0-9a-f]+|[0-9A-F]+").fullmatch(digits) is not None and len(set(digits)) > 4


def mixture(text: str) -> bool:
    """Whether the letters and digits of a text change places as often as chance makes them."""
    plain = compiled(SPLIT).sub("", text)
    pieces = len(compiled(_PIECE).findall(plain))
    if not pieces or len(set(plain)) < 8 or any(row in plain.upper() for row in _ROWS):
        return False
    digits, mean = sum(map(str.isdigit, plain)), len(plain) / pieces
    if plain != plain.lower() and plain != plain.upper():
        return mean <= _longest_mean(text, digits)
    if digits >= 3 and digits < len(plain) and mean <= (4.0 if digits == 3 else 5.2 if len(plain) >= 40 else 4.6):
        return True
    return digits >= 2 and len(plain) >= 24 and compiled(_UNSPOKEN).search(plain) is not None


def _longest_mean(text: str, digits: int) -> float:
    """How long the pieces of a random text in both cases may be on average: the longer it is, the surer they tell."""
    if not digits:
        return 2.5 if len(text) >= 20 else 0.0
    if len(text) < 32:
        return 2.9
    return 3.7 if text.isalnum() and digits >= 2 else 3.2
