"""Where hosts are connected, and what is there now."""

from __future__ import annotations

import os
import sys

from experience.hooks.hosts import host
from experience.hooks.install.edits import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from experience.hooks.install.edits import Edit


def place(root: str, *, user: bool, python: str | None = None, home: str | None = None) -> Place:
    """A place for the user or for a project."""
    return Place(user=user, home=home or os.path.expanduser("~"), root=root, python=python or sys.executable)


def edits(name: str, where: Place) -> list[Edit]:
    """Every file of a host there, and what is to be in it."""
    known: Any = host(name)
    found: list[Edit] = known.edits(where)
    return found
