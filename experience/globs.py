"""Globs of paths: `*` within a name, `**` across directories, `?` one letter, `{a,b}` either."""

from __future__ import annotations

import re
from functools import lru_cache

from experience.errors import InvalidInput

MOST = 300
_PIECES = {
    "**/": "(?:[^/]+/)*", "/**": "(?:/.*)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", ",": "|", "}": ")",
}  # fmt: skip


def checked(field: str, value: object) -> str:
    """A glob that can be matched, relative to the project."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{field} must be a glob such as 'src/**/*.py', not {value!r}")
    glob = value.strip().replace("\\", "/").removeprefix("./")
    if len(glob) > MOST or not glob.isprintable():
        raise InvalidInput(f"{field} must be at most {MOST} printable characters")
    if glob.startswith("/") or ".." in glob.split("/") or re.match(r"[A-Za-z]:/", glob):
        raise InvalidInput(f"{field} {value!r} leaves the project; write it relative to the project, such as 'src/**'")
    if not _balanced(glob):
        raise InvalidInput(f"{field} {value!r} has a brace that is not closed, or one inside another; write {{a,b}}")
    return glob


def matches(glob: str, path: str) -> bool:
    """Whether a path, relative to the project, is one that the glob speaks of.

    A plain directory speaks of all inside it; a glob without a slash of that file name anywhere, as in `.gitignore`.
    """
    return _compiled(glob).fullmatch(path) is not None


def _balanced(glob: str) -> bool:
    bare = re.sub(r"\{[^{}]*\}", "", glob)
    return "{" not in bare and "}" not in bare


@lru_cache(maxsize=4096)
def _compiled(glob: str) -> re.Pattern[str]:
    inside, found = False, []
    for piece in re.findall(r"\*\*/|/\*\*(?=$)|\*\*|[*?{},]|[^*?{},/]+|/", glob.rstrip("/")):
        inside = (inside or piece == "{") and piece != "}"
        meant = _PIECES.get(piece) if piece != "," or inside else None
        found.append(re.escape(piece) if meant is None else meant)
    plain = not re.search(r"[*?{]", glob)
    anywhere = "(?:.*/)?" if "/" not in glob.rstrip("/") else ""
    return re.compile(anywhere + "".join(found) + ("(?:/.*)?" if plain else ""), re.DOTALL)
