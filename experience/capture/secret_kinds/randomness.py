"""What chance made: a random text changes between letters and digits all the time, what a person made does not."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

_PIECE = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+"
_HARD = r"(?i)[bcdfghjklmnpqrstvwxz]{4}"
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
    if digits >= 3 and digits < len(plain) and mean <= _longest_mean_of_one_case(plain, digits):
        return True
    return digits >= 2 and len(plain) >= 24 and compiled(_UNSPOKEN).search(plain) is not None


def _longest_mean(text: str, digits: int) -> float:
    """How long the pieces of a random text in both cases may be on average: the longer it is, the surer they tell."""
    if not digits:
        return 2.7 if len(text) >= 20 else 0.0
    return 3.7 if len(text) >= 32 and compiled(_HARD).search(text) else 2.9


def _longest_mean_of_one_case(plain: str, digits: int) -> float:
    """The same for a text in one case: short ones are too much like words with numbers in them."""
    if digits == 3:
        return 4.0
    return 3.4 if len(plain) < 24 else 4.6 if len(plain) < 40 else 5.2


def jagged(word: str) -> bool:
    """Whether letters alone change their case as no word and no name does."""
    pieces = len(compiled(_PIECE).findall(word))
    return word.isalpha() and word not in (word.lower(), word.upper()) and pieces > 2 and len(word) <= 2.8 * pieces
