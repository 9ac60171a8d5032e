"""Globs of paths: `*` within a name, `**` across directories, `?` one letter, `{a,b}` either.

A glob is walked piece by piece. What is known between two pieces is every place of the path that can have been reached,
one bit each, so that the work grows with the glob times the path: no glob can make a match slow.
"""

from __future__ import annotations

import re
from functools import lru_cache

from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    Pieces: TypeAlias = tuple[Any, ...]  # text, or for {a,b} a tuple with the pieces of each

MOST = 300
_PIECE = r"\*\*/|/\*\*$|\*\*+|[*?]|\{[^{}]*\}|(?:[^*?{}/]|/(?!\*\*$))+|[{}]"


def checked(field: str, value: object) -> str:
    """A glob that can be matched, relative to the project."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{field} must be a glob such as 'src/**/*.py', not {value!r}")
    glob = value.strip().replace("\\", "/").removeprefix("./")
    if len(glob) > MOST or not glob.isprintable():
        raise InvalidInput(f"{field} must be at most {MOST} printable characters")
    if glob.startswith(("/", "~/")) or ".." in re.split("[/{},]", glob) or re.match(r"[A-Za-z]:/", glob):
        raise InvalidInput(f"{field} {value!r} leaves the project; write it relative to the project, such as 'src/**'")
    if not _balanced(glob):
        raise InvalidInput(f"{field} {value!r} has a brace that is not closed, or one inside another; write {{a,b}}")
    return "**" if glob in ("", ".") else glob


def matches(glob: str, path: str) -> bool:
    """Whether a path, relative to the project, is one that the glob speaks of.

    A plain directory speaks of all inside it; a glob without a slash of that file name anywhere, as in `.gitignore`.
    """
    if path.startswith("../"):
        return False  # it belongs to somebody else
    return _Places(path).reach(_pieces(glob), 1) >> len(path) & 1 == 1


def _balanced(glob: str) -> bool:
    bare = re.sub(r"\{[^{}]*\}", "", glob)
    return "{" not in bare and "}" not in bare


@lru_cache(maxsize=4096)
def _pieces(glob: str) -> Pieces:
    """A whole glob in pieces, what its short forms mean written out."""
    bare = glob.rstrip("/")
    anywhere = ("**/",) if "/" not in bare else ()
    inside = ("/**",) if not re.search(r"[*?{]", bare) else ()
    return (*anywhere, *_cut(bare), *inside)


def _cut(glob: str) -> Pieces:
    return tuple(
        tuple(_cut(either) for either in piece[1:-1].split(",")) if len(piece) > 1 and piece[0] == "{" else piece
        for piece in re.findall(_PIECE, glob)
    )


class _Places:
    """The places between the letters of a path as bits: bit 0 before the first, the last one after the last."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._all = (1 << (len(path) + 1)) - 1
        self._slashes = self._where("/")
        self._letters = self._all >> 1 & ~self._slashes

    def reach(self, pieces: Iterable[Any], places: int) -> int:
        """The places that can be reached over all these pieces from any of *places*."""
        for piece in pieces:
            if not places:
                break
            places = self._step(piece, places)
        return places

    def _step(self, piece: str | Pieces, places: int) -> int:
        if isinstance(piece, tuple):
            found = 0
            for either in piece:
                found |= self.reach(either, places)
            return found
        if piece == "*":  # the sum carries each place to the end of its name
            return (((places & self._letters) + self._letters) ^ self._letters) | places
        if piece == "?":
            return (places & self._letters) << 1
        if piece == "**/":
            return places | (self._from(places) & self._slashes) << 1
        if piece == "/**":
            return places | self._from(places & self._slashes)
        if piece.startswith("**"):
            return self._from(places)
        return (places & self._where(piece)) << len(piece)

    def _from(self, places: int) -> int:
        """The first of these places and every one after it."""
        return self._all & -(places & -places)

    def _where(self, text: str) -> int:
        """Every place where this text begins."""
        found, at = 0, self._path.find(text)
        while at >= 0:
            found |= 1 << at
            at = self._path.find(text, at + 1)
        return found
