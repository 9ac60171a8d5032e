"""What a find costs more when something was recorded since the last one: here, and in another process."""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks import timing
from benchmarks.progress import tell

TURNS = 40


def measure(job: dict) -> dict:
    """Find without and with a fresh record before it, turn by turn, in this process and in one that stays open."""
    from benchmarks.engines.ours import Live

    tell("a fresh record and the next find, in this process and in another")
    with open(job["queries"], encoding="utf-8") as file:
        asked = [text for text, _ in json.load(file)]
    mine, other = Live(job["directory"]), Other(job["directory"])
    quiet, fresh, quiet_other, fresh_other = [], [], [], []
    for turn in range(TURNS):
        number, text = 2_000_000 + turn, asked[turn % len(asked)]
        intent = f"{text} zzfresh{turn}"
        mine.search(intent), other.find(intent)  # both know the words' pages
        quiet.append(timing.seconds(lambda: mine.search(intent)))  # noqa: B023  # called at once
        quiet_other.append(other.find(intent)[0])
        mine.add(number, intent)
        found: list[int] = []
        fresh.append(timing.seconds(lambda: found.extend(mine.search(intent))))  # noqa: B023  # called at once
        took, found_other = other.find(intent)
        fresh_other.append(took)
        if number not in found or number not in found_other:
            raise SystemExit(f"the record {number} was not found by the very next find")
    other.close()
    return {
        "added_s": timing.median(fresh) - timing.median(quiet),
        "added_other_s": timing.median(fresh_other) - timing.median(quiet_other),
        "quiet_s": timing.median(quiet), "quiet_other_s": timing.median(quiet_other),
    }  # fmt: skip


class Other:
    """A process that stays, has its index warm, and answers a query a line."""

    def __init__(self, directory: str) -> None:
        command = [sys.executable, "-m", "benchmarks.freshness", directory]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def find(self, text: str) -> tuple[float, list[int]]:
        """How long the find took over there, and what it brought."""
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()
        took, found = json.loads(self._process.stdout.readline())
        return took, found

    def close(self) -> None:
        """Let it go."""
        self._process.stdin.close()
        self._process.wait()


def answer(directory: str) -> None:
    """The other process: answer until the questions end."""
    from benchmarks.engines.ours import Live

    live = Live(directory)
    for line in sys.stdin:
        found: list[int] = []
        took = timing.seconds(lambda: found.extend(live.search(line.strip())))  # noqa: B023  # called at once
        print(json.dumps([took, found]), flush=True)


if __name__ == "__main__":
    answer(sys.argv[1])
