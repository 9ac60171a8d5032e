"""One file made ready for the store: read, its secrets taken out, cut, analysed. Touches no store."""

from __future__ import annotations

import os
from hashlib import sha256

from experience.values import Value
from memory_sync.chunk import pieces
from memory_sync.read import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from memory_sync.read import Read
    from memory_sync.roots import Place
    from memory_sync.words import Words

    # first line, last line, headings, text, hash, terms, terms of the headings
    Cut: TypeAlias = tuple[int, int, str, str, str, str, str]


class Recipe(Value):
    """How files are cut and analysed; another recipe makes all of them anew."""

    tokens: int
    overlap: int
    analyzer: str
    most: int  # bytes of a file

    @property
    def name(self) -> str:
        """What a file's row says of it."""
        return f"{self.analyzer}:{self.tokens}/{self.overlap}"


class Prepared(Value):
    """A file as the store will have it; without *found* it is gone or not to be read, without *cuts* as it was."""

    place: Place
    found: Read | None
    problem: str | None = None
    cuts: Sequence[Cut] | None = None
    name_terms: str = ""
    secrets: dict[str, int]


def prepare(place: Place, path: str, was: tuple[str, str] | None, recipe: Recipe, words: Words) -> Prepared:
    """Read a file and make its chunks; *was* is its hash and recipe in the store."""
    try:
        found = read(path, most=recipe.most)
    except FileNotFoundError:
        return Prepared(place=place, found=None, secrets={})  # it vanished since the scan
    except OSError as error:
        problem = f"it cannot be read ({error.strerror}); check its permissions"
        return Prepared(place=place, found=None, problem=problem, secrets={})
    if was == (found.hash, recipe.name):
        return Prepared(place=place, found=found, secrets={})
    text, secrets = words.clean(found.text)
    cuts = [
        (first, last, heading, part, sha256(part.encode()).hexdigest(), words.terms(part), words.terms(heading))
        for first, last, part, heading in pieces(text.split("\n"), tokens=recipe.tokens, overlap=recipe.overlap)
    ]
    name = words.terms(os.path.splitext(os.path.basename(place[1]))[0])
    return Prepared(place=place, found=found.replace(text=""), cuts=cuts, name_terms=name, secrets=secrets)
