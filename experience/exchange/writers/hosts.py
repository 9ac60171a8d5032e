"""Where each host keeps its rules, and what stands above the rules of a scope so that the host knows when they hold."""

from __future__ import annotations

import json
import os
import re
from zlib import crc32

from experience import fence
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "experience"


class Host(Value):
    """One kind of rule files."""

    directory: str
    ending: str
    front: Callable[[str | None], str]


def _claude(scope: str | None) -> str:
    """Claude reads a rule without paths always."""
    return f"---\npaths:\n  - {_quoted(scope)}\n---\n" if scope else ""


def _cursor(scope: str | None) -> str:
    told = f"What was learned about {scope}" if scope else "What was learned in this project"
    globs = f"globs: {_bare(scope)}\nalwaysApply: false" if scope else "alwaysApply: true"
    return f"---\ndescription: {_quoted(told)}\n{globs}\n---\n"


HOSTS = {
    "claude-rules": Host(directory=os.path.join(".claude", "rules"), ending=".md", front=_claude),
    "cursor-rules": Host(directory=os.path.join(".cursor", "rules"), ending=".mdc", front=_cursor),
}


def file_name(host: Host, scope: str | None) -> str:
    """The name of the file with the rules of one scope, the same every time."""
    if scope is None:
        return f"{NAME}{host.ending}"
    words = re.sub(r"[^a-z0-9]+", "-", scope.lower()).strip("-")[:40].strip("-")
    return f"{NAME}-{words or 'files'}-{crc32(scope.encode()):08x}{host.ending}"


def is_ours(host: Host, name: str) -> bool:
    """Whether a file is one that we may have made."""
    ending = re.escape(host.ending)
    return re.fullmatch(rf"{NAME}(?:-[a-z0-9-]+-[0-9a-f]{{8}})?{ending}", name) is not None


def _quoted(text: str | None) -> str:
    """Text as YAML between quotes, which nothing in it can leave."""
    return json.dumps(fence.visible(" ".join(str(text).split())))


def _bare(scope: str) -> str:
    """A glob as Cursor writes it, without quotes; one that could be taken for something else is quoted."""
    return scope if re.fullmatch(r"[\w./*?{},@+-]+", scope) and scope[0] not in "*@{-?" else _quoted(scope)
