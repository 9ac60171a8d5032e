"""A process that starts, finds once and ends, beside a Python that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from os.path import dirname, join

from benchmarks import timing
from benchmarks.progress import tell

RUNS = 40
SCRIPT = "import sys, experience; experience.open(sys.argv[1]).find(sys.argv[2])"


def measure(directory: str, queries: list[str], scratch: str) -> dict:
    """The median of both, run turn by turn; modules are compiled beforehand, as an installer does."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": join(scratch, "pycache"), "EXPERIENCE_HOME": join(directory, "home")}
    project = join(directory, "ours")
    script = join(dirname(sys.executable), "experience")
    commands = [[script, "find", query, "--project", project] for query in queries[:RUNS]]
    through = "experience find"
    if not _works(commands[0], env):
        commands = [[sys.executable, "-c", SCRIPT, project, query] for query in queries[:RUNS]]
        through = "python -c 'experience.open(…).find(…)'"
    nothing = [sys.executable, "-c", "pass"]
    tell(f"cold: {RUNS} times {through} and python -c pass")
    ours, empty = [], []
    for command in commands:
        empty.append(timing.seconds(lambda: _run(nothing, env)))
        ours.append(timing.seconds(lambda: _run(command, env)))  # noqa: B023  # called at once
    return {"ours_s": timing.median(ours), "empty_s": timing.median(empty), "through": through}


def _works(command: list[str], env: dict[str, str]) -> bool:
    try:
        return [subprocess.run(command, env=env, capture_output=True).returncode for _ in range(2)] == [0, 0]
    except FileNotFoundError:
        return False


def _run(command: list[str], env: dict[str, str]) -> None:
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
