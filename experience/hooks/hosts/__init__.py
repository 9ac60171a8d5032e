"""The hosts, a file each: what their events mean, how their answers look, where their settings are."""

from __future__ import annotations

from importlib import import_module

from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = ("claude-code", "codex", "cursor", "opencode", "vscode")


def host(name: str) -> Any:
    """The adapter of a host."""
    if name not in NAMES:
        raise InvalidInput(f"host {name!r} is unknown; choose one of {', '.join(NAMES)}")
    return import_module(f"experience.hooks.hosts.{name.replace('-', '_')}")
