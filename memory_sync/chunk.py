"""Lines → overlapping chunks that begin where a thought begins. Pure.

A file is halved at its most telling border (a heading, then a paragraph, then any line) until every part fits. Of
borders that tell as much, the hash of the line decides, never its place: an edit moves no border but those beside it,
so the chunks around it stay as they were. Each part then takes in the last lines of the one before.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Piece: TypeAlias = tuple[int, int, str, str]  # first line, last line (from 1, both in it), text, headings above

CHARACTERS = 4  # per token
TOKENS, OVERLAP = 400, 80
PARAGRAPH, LINE, INSIDE_GAP, INSIDE, BLANK = 7, 8, 9, 10, 11  # after the six levels of headings
SLIVER = 0.3  # of a chunk: a border so near to another is no border. A wider ban would let edits move more borders
_SIGNS = "#|`~"  # a line that begins with another is plain text
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")


def pieces(lines: Sequence[str], *, tokens: int = TOKENS, overlap: int = OVERLAP) -> Iterator[Piece]:
    """The chunks of a file, none longer than *tokens*, neighbours sharing at least *overlap* of whole lines.

    A line that does not fit by itself is cut, and each of its parts says that line.
    """
    most, shared = tokens * CHARACTERS, overlap * CHARACTERS
    start = 0
    headings: list[str] = []
    for at, line in enumerate(lines) if max(map(len, lines), default=0) > most else ():
        if len(line) > most:
            yield from _Part(lines, start, at, headings, most, shared).pieces()
            above = " › ".join(filter(None, headings))
            yield from ((at + 1, at + 1, text, above) for text in _cut(line, most, shared))
            start = at + 1
    yield from _Part(lines, start, len(lines), headings, most, shared).pieces()


class _Part:
    """Some lines of a file, none of them too long; *headings* are those above, and afterwards those below."""

    def __init__(self, lines: Sequence[str], start: int, end: int, headings: list[str], most: int, shared: int) -> None:
        self._lines, self._start, self._end = lines, start, end
        self._headings, self._most, self._shared = headings, most, shared
        self._places = [0, *accumulate([len(line) + 1 for line in lines[start:end]])]
        self._begins: dict[int, int] = {}

    def pieces(self) -> Iterator[Piece]:
        """The chunks of these lines, in order."""
        self._titles: list[tuple[int, int, str]] = []  # line, level, words
        self._ranks = self._ranked()
        self._titles.reverse()
        waiting = [(0, self._end - self._start)]
        while waiting:
            first, last = waiting.pop()
            if last - first <= 1 or self._fits(first, last):
                yield from self._piece(first, last)
            else:
                middle = self._border(first, last)
                waiting += [(middle, last), (first, middle)]

    def _piece(self, first: int, last: int) -> Iterator[Piece]:
        """These lines and what they share with those before."""
        self._pass_headings(first + 1)
        above = " › ".join(filter(None, self._headings))
        self._pass_headings(last)
        begin = self._start + self._shared_from(first, last)
        text = "\n".join(self._lines[begin : self._start + last])
        if text and not text.isspace():
            yield begin + 1, self._start + last, text, above

    def _pass_headings(self, line: int) -> None:
        """Take note of the headings before this line: they are in force now."""
        while self._titles and self._titles[-1][0] < line:
            _, level, title = self._titles.pop()
            self._headings[:] = [*(self._headings + [""] * 6)[: level - 1], title]

    def _ranked(self) -> list[int]:
        """How good it is to begin a chunk at each line, the best the lowest; also notes the headings."""
        lines = self._lines[self._start : self._end]
        heads = self._heads = [line.lstrip()[:1] for line in lines]
        ranks, closed = [LINE] * len(lines), 0
        telling = [at for at, head in enumerate(heads) if head in _SIGNS]  # blank ones as well
        begun = [at + 1 for at in telling if not heads[at]]
        for at in sorted({0, *telling, *begun}):
            if closed <= at < len(lines):
                ranks[at] = self._rank(at, lines[at].strip())
                if heads[at] and heads[at] in "`~" and (mark := _FENCE.match(lines[at])):
                    closed = self._closed(at, mark[1])
                    ranks[at + 1 : closed] = [INSIDE if head else INSIDE_GAP for head in heads[at : closed - 1]]
        return ranks

    def _closed(self, at: int, fence: str) -> int:
        """The line after the end of a block of code."""
        for line in range(at + 1, len(self._heads)):
            if self._heads[line] == fence[0]:
                bare = self._lines[self._start + line].strip()
                if bare.startswith(fence) and not bare.strip(fence[0]):
                    return line + 1
        return len(self._heads)

    def _rank(self, at: int, bare: str) -> int:
        """The rank of a line that begins a paragraph or with a sign, outside of blocks of code."""
        if not bare:
            return BLANK
        before = self._heads[at - 1] if at else ""
        if bare[0] == "#" and (heading := _HEADING.match(self._lines[self._start + at])):
            self._titles.append((at, len(heading[1]), heading[2] or ""))
            return len(heading[1])
        if before:
            return INSIDE if before == bare[0] == "|" else LINE
        following = self._start + at + 1
        if following < self._end and (line := _UNDERLINE.match(self._lines[following])) and bare[0] not in "-=|>*+`~":
            level = 1 if line[1][0] == "=" else 2
            self._titles.append((at, level, bare))
            return level
        return PARAGRAPH

    def _size(self, first: int, last: int) -> int:
        return self._places[last] - self._places[first] - 1

    def _fits(self, first: int, last: int) -> bool:
        """Whether these lines fit into one chunk, together with what they share; a block on its own may share less."""
        if self._size(self._wanted_from(first), last) <= self._most:
            return True
        if self._size(first, last) > self._most:
            return False
        return all(rank in (INSIDE, INSIDE_GAP, BLANK) for rank in self._ranks[first + 1 : last])

    def _wanted_from(self, first: int) -> int:
        """Where the lines begin that a chunk shares with the one before: the fewest that are long enough."""
        if not first or not self._shared:
            return first
        found = self._begins.get(first)
        if found is None:
            end = self._places[first] - 1
            found = max(bisect_right(self._places, end - self._shared) - 1, 0)
            if end - self._places[found] > self._most // 2:  # whole lines, but no more than half a chunk of them
                found = bisect_left(self._places, end - self._most // 2)
            found = self._begins[first] = min(found, first)
        return found

    def _shared_from(self, first: int, last: int) -> int:
        """The same, where the chunk has not room for all of it."""
        begin = self._wanted_from(first)
        while begin < first and self._size(begin, last) > self._most:
            begin += 1
        return begin

    def _border(self, first: int, last: int) -> int:
        """The best line to begin the second half with."""
        least = int(SLIVER * (self._most - self._shared))
        begin = max(bisect_left(self._places, self._places[first] + least), first + 1)
        end = min(bisect_right(self._places, self._places[last] - least), last)
        best = self._best(begin, end) if begin < end else None
        if best is None or self._ranks[best] > LINE:  # rather a short part than a block cut in two
            anywhere = self._best(first + 1, last)
            if best is None or self._ranks[anywhere] <= LINE:
                return anywhere
        return best

    def _best(self, begin: int, end: int) -> int:
        """The most telling of these borders."""
        lowest = min(self._ranks[begin:end])
        return min((at for at in range(begin, end) if self._ranks[at] == lowest), key=self._chance)

    def _chance(self, at: int) -> int:
        """A number that a line has wherever it stands."""
        return crc32(self._lines[self._start + at].encode("utf-8", "replace"))


def _cut(line: str, most: int, shared: int) -> Iterator[str]:
    """A long line in overlapping parts, cut at spaces where it has any."""
    start = 0
    while len(line) - start > most:
        space = line.rfind(" ", start + most // 2, start + most)
        end = space + 1 if space > 0 else start + most
        yield line[start:end]
        again = line.rfind(" ", start + 1, end - shared)
        start = again + 1 if again > start and shared else end - shared
    yield line[start:]
