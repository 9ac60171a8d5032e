"""The packages next door (`jobs`, `dashboard`, `memory_sync`): opened by name, and only where they are ours.

Their names are common in other people's repositories; a package that somebody else put in the way is refused.
"""

from __future__ import annotations

import os

from experience.errors import ExperienceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def neighbour(module: str) -> Any:
    """A module of a neighbouring package, such as `jobs.nightly`."""
    from importlib import import_module

    check_ours(module.partition(".")[0])
    return import_module(module)


def check_ours(package: str) -> None:
    """Refuse a package of the same name that somebody else put in the way."""
    from importlib.util import find_spec

    spec = find_spec(package)
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    theirs = spec and spec.origin and os.path.dirname(os.path.dirname(os.path.abspath(spec.origin)))
    if theirs != ours:
        found = spec.origin if spec else "nowhere"
        raise ExperienceError(
            f"the package {package!r} is loaded from {found}, not from {ours}; "
            "start the console script `experience` from an environment without that package"
        )
