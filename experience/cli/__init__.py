"""The command line; `main` takes the short way for the commands that agents run before every prompt."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """The console script `experience`."""
    gc.disable()  # a short process ends before collecting pays off
    if sys.argv[1:2] == ["hook"] and len(sys.argv) == 4:
        from experience.hooks.launch import main as hook

        hook(sys.argv[2:])
    from experience.cli import quick

    asked = quick.parsed(sys.argv[1:])
    if asked is not None:
        quick.run_and_leave(*asked)
    gc.enable()
    from experience.cli.commands import experience  # click costs more start-up than a whole find

    experience(prog_name="experience")
