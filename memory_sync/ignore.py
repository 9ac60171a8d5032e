"""What `.gitignore` says, as git reads it: deeper files win, later lines win, a directory that is left out stays out.

pathspec knows the language of the patterns; asking it pattern by pattern took longer than walking the tree, so
neighbouring patterns of one kind are joined into one expression here.
"""

from __future__ import annotations

import re
from itertools import groupby

from pathspec import GitIgnoreSpec, RegexPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    Rules: TypeAlias = tuple["Ignore", ...]  # the nearest first

FILE = ".gitignore"


class Ignore:
    """One `.gitignore`, in the directory *where* (relative to the base, with a slash at the end, or empty)."""

    def __init__(self, where: str, lines: Iterable[str]) -> None:
        self._skip = len(where)
        groups = [
            (left_out, re.compile("|".join(f"(?:{pattern})" for _, pattern in some)))
            for left_out, some in groupby(_patterns(lines), key=lambda pair: pair[0])
        ]
        self._groups = [(left_out, pattern.match) for left_out, pattern in reversed(groups)]

    def says(self, path: str) -> bool | None:
        """Whether it leaves a path out, takes it back in, or says nothing; a directory ends with a slash."""
        inner = path[self._skip :]
        for left_out, match in self._groups:
            if match(inner):
                return bool(left_out)
        return None


def _patterns(lines: Iterable[str]) -> Iterator[tuple[bool, str]]:
    """Each line that says anything: whether it leaves out or takes back in, and its expression."""
    for line in lines:
        try:
            for pattern in GitIgnoreSpec.from_lines([line]).patterns:
                if isinstance(pattern, RegexPattern) and pattern.include is not None and pattern.regex is not None:
                    yield pattern.include, pattern.regex.pattern.replace("?P<ps_d>", "?:")
        except ValueError:
            continue  # git, too, passes over a line that is no pattern


def left_out(rules: Rules, path: str) -> bool:
    """Whether a path is left out, by the nearest rules that say anything about it."""
    for rule in rules:
        said = rule.says(path)
        if said is not None:
            return said
    return False
