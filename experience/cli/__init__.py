"""The command line. `main` takes the short way for the one command that agents run before every prompt."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script `experience`."""
    from experience.cli import quick

    asked = quick.parsed(sys.argv[1:])
    if asked is not None:
        quick.run_and_leave(asked)
    from experience.cli.commands import experience  # click costs more start-up than a whole find

    experience(prog_name="experience")
