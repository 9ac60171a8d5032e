"""The directories whose files stay in memory, and how their files are named.

A file inside the project goes by its path in the project. A root beside the project keeps its own paths, under the name
that it has as seen from the project. No absolute path is ever stored.
"""

from __future__ import annotations

import os

from experience import checks
from experience.errors import InvalidInput
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    Place: TypeAlias = tuple[str, str]  # root, path: what a file is known by

NOTES = ".experience/notes"


class Root(Value):
    """One directory, or one file, to be read."""

    label: str  # '' inside the project, else the way from the project to `base`
    base: str  # the directory that paths begin at
    prefix: str  # the path of this root as stored, '' for the base itself

    @property
    def path(self) -> str:
        """Where it is on this machine."""
        return os.path.join(self.base, *self.prefix.split("/")) if self.prefix else self.base

    @property
    def name(self) -> str:
        """How the settings would name it, relative to the project."""
        return "/".join(filter(None, (self.label, self.prefix))) or "."

    def covers(self, place: Place) -> bool:
        """Whether a file belongs to this root."""
        root, path = place
        inside = not self.prefix or path == self.prefix or path.startswith(f"{self.prefix}/")
        return root == self.label and inside


def named(project: str, given: str | os.PathLike[str], known: Sequence[Root] = ()) -> Root:
    """The root that a path means; relative ones begin at the project. Inside a *known* root it goes by that one."""
    if not isinstance(given, str | os.PathLike):
        raise InvalidInput(f"roots must be a list of directories, such as ['docs'], not one with {given!r}")
    text = os.path.expanduser(checks.text("roots", os.fspath(given), most=4096))
    home = os.path.realpath(project)
    path = os.path.realpath(os.path.join(home, text))
    if path == home or path.startswith(home.rstrip(os.sep) + os.sep):
        return Root(label="", base=home, prefix=_inner(home, path))
    for root in known:
        if root.label and (path == root.base or path.startswith(root.base.rstrip(os.sep) + os.sep)):
            return root.replace(prefix=_inner(root.base, path))
    try:
        return Root(label=os.path.relpath(path, home).replace(os.sep, "/"), base=path, prefix="")
    except ValueError as error:
        raise InvalidInput(f"the root {text!r} is on another drive than the project; move it there") from error


def several(
    project: str, given: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], known: Sequence[Root] = ()
) -> list[Root]:
    """The roots that these paths mean, those inside another left out, in the order of their names."""
    if isinstance(given, str | os.PathLike):
        given = [given]
    return outermost([named(project, one, known) for one in given])


def outermost(roots: Iterable[Root]) -> list[Root]:
    """Each file under one root only."""
    kept: list[Root] = []
    for root in sorted(roots, key=lambda one: (len(one.path), one.path)):
        if not any(_within(root, other) for other in kept):
            kept.append(root)
    return sorted(kept, key=lambda one: one.name)


def _within(root: Root, other: Root) -> bool:
    if other.prefix == NOTES or root.prefix == NOTES:  # the notes are a root of their own, whatever is around them
        return root.path == other.path
    return root.path == other.path or root.path.startswith(other.path.rstrip(os.sep) + os.sep)


def _inner(base: str, path: str) -> str:
    return "" if path == base else os.path.relpath(path, base).replace(os.sep, "/")
