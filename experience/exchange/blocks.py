"""A block of ours in somebody's file: put in, replaced, taken out again to the byte; all around it stays as it is."""

from __future__ import annotations

import re

from experience.errors import InvalidInput

BEGIN, END = "<!-- experience:begin", "<!-- experience:end -->"
_NOTE = "written by `experience export`; what stands between these two lines is replaced"
_BEGIN = r"^<!-- experience:begin(?: joined=(\d))?[^\n]*-->[ \t]*\r?$"
_END = r"^<!-- experience:end -->[ \t]*\r?$"


def replaced(path: str, text: str, inside: str) -> str:
    """The text of a file with *inside* as our block: where the block was, else at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    place = _place(path, text)
    if place is None:
        joint = "" if not text else newline if text.endswith("\n") else newline * 2
        before, after, joined = text + joint, "", len(joint) // len(newline)
    else:
        before, after, joined = text[: place[0]], text[place[1] :], place[2]
    block = f"{BEGIN} joined={joined} ({_NOTE}) -->\n{inside}{END}\n"
    return before + block.replace("\n", newline) + after


def removed(path: str, text: str) -> str:
    """The text of a file as it was before there was a block."""
    place = _place(path, text)
    if place is None:
        return text
    before, after = text[: place[0]], text[place[1] :]
    newline = "\r\n" if "\r\n" in text else "\n"
    for _ in range(place[2]):
        before = before.removesuffix(newline)
    unended = place[2] > 1 and after  # somebody went on below a line that had no end
    return before + (newline if unended else "") + after


def holds(text: str) -> bool:
    """Whether there is a block of ours in a text."""
    return re.search(_BEGIN, text, re.MULTILINE) is not None


def without_block(lines: list[str]) -> list[str]:
    """Lines without those of our blocks, each replaced by a blank one so that numbers stay."""
    kept, inside = [], False
    for line in lines:
        inside = inside or re.match(_BEGIN, line) is not None
        kept.append("" if inside else line)
        inside = inside and re.match(_END, line) is None
    return kept


def _place(path: str, text: str) -> tuple[int, int, int] | None:
    """Where the block stands: from, to, and how many line breaks were put in before it."""
    begins = list(re.finditer(_BEGIN, text, re.MULTILINE))
    ends = list(re.finditer(_END, text, re.MULTILINE))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise InvalidInput(
            f"{path} does not have one line {BEGIN!r} followed by one {END!r}; it was left as it is: "
            "remove what is left of the block and export again"
        )
    past = re.match(r"\r?\n", text[ends[0].end() :])
    return begins[0].start(), ends[0].end() + (past.end() if past else 0), int(begins[0][1] or 0)
