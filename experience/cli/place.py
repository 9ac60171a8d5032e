"""Where a command is: which project it speaks of, which file is meant by a path, and what stands on its stdin."""

from __future__ import annotations

import os
import sys

from experience.desks.stores import DIRECTORY
from experience.errors import InvalidInput, StoreUnavailable
from experience.settings import home_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.memory import Memory


def opened(project: str | None, url: str | None, *, make: bool = False) -> Memory:
    """Open the project a command speaks of; only commands that write may *make* a store where there is none."""
    from experience.memory import Memory  # the short ways open the hall alone

    return Memory(known_root(project, url, make=make), url=url, actor="cli")


def known_root(project: str | None, url: str | None, *, make: bool = False) -> str:
    """The directory of a project that has a memory, or may get one."""
    root = project_root(project)
    memory_file = os.path.join(root, DIRECTORY, "project.db")
    if not (make or url or os.environ.get("EXPERIENCE_URL") or os.path.exists(memory_file)):
        settings = os.path.join(root, DIRECTORY, "settings.json")
        if not os.path.exists(settings):  # settings may name a server
            raise StoreUnavailable(f"there is no memory in {root} yet; `experience init` makes one")
    return root


def project_root(project: str | None) -> str:
    """The directory given, or the nearest above with a memory, or the nearest above under git, or this one."""
    if project is not None:
        if not os.path.isdir(project):
            raise InvalidInput(f"--project {project!r} is no directory; make it first, or correct the path")
        return os.path.abspath(project)
    here, home = os.getcwd(), os.path.realpath(home_directory())
    above = _upwards(here)
    with_memory = [path for path in above if _is_directory(path, DIRECTORY, besides=home)]
    under_git = [path for path in above if os.path.exists(os.path.join(path, ".git"))]
    return (with_memory or under_git or [here])[0]


def at_hand(root: str, path: str) -> str:
    """A path as it was typed: seen from the working directory, or from the project where that is elsewhere."""
    whole = os.path.abspath(path)
    return whole if whole.startswith(os.path.join(root, "")) else path


def read_stdin() -> str:
    """All of stdin; bytes that are no UTF-8 are replaced."""
    if sys.stdin is None:  # whoever started this closed it
        return ""
    if sys.stdin.isatty():
        sys.stderr.write("reading from the terminal; Ctrl-D on an empty line ends it\n")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _upwards(path: str) -> list[str]:
    found = [path]
    while (parent := os.path.dirname(found[-1])) != found[-1]:
        found.append(parent)
    return found


def _is_directory(path: str, name: str, *, besides: str) -> bool:
    inside = os.path.join(path, name)
    return os.path.isdir(inside) and os.path.realpath(inside) != besides
