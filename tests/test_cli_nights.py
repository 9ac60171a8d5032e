"""The commands of the night as a person types them, each in a process of its own."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import experience
from experience.clock import StillClock
from jobs.nightly import STEPS
from tests.test_cli import SCRIPT, project, run, told
from tests.test_up import Service

__all__ = ["project"]
NAMES = [one.NAME for one in STEPS]
PAGE = Path(__file__).parent.parent / "docs" / "maintenance.md"
# What is different every time: ids, times, durations, directories.
VARYING = re.compile(
    r"(?P<id>\b(?:exp|run|rev|ep)_[0-9a-z]+|\b(?=[a-z]*\d)[0-9a-z]{7}\b)"
    r"|\d{4}-\d\d-\d\d(?: \d\d:\d\d)?(?: [A-Z]{3,4}\b)?|\d{8}-\d{6}|\d+\.\d+ s|/\S+/|\s+|\bevents  \d+"
)


def lived_in(where: Path, count: int = 3000) -> None:
    """A store with so many experiences that have become too light."""
    with experience.open(where, clock=StillClock(datetime.now(UTC) - timedelta(days=400))) as memory:
        memory.record_many([{"intent": f"paint room {n} once", "solution": n} for n in range(count)])


def last_run(where: Path) -> dict[str, object]:
    found = told(where, "jobs", "history", "--limit", "1")
    assert isinstance(found, list)
    return found[0] if found else {}


def test_a_look_ahead_shows_what_is_then_done(project: Path) -> None:
    """C140, C141: `consolidate --dry-run --only --json`: the very plan, change for change."""
    lived_in(project, 5)

    planned = told(project, "consolidate", "--dry-run", "--only", "prune")
    assert isinstance(planned, dict)
    assert (planned["state"], len(planned["changes"])) == ("planned", 5)
    assert last_run(project) == {}
    shown = run(project, "consolidate", "--dry-run", "--only", "prune")
    assert shown.stdout.count("would be pruned") == 5
    assert "would change 5 things" in shown.stderr

    done = told(project, "consolidate", "--only", "prune")
    assert isinstance(done, dict)
    kept = told(project, "jobs", "show", done["run"])
    assert isinstance(kept, dict)
    assert {one["subject"] for one in kept["changes"]} == {one["subject"] for one in planned["changes"]}


def test_the_history_of_the_night_says_what_was_done(project: Path) -> None:
    assert "no night was done yet" in run(project, "jobs", "history").stderr
    lived_in(project, 5)
    done = run(project, "jobs", "run")
    assert done.returncode == 0
    assert re.search(r"prune +done +pruned 5\n", done.stdout)

    id = str(last_run(project)["id"])
    assert re.match(rf"{id}  \d{{4}}-\d\d-\d\d \d\d:\d\d  done +changed ", run(project, "jobs", "history").stdout)
    shown = run(project, "jobs", "show", id)
    assert re.search(r"\nexperiences +5 → 0\n", shown.stdout)
    assert f"5 changes may be undone with `experience undo {id}`" in shown.stderr
    assert run(project, "undo", id).stdout == "5 brought back\n"
    assert run(project, "undo", id).stdout == "0 brought back\n"
    assert told(project, "stats")["experiences"] == 5  # type: ignore[index]


def test_what_does_not_exist_gets_a_sentence(project: Path) -> None:
    for arguments, sentence in (
        (("undo", "run_nope"), "no run with the id 'run_nope' in this project"),
        (("jobs", "show", "run_nope"), "no run with the id 'run_nope' in this project"),
        (("consolidate", "--only", "tidy"), f"step 'tidy' is unknown; choose one of {', '.join(NAMES)}"),
        (("review", "approve", "rev_nope"), "no review with the id 'rev_nope' in this project"),
        (("restore", "none.db"), "none.db is no file"),
    ):
        done = run(project, *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"experience: {sentence}")


def test_a_failed_step_is_told_and_the_exit_code_says_so(project: Path) -> None:
    """As system cron sees it."""
    lived_in(project, 5)
    (project / ".experience" / "backups").write_text("in the way")

    done = run(project, "consolidate")

    assert done.returncode == 1
    assert re.search(r"prune +done +pruned 5\n", done.stdout)
    assert re.search(r"backup +failed +StoreUnavailable: the backup \S+ could not be written", done.stdout)
    assert "check the directory and the space on the disk" in done.stdout


@pytest.mark.parametrize("command", [("jobs", "list"), ("up", "--port", "0"), ("jobs", "run", "--forever")])
def test_a_bad_hour_is_refused_at_start_with_the_field_named(project: Path, command: tuple[str, ...]) -> None:
    settings = project / ".experience" / "settings.json"
    settings.write_text('{"night": "0 25 * * *"}')

    done = run(project, *command)

    assert done.returncode == 1
    assert "the setting night '0 25 * * *': the field hour '25' is wrong: the last value (25) is higher" in done.stderr


def test_the_schedule_is_told_in_local_time(project: Path) -> None:
    """DESIGN's schedule row: nightly 03:00 local."""
    env = {**os.environ, "TZ": "Asia/Tokyo"}
    done = subprocess.run([SCRIPT, "jobs", "list"], cwd=project, env=env, capture_output=True, text=True, check=True)

    assert re.search(r"\bnext +\d{4}-\d\d-\d\d 03:00 JST\n", done.stdout)
    assert re.search(r"\bsteps +" + ", ".join(NAMES), done.stdout)


def test_up_does_a_night_that_was_missed(project: Path) -> None:
    """DESIGN's schedule row: missed runs coalesce and run once, also when the service was down for a year."""
    lived_in(project, 5)
    service = Service(project)
    try:
        wait_until(project, "done")
    finally:
        code, words = service.end()

    assert (code, "Traceback" in words) == (0, False)
    assert told(project, "stats")["experiences"] == 0  # type: ignore[index]
    assert len(told(project, "jobs", "history")) == 1  # type: ignore[arg-type]


def test_ctrl_c_stops_the_night_with_a_sentence_and_the_next_one_finishes(project: Path) -> None:
    lived_in(project)
    with subprocess.Popen(
        [SCRIPT, "consolidate"], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        with experience.open(project) as memory:
            while process.poll() is None and memory.stats()["experiences"] > 2500:
                time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=60)

    assert process.returncode == 130
    assert words == "\nthe night was stopped; what it did stays done, and `experience consolidate` does the rest\n"
    assert last_run(project)["state"] == "stopped"
    left = told(project, "stats")["experiences"]  # type: ignore[index]
    assert 0 < left < 3000
    assert run(project, "consolidate").returncode == 0
    assert told(project, "stats")["experiences"] == 0  # type: ignore[index]


def test_a_terminal_sees_how_far_the_night_is(project: Path) -> None:
    """A bar that is drawn anew with each step, and nothing where a program reads along."""
    lived_in(project, 5)
    ours, theirs = pty.openpty()
    with subprocess.Popen([SCRIPT, "consolidate"], cwd=project, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        drawn = b""
        while True:
            try:
                drawn += os.read(ours, 4096)
            except OSError:  # the other end was closed
                break
    os.close(ours)

    assert process.returncode == 0
    bars = re.findall(r"\r\[(#*)\.*\] +(\d+)% (\w+)", drawn.decode())
    assert {name for _, _, name in bars} == set(NAMES)
    assert [int(share) for _, share, _ in bars] == sorted(int(share) for _, share, _ in bars)
    assert bars[-1][:2] == ("#" * 30, "100")
    assert "%" not in run(project, "consolidate").stderr


def test_a_run_whose_process_is_gone_is_not_called_alive(project: Path) -> None:
    lived_in(project, 5)
    with experience.open(project) as memory:
        memory.shelf.nights.begin("run_dead", "night", "a dead runner", 1, memory.now(), {})

    assert "its runner is gone, the next night finishes it" in run(project, "jobs", "history").stdout


def test_a_question_is_shown_in_words_and_answered_once(project: Path) -> None:
    run(project, "learn", "The staging server listens on port 8080")
    run(project, "learn", "The staging server listens on port 9090", "--source", "agent")
    run(project, "consolidate", "--only", "supersede")

    lines = run(project, "review", "list").stdout.splitlines()
    (question,) = [line for line in lines if line.startswith("rev_")]
    assert "on port 9090 – instead of: The staging server listens on port 8080" in question
    id = question.split()[0]
    assert run(project, "review", "reject", id, "--by", "ana").stdout == f"{id} rejected\n"
    again = run(project, "review", "approve", id, "--by", "ben")

    assert again.returncode == 1
    assert f"the review {id} was rejected already by ana" in again.stderr


def test_the_page_about_the_night_shows_what_the_commands_print(tmp_path: Path) -> None:
    """Every console block of docs/maintenance.md, one after the other, in one project."""
    where, known = tmp_path / "site", dict[str, str]()
    where.mkdir()
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]

    assert len(steps) > 30
    for step in steps:
        command, _, shown = step.partition("\n")
        for old, new in known.items():
            command = command.replace(old, new)
        if "restore " in command:
            (copy,) = (where / ".experience" / "backups").iterdir()
            command = re.sub(r"project-\S+\.db", copy.name, command)
        done = run(where, *shlex.split(command)[1:])
        matched = re.fullmatch(pattern(shown), done.stdout + done.stderr)
        assert matched, f"{command}\n{done.stdout}{done.stderr}"
        ids = [found["id"] for found in VARYING.finditer(shown) if found["id"]]
        known.update(zip(ids, matched.groups(), strict=True))


def pattern(shown: str) -> str:
    """What matches the same text with other ids, times and directories."""
    parts, last = [], 0
    for found in VARYING.finditer(shown):
        varying = r"(\w+)" if found["id"] else r"\s+" if found[0].isspace() else ".+?"
        parts += [re.escape(shown[last : found.start()]), varying]
        last = found.end()
    return "".join([*parts, re.escape(shown[last:])])


def wait_until(where: Path, state: str) -> None:
    for _ in range(300):
        if last_run(where).get("state") == state:
            return
        time.sleep(0.1)
    raise AssertionError(f"no night came to be {state}")
