"""Every command as a person or an agent would type it, in a process of its own."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click import Command, Group

import experience
from experience.cli.commands import experience as group
from tests.conftest import free_port

SCRIPT = str(Path(sys.executable).parent / "experience")
# Imported by every Python that starts with it on its path: writes down each call that could reach another machine.
WATCH = """
import os, sys
REACHING = {"connect", "getaddrinfo", "gethostbyname", "gethostbyaddr", "sendto", "sendmsg", "bind"}
SEEN = os.open(os.environ["SEEN"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)

def watch(event, arguments):
    room, _, name = event.partition(".")
    if room == "socket" and name in REACHING:
        os.write(SEEN, f"{name} {[one for one in arguments if isinstance(one, tuple | str)]}\\n".encode())

sys.addaudithook(watch)
"""


def run(where: Path, *arguments: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], cwd=where, input=answer, capture_output=True, text=True, timeout=60)


def told(where: Path, *arguments: str) -> object:
    """What a command that goes well prints as JSON."""
    done = run(where, *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    where = tmp_path / "site"
    where.mkdir()
    assert run(where, "init").returncode == 0
    return where


def test_three_experiences_and_the_right_one_is_found(project: Path) -> None:
    """C001, C130: each command is a process of its own."""
    run(project, "record", "deploy the site to production", "run make deploy, then check /health")
    run(project, "record", "fix the flaky login test", '{"steps": ["freeze the clock"]}', "--tag", "tests")
    run(project, "record", "speed up the nightly report", "add an index on orders.created_at", "--success", "0.9")

    found = told(project, "find", "login test fails sometimes")

    assert found[0]["experience"]["solution"] == {"steps": ["freeze the clock"]}
    first, second = run(project, "find", "how do I deploy?").stdout.splitlines()[:2]
    assert "deploy the site to production" in first
    assert "run make deploy, then check /health" in second


def test_the_short_way_and_clicks_way_print_the_same(project: Path) -> None:
    """A find is parsed by hand for speed; an option only click knows must change nothing else."""
    run(project, "record", "deploy the site", "make deploy")
    quick = run(project, "find", "deploy", "--limit", "3").stdout
    clicked = run(project, "find", "deploy", "--limit=3", "--").stdout

    assert quick == clicked != ""


def test_an_outcome_moves_success_and_counts_a_use(project: Path) -> None:
    """C136"""
    made = told(project, "record", "deploy", "x", "--success", "0.5")

    after = told(project, "outcome", made["id"], "1", "--channel", "tests")

    assert after["success_score"] > 0.5
    assert after["use_count"] == 1
    assert told(project, "get", made["id"]) == after


def test_list_stats_and_reindex_agree(project: Path) -> None:
    for name in ("one", "two"):
        run(project, "record", name, name, "--tag", name)

    assert [one["intent"] for one in told(project, "list")] == ["two", "one"]
    assert [one["intent"] for one in told(project, "list", "--tag", "one")] == ["one"]
    assert told(project, "stats")["experiences"] == told(project, "reindex")["indexed"] == 2


def test_events_are_filtered_by_type_time_and_field(project: Path) -> None:
    """C107"""
    made = told(project, "record", "deploy", "x", "--type", "tool_chain")
    run(project, "record", "other", "x")
    run(project, "outcome", made["id"], "1")

    assert [one["type"] for one in told(project, "events")] == ["experience.recorded"] * 2 + ["experience.outcome"]
    assert len(told(project, "events", "--type", "experience.recorded", "--where", "type=tool_chain")) == 1
    assert told(project, "events", "--until", "2020-01-01") == []
    assert len(told(project, "events", "--since", "2020-01-01", "--subject", made["id"])) == 2


def test_verify_names_the_first_altered_event(project: Path) -> None:
    """C106"""
    for name in "abc":
        run(project, "record", name, name)
    assert told(project, "verify")["whole"]
    with sqlite3.connect(project / ".experience" / "project.db") as raw:
        for (name,) in raw.execute("select name from sqlite_master where type = 'trigger' and tbl_name = 'events'"):
            raw.execute(f"drop trigger {name}")
        raw.execute("update events set subject = 'forged' where seq = 2")
    raw.close()

    done = run(project, "verify")

    assert done.returncode == 1
    assert "event 2 in" in done.stderr
    assert "this row was altered" in done.stderr


def test_erase_asks_first(project: Path) -> None:
    made = told(project, "record", "a secret plan", "x")

    assert run(project, "erase", made["id"], answer="n\n").returncode == 1
    assert told(project, "get", made["id"])
    assert run(project, "erase", made["id"], "--yes").returncode == 0
    assert run(project, "get", made["id"]).returncode == 1
    assert b"secret plan" not in b"".join(p.read_bytes() for p in (project / ".experience").iterdir())


def test_settings_tell_where_they_come_from(project: Path) -> None:
    run(project, "settings", "half_life_days", "14")
    run(project, "settings", "port", "7400", "--user")

    found = {one["name"]: one for one in told(project, "settings")}

    assert found["half_life_days"]["value"] == 14
    assert found["half_life_days"]["source"] == str(project / ".experience" / "settings.json")
    assert found["port"]["source"] == os.path.join(os.environ["EXPERIENCE_HOME"], "settings.json")
    assert found["min_weight"]["source"] == "default"


def test_a_command_below_the_project_speaks_of_it(project: Path) -> None:
    below = project / "src" / "deep"
    below.mkdir(parents=True)

    assert run(below, "record", "deploy", "x").returncode == 0
    assert not (below / ".experience").exists()
    assert "deploy" in run(project, "list").stdout


def test_reading_makes_no_store(tmp_path: Path) -> None:
    done = run(tmp_path, "find", "anything")

    assert done.returncode == 1
    assert done.stderr == f"experience: there is no memory in {tmp_path} yet; `experience init` makes one\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["record", " ", "x"], 1, "intent is empty"),
        (["record", "a", "x", "--success", "7"], 1, "success_score must be a number from 0 to 1"),
        (["get", "exp_none"], 1, "no experience with the id 'exp_none'"),
        (["find", "a", "--limit", "0"], 1, "limit must be a whole number"),
        (["find", "a", "--project", "nowhere"], 1, "is no directory"),
        (["find", "a", "--url", "http://127.0.0.1:9"], 1, "http://127.0.0.1:9"),
        (["events", "--since", "yesterday"], 1, "is no time"),
        (["events", "--where", "oops"], 1, "FIELD=VALUE"),
        (["settings", "colour"], 1, "unknown"),
        (["find"], 2, "Missing argument"),
        (["find", "a", "--wrong"], 2, "No such option"),
        (["find", "a", "--limit", "9" * 5000], 2, "is not a valid integer"),
        (["guess"], 2, "No such command"),
    ],
)
def test_a_mistake_gets_a_sentence_and_an_exit_code(project: Path, arguments: list[str], code: int, words: str) -> None:
    done = run(project, *arguments)

    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where every process that the test starts writes down whom it wanted to reach."""
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "watch"), prepend=os.pathsep)
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    return tmp_path / "seen"


def test_no_command_reaches_out_of_this_machine(tmp_path: Path, seen: Path) -> None:
    """C002, C147: no connection, no look-up of a name; only a URL somebody set is ever connected to."""
    made = told(tmp_path, "record", "deploy the site", "x")
    for command in (
        "init", "find deploy", "find deploy --", f"get {made['id']}", "list", f"outcome {made['id']} 1", "stats",
        "events", "verify", "reindex", "settings half_life_days 14", "learn we-use-pnpm", "recall pnpm", "memories",
        "scoped a.py", "observe we-must-ship", "detect pnpm", "context pnpm", "episode it-broke", "episodes broke",
        "procedure release tag push", "core-memory", "audit", f"erase {made['id']} --yes",
    ):  # fmt: skip
        done = run(tmp_path, *command.split())
        assert done.returncode == 0, done.stderr
    assert seen.read_text() == ""

    port = free_port()
    assert run(tmp_path, "stats", "--url", f"http://127.0.0.1:{port}").returncode == 1
    assert f"connect [('127.0.0.1', {port})]" in seen.read_text()
    assert {line.split("'")[1] for line in seen.read_text().splitlines()} == {"127.0.0.1"}


def test_a_run_is_replayed_in_order(project: Path) -> None:
    """C108: what an agent logged in one run, and nothing of another."""
    with experience.open(project) as memory:
        for number, run_id in enumerate(("r1", "r2", "r1", "r1")):
            memory.log(("tool.called", "error.raised")[number % 2], f"step {number}", run=run_id)

    replayed = told(project, "events", "--run", "r1")

    assert [(one["type"], one["subject"]) for one in replayed] == [
        ("tool.called", "step 0"), ("tool.called", "step 2"), ("error.raised", "step 3"),
    ]  # fmt: skip


def test_every_command_has_one_help_sentence_and_a_line_in_the_docs() -> None:
    page = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    names = """init record find list learn recall memories scoped update archive restore remember history forget
    core-memory observe detect context explain why-not replay compact episode episodes procedure get outcome stats audit
    events verify erase reindex settings up""".split()

    assert set(names) <= set(group.commands)
    assert [name for name in group.commands if f"| `{name}" not in page] == []
    for command in every_command(group):
        assert command.help is not None
        assert command.help.count(".") == 1
        if not isinstance(command, Group):
            assert {"--project", "--url", "--json"} <= {option for param in command.params for option in param.opts}


def every_command(of: Group) -> Iterator[Command]:
    """The commands of a group, those of its own groups, too."""
    for command in of.commands.values():
        yield command
        if isinstance(command, Group):
            yield from every_command(command)


def test_the_list_of_commands_shows_every_sentence_whole(tmp_path: Path) -> None:
    assert "..." not in run(tmp_path, "--help").stdout.split("Commands:")[1]


@pytest.mark.parametrize("verb", ["find", "context"])
def test_the_short_way_loads_no_heavy_module(project: Path, verb: str) -> None:
    run(project, "record", "deploy", "x")
    code = f"""if True:
        import os, sys
        leave, sys.argv = os._exit, ["experience", "{verb}", "deploy"]
        os._exit = lambda code: (print(*sys.modules, file=sys.stderr, flush=True), leave(code))
        from experience.cli import main
        main()"""

    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True)

    heavy = set("click argparse numpy flask pathlib typing dataclasses inspect asyncio threading".split())
    assert "deploy" in done.stdout
    assert heavy & set(done.stderr.split()) == set()
