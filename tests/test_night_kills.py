"""Sudden death in every step of the night: the store stays whole, the next night finishes, and undo still works."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import Memory
from experience.clock import StillClock, to_text
from experience.db import FileStore
from experience.layers import soundness
from jobs.nightly import STEPS
from tests.nights import assert_sound, contents

NAMES = [one.NAME for one in STEPS]
KILLS = 50
LATER = timedelta(minutes=5)  # by then the lease of the dead has run out

# Does nights in children of its own, one after the other, and says how far each has come. What is slow to import is
# imported once.
NURSERY = """
import os, sys, experience
from experience.clock import StillClock, from_text
import jobs.nightly
while line := sys.stdin.readline():
    root, home, at = line.split()
    child = os.fork()
    if not child:
        try:
            with experience.open(root, home=home, clock=StillClock(from_text(at))) as memory:
                memory.consolidate(tell=lambda step, share: print("at", step, flush=True))
        finally:
            print("end", flush=True)
            os._exit(0)
    print("pid", child, flush=True)
    sys.stdin.readline()
    os.waitpid(child, 0)
    print("gone", flush=True)
"""
# What a night does, without the moments at which it was done.
TELLING = {
    "experiences": "id, tags, use_count, reported_sum, reported_count, verified_sum, verified_count, success_score",
    "memories": "id, content, type, tags, scope, trust, reinforcement_count, archived_at is not null, superseded_by, "
    "folded_into, quarantined_at, length",
    "sessions": "id, archived_at is not null",
    "links": "made, source",
    "retired": "id, reason, into_id",
    "reviews": "kind, subject, other",
}


def telling(memory: Memory) -> dict[str, Any]:
    return {
        table: sorted(memory.store.query(f"select {names} from {table}"), key=repr) for table, names in TELLING.items()
    }


def crowded(memory: Memory, clock: StillClock) -> None:
    """Enough for every step to need several transactions."""
    memory.record_many([{"intent": f"measure part {number}", "solution": number} for number in range(500)])
    for number in range(260):
        memory.learn(f"The shelf {number} holds {number * 7} boxes of sort {number % 9}")
        memory.learn(f"Somebody wrote that gate {number} sticks", source="web")
        memory.observe(f"Where is box {number}?", session=f"session {number}")
    clock.advance(days=400)
    for number in range(130):
        for copy in ("", "!"):
            memory.record(
                f"repaint the door of room {number}{copy}", {"paint": number, "coats": 2}, tags=[copy or "dry"]
            )
    for number in range(230):
        for turn in range(3):
            memory.episode(f"crane {number} stood still, day {turn}", "failed", [f"crane{number}"])
    memory.store.execute("update corpora set rows = rows + 1 where name in ('turns', 'episodes')")


class Site:
    """A store to be copied, what a night makes of a copy, and the nursery."""

    def __init__(self, root: Path) -> None:
        self.root, self.clock = root, StillClock()
        with experience.open(root / "crowded", home=root / "home", clock=self.clock) as memory:
            crowded(memory, self.clock)
            self.before = telling(memory)
        self.nursery = subprocess.Popen(
            [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with self.opened(self.copy("whole")) as memory:
            assert memory.consolidate().state == "done"
            self.after = telling(memory)

    def copy(self, name: str) -> Path:
        shutil.copytree(self.root / "crowded", self.root / name)
        return self.root / name

    def opened(self, at: Path, later: timedelta = timedelta(0)) -> Memory:
        return experience.open(at, home=self.root / "home", clock=StillClock(self.clock.now + later))

    def kill(self, at: Path, name: str, delay_s: float) -> None:
        """Let a night begin, and end it a moment after it came to a step."""
        self.say(f"{at} {self.root / 'home'} {to_text(self.clock.now)}")
        pid = int(self.hear("pid").split()[1])
        before = NAMES.index(name) - 1
        if before >= 0:  # "end": it came to its end without doing that step
            self.hear(f"at {NAMES[before]}\n", "end")
        time.sleep(delay_s)
        os.kill(pid, signal.SIGKILL)  # nobody else can have its number: it is not waited for until the next line
        self.say("")
        self.hear("gone")

    def say(self, line: str) -> None:
        assert self.nursery.stdin is not None
        self.nursery.stdin.write(f"{line}\n")
        self.nursery.stdin.flush()

    def hear(self, *beginnings: str) -> str:
        """The next line that begins so."""
        assert self.nursery.stdout is not None
        while not (line := self.nursery.stdout.readline()).startswith(beginnings):
            assert line, "the nursery has died"
        return line


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("site"))
    yield made
    made.nursery.kill()
    made.nursery.communicate()


def moments() -> list[tuple[str, float]]:
    """Every step at least twice, each time after another delay."""
    chance = random.Random(4)
    return [(NAMES[number % len(NAMES)], chance.uniform(0, chance.choice((0.005, 0.06)))) for number in range(KILLS)]


@pytest.mark.parametrize(("name", "delay_s"), moments(), ids=lambda part: part if isinstance(part, str) else "")
def test_a_night_that_is_killed_is_finished_by_the_next_and_can_be_undone(
    site: Site, tmp_path: Path, name: str, delay_s: float
) -> None:
    """Whole in between; nothing is done twice; and every change of both finds its way back."""
    at = site.copy(tmp_path.name)

    site.kill(at, name, delay_s)

    with site.opened(at, LATER) as memory:
        assert soundness.damage(memory.store) is None
        assert memory.verify().whole
        report = memory.consolidate()
        assert (report.state, [one.error for one in report.steps if one.state == "failed"]) == ("done", [])
        assert telling(memory) == site.after
        assert_sound(memory)
        assert_backups_whole(at)
        settled = contents(memory)
        assert memory.consolidate().changed == 0
        assert contents(memory) == settled

        for run in memory.runs():
            undone = memory.undo(run.id)
            assert (undone.kept, undone.lost) == (0, 0)
        assert telling(memory) == site.before
        assert_sound(memory)


def assert_backups_whole(at: Path) -> None:
    """No half-written file is left."""
    found = sorted((at / ".experience" / "backups").iterdir())
    assert found
    for path in found:
        opened = FileStore(str(path))
        assert soundness.damage(opened) is None
        opened.close()
