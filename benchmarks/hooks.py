"""`python -m benchmarks.hooks`: the hook of a prompt as a whole process, beside a Python that does nothing.

Both run turn by turn, so that a busy machine slows both; the project holds as many memories and experiences as asked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from os.path import join

import experience
from benchmarks import timing
from benchmarks.progress import tell
from experience.hooks import service
from experience.hooks.install.launcher import FILE, script

VERBS = "deploy build migrate restore rename parse cache index upload sign rotate profile retry review".split()
THINGS = "site database login server table invoice parser cache key report image queue cluster backup cart".split()
PLACES = "on staging|in production|in docker|at night|on windows|for the customer|in the tests|after lunch".split("|")
TYPES = ("fact", "preference", "decision", "pitfall", "workflow")


def main() -> None:
    """Make the store, time both, print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hooks", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="experiences in the store (%(default)s)")
    parser.add_argument("--memories", type=int, default=2_000, help="memories in the store (%(default)s)")
    parser.add_argument("--runs", type=int, default=60, help="processes of each kind (%(default)s)")
    parser.add_argument("--store", help="use this project instead of making one; it is written to")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as scratch:
        project = asked.store or made(join(scratch, "project"), asked.rows, asked.memories)
        os.environ["EXPERIENCE_HOME"] = join(scratch, "home")
        tell("no service is up")
        print(table(timed(project, scratch, asked.runs)))
        tell("the service is up")
        with experience.open(project) as memory, service.listening(memory):
            print(table(timed(project, scratch, asked.runs)))


def made(project: str, rows: int, memories: int) -> str:
    """A project with so many experiences and memories."""
    chance = random.Random(7)
    tell(f"making {rows:,} experiences and {memories:,} memories")
    with experience.open(project) as memory:
        for start in range(0, rows, 10_000):
            memory.record_many(
                {"intent": f"{said(chance)} {at}", "solution": "do it"}
                for at in range(start, min(rows, start + 10_000))
            )
        for at in range(memories):
            memory.learn(f"{said(chance)} number {at}", type=chance.choice(TYPES))
    return project


def said(chance: random.Random) -> str:
    """A task in a few words."""
    return f"{chance.choice(VERBS)} the {chance.choice(THINGS)} {chance.choice(PLACES)}"


def timed(project: str, scratch: str, runs: int) -> dict[str, list[float]]:
    """The seconds of every process, by kind."""
    chance, file = random.Random(11), join(scratch, FILE)
    with open(file, "w", encoding="utf-8") as launcher:
        launcher.write(script())
    python = sys.executable
    commands = {
        "python -c pass": [python, "-c", "pass"],
        "python -I -S -c pass": [python, "-I", "-S", "-c", "pass"],
        "hook, installed": [python, "-I", "-S", file, "claude-code", "UserPromptSubmit"],
        "hook, `experience hook`": [
            join(os.path.dirname(python), "experience"),
            "hook",
            "claude-code",
            "UserPromptSubmit",
        ],
    }
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    found: dict[str, list[float]] = {name: [] for name in commands}
    for at in range(runs + 2):
        event = json.dumps({"session_id": "bench", "cwd": project, "prompt": f"how do I {said(chance)}?"}).encode()
        for name, command in commands.items():
            took = timing.seconds(lambda: run(command, event, project, env))  # noqa: B023  # called at once
            if at > 1:  # the first ones compile and bundle
                found[name].append(took)
    return found


def run(command: list[str], event: bytes, project: str, env: dict[str, str]) -> None:
    """One process; a hook must have answered."""
    done = subprocess.run(command, input=event, cwd=project, env=env, check=True, stdout=subprocess.PIPE)
    assert "-c" in command or done.stdout


def table(found: dict[str, list[float]]) -> str:
    """Medians and 95th percentiles, and how many times those of a Python that does nothing they are."""
    base = found["python -c pass"]
    lines = ["| process | p50 ms | × | p95 ms | × |", "|---|--:|--:|--:|--:|"]
    for name, took in found.items():
        half, most = share(took, 0.5), share(took, 0.95)
        lines.append(
            f"| {name} | {half * 1e3:.1f} | {half / share(base, 0.5):.2f} | {most * 1e3:.1f} "
            f"| {most / share(base, 0.95):.2f} |"
        )
    return "\n".join(lines)


def share(took: list[float], part: float) -> float:
    """The value below which this part of them lies."""
    return sorted(took)[min(len(took) - 1, int(part * len(took)))]


if __name__ == "__main__":
    main()
