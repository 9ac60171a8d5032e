"""Public names of rows: random, short, without letters that look alike."""

from __future__ import annotations

from os import urandom

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # 32 letters: no i, l, o, u

_LETTERS = bytes(ord(ALPHABET[byte & 31]) for byte in range(256))


def new_ids(prefix: str, count: int, *, length: int = 10) -> list[str]:
    """Many random ids, for one question to the system."""
    letters = urandom(count * length).translate(_LETTERS).decode()
    return [prefix + letters[at : at + length] for at in range(0, count * length, length)]


def new_id(prefix: str = "", *, length: int = 10) -> str:
    """A random id of *length* letters, five bits each, after *prefix*."""
    return new_ids(prefix, 1, length=length)[0]
