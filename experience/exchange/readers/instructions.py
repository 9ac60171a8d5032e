"""Instructions that people write for agents: CLAUDE.md, AGENTS.md, MEMORY.md, GEMINI.md, rules with a front matter."""

from __future__ import annotations

import re

from experience import globs
from experience.capture.junk import junk
from experience.errors import InvalidInput
from experience.exchange.blocks import without_block
from experience.exchange.records import Stated
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from experience.exchange.records import Record
    from experience.exchange.source import Source

NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "MEMORY.md", "GEMINI.md", ".cursorrules", ".windsurfrules")
MOST = 1_000  # characters of one statement
SCOPES = 5
_ITEM = r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?"
_HEADING = r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$"
_HINTS = (  # the first that fits the heading
    ("pitfall", r"pitfall|gotcha|caveat|known (?:issue|problem)|watch out|trouble|beware|lessons?"),
    ("decision", r"decision|\badr"),
    ("architecture", r"architect|structure|stack|layout|overview|components?|modules?"),
    ("workflow", r"workflow|commands?|build|test|deploy|release|set ?up|install|how to"),
    ("preference", r"convention|style|preference|formatting|naming"),
)


class Passage(Value):
    """A list item or a paragraph, and the headings above it."""

    line: int
    text: str
    headings: tuple[str, ...]


def looks(source: Source) -> bool:
    """Whether a file is meant as instructions, by its name or its place."""
    place = source.path.replace("\\", "/")
    return source.name in NAMES or re.search(r"/\.(?:claude|cursor)/rules/.*\.mdc?$", place) is not None


def read(source: Source) -> Iterator[Record]:
    """Every list item and paragraph that says something; what we generated ourselves is left out."""
    lines = without_block(source.page())
    scopes = _scopes(lines) or ((f"{source.inside}/**",) if source.inside else ())
    for one in passages(lines):
        text = _worded(one)
        if junk(text) is None and len(text) <= MOST:
            hint = next((type for type, words in _HINTS if _speaks(one.headings, words)), None)
            for scope in scopes or (None,):
                yield Stated(line=one.line, text=text, type=hint, scope=scope, context=" / ".join(one.headings))


def passages(lines: list[str]) -> Iterator[Passage]:
    """The items and paragraphs in order; code, tables, comments, imports and the front matter are none."""
    headings: list[tuple[int, str]] = []
    held: list[str] = []
    since = 0
    for number, line in _prose(lines):
        heading = re.match(_HEADING, line)
        begins = re.match(_ITEM, line)
        if held and (heading or begins or not line.strip()):
            yield Passage(line=since, text=_joined(held), headings=tuple(name for _, name in headings))
            held = []
        if heading:
            headings = [one for one in headings if one[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
        elif line.strip():
            since = since if held else number
            held.append(line[begins.end() :] if begins else line)
    if held:
        yield Passage(line=since, text=_joined(held), headings=tuple(name for _, name in headings))


def _prose(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, each that is no prose as a blank one."""
    fence, comment = "", False
    for number, line in enumerate(lines, 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if number <= _front(lines):
            line = ""
        elif fence:
            fence, line = ("" if mark and mark[1].startswith(fence) else fence), ""
        elif mark:
            fence, line = mark[1], ""
        elif comment or "<!--" in line:
            comment, line = "-->" not in line.rpartition("<!--")[2], ""
        elif re.match(r"\s*(?:\||@\S+\s*$|[-=*_]{3,}\s*$)", line):
            line = ""
        yield number, line


def _front(lines: list[str]) -> int:
    """How many lines the front matter takes."""
    if not lines or lines[0].strip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:60], 2) if line.strip() == "---"), 0)


def _scopes(lines: list[str]) -> tuple[str, ...]:
    """The files a front matter speaks of: `paths:` or `globs:`, on its line or in a list below it."""
    found: list[str] = []
    listing = False
    for line in lines[: _front(lines)]:
        key = re.match(r"(paths|globs):\s*(.*)$", line)
        item = re.match(r"\s+-\s+(.*)$", line)
        if key:
            found += re.split(r",(?![^{]*\})", key[2].strip("[] "))
        elif item and listing:
            found.append(item[1])
        listing = bool(key) or (listing and bool(item))
    return tuple(filter(None, (_glob(one.strip().strip("\"'")) for one in found)))[:SCOPES]


def _glob(text: str) -> str | None:
    try:
        return globs.checked("paths", text) if text and text not in ("**", "**/*", "*") else None
    except InvalidInput:
        return None  # it speaks of files outside of the project


def _worded(one: Passage) -> str:
    """The words of a passage; a few of them say little without their heading."""
    short = len(one.text.split()) < 4 and one.headings
    return f"{one.headings[-1]}: {one.text}" if short else one.text


def _joined(parts: list[str]) -> str:
    bare = " ".join(" ".join(parts).split())
    return re.sub(r"(?<!\w)(\*\*|__)(.+?)\1(?!\w)", r"\2", bare)


def _speaks(headings: tuple[str, ...], words: str) -> bool:
    return any(re.search(rf"\b(?:{words})", heading, re.IGNORECASE) for heading in reversed(headings))
