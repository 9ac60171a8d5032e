"""What chance made and what a person made: random texts change between letters and digits all the time, words do not."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
SPLIT = re.compile(r"[^A-Za-z0-9]+")


def random_looking(text: str) -> bool:
    """Whether chance made a text: letters and digits in many short pieces, or plain hexadecimal."""
    return hexadecimal(text) or any(mixture(part) for part in {text, *text.split("/")} if len(part) >= 16)


def hexadecimal(text: str) -> bool:
    """Whether a text is a long hexadecimal number, also with dashes."""
    digits = text.replace("-", "")
    return len(digits) >= 16 and re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", digits) is not None and len(set(digits)) > 4


def mixture(text: str) -> bool:
    """Whether the letters and digits of a text change places as often as chance makes them."""
    plain = SPLIT.sub("", text)
    pieces = len(_PIECE.findall(plain))
    if not pieces or len(set(plain)) < 8:
        return False
    digits = sum(map(str.isdigit, plain))
    mixed = plain != plain.lower() and plain != plain.upper()
    mean = len(plain) / pieces
    if mixed and digits:
        return mean <= 2.9
    if mixed:
        return len(plain) >= 20 and mean <= 2.5
    return 3 <= digits < len(plain) and mean <= (4.6 if digits > 3 else 4.0)
