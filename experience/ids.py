"""Public names of rows: random, short, without letters that look alike."""

from __future__ import annotations

from os import urandom

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # 32 letters: no i, l, o, u


def new_id(prefix: str = "", *, length: int = 10) -> str:
    """A random id of *length* letters, five bits each, after *prefix*."""
    return prefix + "".join([ALPHABET[byte & 31] for byte in urandom(length)])
