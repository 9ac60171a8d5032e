"""The commands of files as a person would type them, each in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.test_cli import SCRIPT, run
from tests.test_cli_memories import told

GUIDE = "# Release\n\nTag the commit.\n\n## Rollback\n\nTo roll back, redeploy the previous tag with `make deploy`.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one page of documentation."""
    where = tmp_path / "site"
    (where / "docs").mkdir(parents=True)
    (where / "docs" / "release.md").write_text(GUIDE, encoding="utf-8")
    return where


def test_a_folder_is_synced_and_a_line_found_where_it_stands(project: Path) -> None:
    """C112, C113, C117"""
    assert run(project, "sync").stdout.startswith("1 added, 0 changed, 0 removed, 0 unchanged")

    found = run(project, "search", "how do I roll back?")

    place = found.stdout.split()[0]
    path, _, lines = place.rpartition(":")
    start, end = map(int, lines.split("-"))
    said = (project / path).read_text(encoding="utf-8").splitlines()[start - 1 : end]
    assert any("redeploy the previous tag" in line for line in said)


def test_an_edit_is_found_at_once_and_said_to_be_synced(project: Path) -> None:
    """C122, C123"""
    run(project, "sync")
    with (project / "docs" / "release.md").open("a", encoding="utf-8") as file:
        file.write("\nThe canary runs for an hour.\n")

    first, second = told_search(project, "canary"), told_search(project, "canary")

    assert first["chunks"]
    assert (first["auto_synced"], second["auto_synced"]) == (True, False)


def test_a_note_is_appended_read_and_listed(project: Path) -> None:
    """C084, C088"""
    run(project, "note", "append", "decisions", "We chose Postgres.\n")
    run(project, "note", "append", "decisions", "We dropped Redis.\n")

    assert run(project, "note", "read", "decisions").stdout.splitlines()[-1] == "We dropped Redis."
    assert "decisions" in run(project, "note", "list").stdout
    assert (project / ".experience" / "notes" / "decisions.md").exists()


def test_a_session_tells_which_lines_shaped_an_answer(project: Path) -> None:
    """C125, C127, C128"""
    session = told(project, "sessions", "create", "planning")["id"]
    run(project, "search", "roll back", "--session", session, "--response", "answer-1")

    assert "docs/release.md:" in run(project, "sessions", "audit", "answer-1").stdout
    assert "every file is as it was" in run(project, "sessions", "replay", session).stderr
    assert run(project, "sessions", "archive", session).stdout == f"{session} archived\n"
    assert told(project, "sessions", "list", "--status", "active") == []


def test_nothing_found_says_what_to_do(project: Path) -> None:
    run(project, "sync")

    assert "`experience sync DIR` brings more" in run(project, "search", "zebra crossing").stderr


def test_a_directory_that_is_not_there_gets_a_sentence(project: Path) -> None:
    done = run(project, "sync", "nowhere")

    assert done.returncode == 1
    assert "nowhere" in done.stderr


def test_watching_reads_what_is_saved_until_a_signal_ends_it(project: Path) -> None:
    """C120"""
    command = [SCRIPT, "watch", "--project", str(project)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "chunks in memory" in process.stderr.readline()
        (project / "docs" / "hotfix.md").write_text("A hotfix skips the canary.\n", encoding="utf-8")
        for _ in range(200):
            if "hotfix.md" in run(project, "search", "hotfix").stdout:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0

    assert "hotfix.md" in run(project, "search", "hotfix").stdout


def told_search(project: Path, query: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run(project, "search", query, "--json").stdout)
    return found
