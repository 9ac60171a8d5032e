"""The command line; `main` takes the short way for the commands that agents run before every prompt."""

from __future__ import annotations

import gc
import sys


def _bundled(verb: list[str]) -> bool:
    """Let the modules of a short way come from one file, where an earlier run has left it."""
    if verb not in (["find"], ["context"]):
        return False
    from experience.hooks import bundle

    return bundle.load(bundle.home(), verb[0])


def main() -> None:
    """The console script `experience`."""
    gc.disable()  # a short process ends before collecting pays off
    if sys.argv[1:2] == ["hook"] and len(sys.argv) == 4:
        from experience.hooks.launch import main as hook

        hook(sys.argv[2:])
    bundled = _bundled(sys.argv[1:2])
    from experience.cli import quick

    asked = quick.parsed(sys.argv[1:])
    if asked is not None:
        quick.run_and_leave(*asked, keep=not bundled)
    gc.enable()
    from experience.cli.commands import experience  # click costs more start-up than a whole find

    experience(prog_name="experience")
