"""`doctor` finds what is wrong, says what to do, and ends with 1; where all is well, with 0."""

from __future__ import annotations

import json
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

import experience
from experience.clock import system_clock
from tests.test_cli import run


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("EXPERIENCE_HOME", str(tmp_path / "home" / ".experience"))
    monkeypatch.setenv("EXPERIENCE_PORT", "1")  # nothing listens there
    found = tmp_path / "project"
    with experience.open(found) as memory:
        memory.learn("Always review before a push.", type="policy")
    return found


def findings(project: Path) -> tuple[int, dict[str, tuple[bool, str]]]:
    """The exit code, and for each thing that was looked at whether it is well, and the words."""
    done = run(project, "doctor", "--json")
    found = {one["name"]: (one["well"], f"{one['words']} {one['todo']}") for one in json.loads(done.stdout)}
    return done.returncode, found


def test_where_all_is_well_doctor_says_so(project: Path) -> None:
    code, found = findings(project)

    assert code == 0
    assert all(well for well, _ in found.values())
    assert set(found) == {"versions", "store", "index", "clock", "service", "hooks", "disk", "hook log"}
    assert "ok   store" in run(project, "doctor").stdout


@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor", "opencode", "vscode"])
def test_each_installed_hook_is_run_and_one_that_is_broken_is_named(name: str, project: Path) -> None:
    assert run(project, "install", name).returncode == 0
    code, found = findings(project)
    assert (code, found[f"{name} (project)"][0]) == (0, True)

    (file,) = project.rglob("experience-hook.py")
    file.write_text(f"{file.read_text().splitlines()[0]}\nraise SystemExit(2)\n")
    code, found = findings(project)
    assert code == 1
    assert "no answer from" in found[f"{name} (project)"][1]
    assert f"experience install {name}" in found[f"{name} (project)"][1]

    assert run(project, "install", name).returncode == 0
    assert findings(project)[0] == 0


def test_trying_the_hooks_leaves_no_trace(project: Path) -> None:
    run(project, "install", "claude-code")
    findings(project)

    with experience.open(project) as memory:
        assert memory.stats()["turns"] == 0
        assert memory.episodic.runs() == []


def test_no_memory_is_a_trouble(tmp_path: Path, project: Path) -> None:
    (tmp_path / "bare").mkdir()
    code, found = findings(tmp_path / "bare")

    assert (code, found["store"]) == (
        1,
        (False, f"there is no memory in {tmp_path / 'bare'} run `experience init` there"),
    )


def test_settings_with_a_syntax_error_are_a_trouble(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text("{,}")
    code, found = findings(project)

    assert code == 1
    assert "line 1" in found["claude-code"][1]


def test_a_damaged_index_and_an_altered_event_are_found(project: Path) -> None:
    raw = sqlite3.connect(project / ".experience" / "project.db")
    raw.execute("update corpora set rows = 7 where name = 'memories'")
    raw.commit()
    code, found = findings(project)
    assert (code, found["index"][0]) == (1, False)
    assert "experience reindex" in found["index"][1]

    raw.execute("drop trigger events_are_never_updated")
    raw.execute("update events set actor = 'nobody' where seq = 1")
    raw.commit()
    raw.close()
    code, found = findings(project)
    assert (code, found["store"][0]) == (1, False)


def test_a_clock_that_went_back_is_found(project: Path) -> None:
    ahead = experience.StillClock(system_clock() + timedelta(days=2))
    with experience.open(project, clock=ahead) as memory:
        memory.learn("the future is near")
    code, found = findings(project)

    assert (code, found["clock"][0]) == (1, False)


def test_what_went_wrong_in_hooks_is_shown(project: Path, tmp_path: Path) -> None:
    run(project, "hook", "claude-code", "UserPromptSubmit", answer="{ this is no event")
    code, found = findings(project)

    assert code == 1
    assert "the event is not JSON" in found["hook log"][1]
    (tmp_path / "home" / ".experience" / "hooks.log").unlink()
    assert findings(project)[0] == 0
