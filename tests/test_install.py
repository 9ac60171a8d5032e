"""Connecting a host edits its own settings in place; letting it go leaves them as they were, to the byte."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experience.errors import InvalidInput
from experience.hooks.hosts import NAMES, host
from experience.hooks.install import carrying, jsonc, places, tables
from experience.hooks.install.edits import JsonEdit, TomlEdit, commands
from tests.test_cli import run

SETTINGS = """\
{
  // what I allow
  "permissions": {"allow": ["Bash(ls)"],},
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}, // mine
    ],
    /* nothing before the prompt */
    "PreCompact": []
  }
}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every host."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    found = tmp_path / "project"
    found.mkdir()
    return found


def files(*roots: Path) -> dict[str, bytes]:
    """Every file below, but for the store itself."""
    return {
        str(path): path.read_bytes() for root in roots for path in sorted(root.rglob("*"))
        if path.is_file() and ".experience" not in path.relative_to(root).parts
    }  # fmt: skip


def connect(name: str, project: Path, *, user: bool = False, **where: str) -> list[carrying.Change]:
    changes = carrying.connecting(places.edits(name, places.place(str(project), user=user, **where)))
    carrying.carry_out(changes)
    return changes


def leave(name: str, project: Path, *, user: bool = False) -> None:
    carrying.clear_away(carrying.leaving(places.edits(name, places.place(str(project), user=user))))


@pytest.mark.parametrize("scope", ["--user", "--project"])
@pytest.mark.parametrize("name", NAMES)
def test_a_host_is_connected_twice_and_let_go_as_if_nothing_had_been(
    name: str, scope: str, project: Path, home: Path
) -> None:
    assert run(project, "install", name, scope).returncode == 0
    first = files(home, project)
    again = run(project, "install", name, scope, "--json")
    assert {one["change"] for one in json.loads(again.stdout)} == {"unchanged"}
    assert files(home, project) == first

    told = "".join(content.decode() for content in first.values())
    assert all(event in told for event in getattr(host(name), "INSTALLED", host(name).EVENTS))
    assert '"mcp"' in told

    assert run(project, "uninstall", name, scope).returncode == 0
    assert files(home, project) == {}
    assert run(project, "uninstall", name, scope).returncode == 0


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("claude-code", ".claude/settings.json"), ("codex", ".codex/hooks.json"), ("cursor", ".cursor/hooks.json"),
        ("vscode", ".vscode/mcp.json"), ("opencode", "opencode.json"), ("claude-code", ".mcp.json"),
    ],
)  # fmt: skip
def test_comments_and_foreign_entries_stay_and_every_byte_comes_back(
    name: str, place: str, newline: str, mark: str, project: Path
) -> None:
    before = (mark + SETTINGS.replace("\n", newline)).encode()
    (project / place).parent.mkdir(exist_ok=True)
    (project / place).write_bytes(before)
    connect(name, project)

    during = (project / place).read_bytes().decode()
    for foreign in ("// what I allow", "say done", "// mine", "/* nothing before the prompt */", "Bash(ls)"):
        assert foreign in during
    assert ("\r\n" in during) == (newline == "\r\n")
    assert during.startswith(mark)
    assert "\n" not in during.replace("\r\n", "") or newline == "\n"
    assert (project / f"{place}.experience-backup").read_bytes() == before

    leave(name, project)
    assert files(project) == {str(project / place): before}


def test_what_others_changed_since_stays_and_only_ours_goes(project: Path) -> None:
    place = project / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text(SETTINGS)
    connect("claude-code", project)
    place.write_text(place.read_text().replace("Bash(ls)", "Bash(cat)").replace("say done", "say goodbye"))
    leave("claude-code", project)

    after = place.read_text()
    assert "experience" not in after
    assert after == SETTINGS.replace("Bash(ls)", "Bash(cat)").replace("say done", "say goodbye")


def test_a_hook_of_ours_among_others_in_one_group_goes_alone(project: Path) -> None:
    connect("claude-code", project)
    place = project / ".claude" / "settings.json"
    whole = json.loads(place.read_text())
    whole["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    place.write_text(json.dumps(whole))
    leave("claude-code", project)

    assert json.loads(place.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    }


@pytest.mark.parametrize(
    ("place", "text", "words"),
    [
        (".claude/settings.json", '{\n  "hooks": {\n', "line 3: a name"),
        (".claude/settings.json", '{"a": 1 "b": 2}', "line 1: a comma"),
        (".claude/settings.json", '{"hooks": []}', "hooks is no object"),
        (".claude/settings.json", '{"hooks": {"Stop": {}}}', "hooks.Stop is no list"),
        (".claude/settings.json", "[" * 200, "nested too deep"),
        (".claude/settings.json", "{'a': 1}", "line 1"),
        (".mcp.json", '{"mcpServers": {"experience": {"command": "other"}}}', "is not ours"),
        (".codex/config.toml", "[model\n", "at line 1"),
        (".codex/config.toml", "[mcp_servers.experience]\ncommand = 'other'\n", "is not ours"),
        (".codex/config.toml", "mcp_servers = {a = {command = 'x'}}\n", "edited safely"),
        (".opencode/plugins/experience.js", "export const Other = 1\n", "somebody else's file"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_edited_are_refused_and_nothing_is_touched(
    place: str, text: str, words: str, project: Path
) -> None:
    (project / place).parent.mkdir(parents=True, exist_ok=True)
    (project / place).write_text(text)
    name = next(name for name in ("codex", "opencode", "claude-code") if name[:5] in place or name == "claude-code")

    done = run(project, "install", name)

    assert done.returncode == 1
    assert words in done.stderr
    assert "the file was left as it is" in done.stderr
    assert files(project) == {str(project / place): text.encode()}


def test_a_dry_run_shows_the_lines_and_writes_nothing(project: Path, home: Path) -> None:
    done = run(project, "install", "codex", "--dry-run")

    assert done.returncode == 0
    assert "+[mcp_servers.experience]" in done.stdout
    assert "UserPromptSubmit" in done.stdout
    assert list(project.iterdir()) == list(home.iterdir()) == []

    connect("codex", project)
    shown = run(project, "uninstall", "codex", "--dry-run").stdout
    assert "removed" in shown
    assert (project / ".codex" / "hooks.json").exists()


def test_a_project_may_be_named_or_be_the_one_at_hand(project: Path, tmp_path: Path) -> None:
    assert run(tmp_path, "install", "cursor", "--project", str(project)).returncode == 0
    assert (project / ".cursor" / "hooks.json").exists()
    assert (project / ".experience" / "project.db").exists()
    assert run(tmp_path, "install", "emacs").returncode == 2


def test_claude_code_gets_its_hooks_without_a_shell(project: Path) -> None:
    connect("claude-code", project)
    whole = json.loads((project / ".claude" / "settings.json").read_text())

    for event in host("claude-code").EVENTS:
        (group,) = whole["hooks"][event]
        (handler,) = group["hooks"]
        assert (handler["type"], os.path.isabs(handler["command"]), handler["timeout"]) == ("command", True, 5)
        *options, file, name, last = handler["args"]
        assert (options, name, last) == (["-I", "-S"], "claude-code", event)
        assert Path(file).is_file()


def test_codex_knows_every_field_of_its_hooks_file(project: Path) -> None:
    connect("codex", project)
    whole = json.loads((project / ".codex" / "hooks.json").read_text())

    assert set(whole) == {"hooks"}
    for groups in whole["hooks"].values():
        for handler in groups[0]["hooks"]:
            assert set(handler) <= {"type", "command", "commandWindows", "timeout", "async", "statusMessage"}
    assert whole["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] <= 3


def test_paths_of_windows_are_written_right_in_every_kind_of_file(project: Path) -> None:
    python = r"C:\Program Files\Python\python.exe"
    for name in NAMES:
        connect(name, project, python=python)

    claude = json.loads((project / ".claude" / "settings.json").read_text())
    codex = json.loads((project / ".codex" / "hooks.json").read_text())
    vscode = json.loads((project / ".github" / "hooks" / "experience.json").read_text())
    toml = tomllib.loads((project / ".codex" / "config.toml").read_text())
    assert claude["hooks"]["Stop"][0]["hooks"][0]["command"] == python
    assert codex["hooks"]["Stop"][0]["hooks"][0]["commandWindows"].startswith(f'"{python}" -I -S ')
    assert vscode["hooks"]["Stop"][0]["windows"].startswith(f'"{python}" -I -S ')
    assert toml["mcp_servers"]["experience"]["command"] == python
    assert json.dumps(python) in (project / ".opencode" / "plugins" / "experience.js").read_text()


def test_another_python_takes_the_place_of_the_one_before(project: Path) -> None:
    connect("claude-code", project, python="/old/python")
    connect("claude-code", project, python="/new/python")

    text = (project / ".claude" / "settings.json").read_text()
    assert "/old/python" not in text
    assert len(commands(text)) == len(host("claude-code").EVENTS)
    assert "/old/python" not in (project / ".mcp.json").read_text()


def test_the_mode_and_the_link_of_a_settings_file_stay(project: Path, home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o600)
    (project / ".mcp.json").symlink_to(real)
    connect("claude-code", project)

    assert (project / ".mcp.json").is_symlink()
    assert "experience" in real.read_text()
    assert (real.stat().st_mode & 0o777, (project / ".mcp.json.experience-backup").stat().st_mode & 0o777) == (
        0o600,
    ) * 2


# The editors.

BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\t", " // note\n", " /* note */ ", "\r\n"])
SCALARS = st.sampled_from(["1", "-2.5e3", "true", "null", '"text"', '"a // b, } ]"', '"\\u00e9\\""'])


@st.composite
def texts(draw: st.DrawFn, depth: int = 0) -> str:
    """JSON as people write it."""
    kind = draw(st.integers(0, 2)) if depth < 3 else 0
    if kind == 0 and depth:
        return draw(SCALARS)
    inner = [draw(texts(depth + 1)) for _ in range(draw(st.integers(0, 3)))]
    blank = lambda: draw(BLANKS)  # noqa: E731
    if kind == 1 and depth:
        body = ",".join(f"{blank()}{one}{blank()}" for one in inner)
        return f"[{body}{',' if inner and draw(st.booleans()) else ''}{blank()}]"
    body = ",".join(f'{blank()}"k{at}"{blank()}:{blank()}{one}{blank()}' for at, one in enumerate(inner))
    return f"{{{body}{',' if inner and draw(st.booleans()) else ''}{blank()}}}"


@given(texts())
@settings(max_examples=300, deadline=None)
def test_what_is_put_in_comes_out_and_nothing_else_moves(text: str) -> None:
    before = jsonc.parse(text).value
    item = {"command": "x", "args": ["a", 1]}

    added = jsonc.add(text, ("hooks", "Stop"), item)
    assert jsonc.parse(added).value == {**before, "hooks": {"Stop": [item]}}
    put = jsonc.put(added, ("servers", "own"), item)
    assert jsonc.parse(put).value == {**before, "hooks": {"Stop": [item]}, "servers": {"own": item}}
    more = jsonc.add(put, ("hooks", "Stop"), 2)
    assert jsonc.parse(jsonc.drop(more, ("hooks", "Stop", 0))).value["hooks"] == {"Stop": [2]}
    bare = jsonc.drop(jsonc.drop(put, ("servers", "own")), ("hooks", "Stop", 0))
    assert jsonc.parse(bare).value == before
    assert bare.count("note") == text.count("note")


@given(texts(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_any_member_can_be_dropped(text: str, rng: Any) -> None:
    before = jsonc.parse(text).value
    if before:
        name = rng.choice(sorted(before))
        after = jsonc.parse(jsonc.drop(text, (name,))).value
        assert after == {key: value for key, value in before.items() if key != name}


@given(texts())
@settings(max_examples=200, deadline=None)
def test_install_and_uninstall_bring_every_text_back(text: str) -> None:
    edit = JsonEdit(path="x", lists={("hooks", "Stop"): {"command": "experience-hook.py"}}, keys={("m", "experience"): {
        "command": "python", "args": ["-m", "experience", "mcp"],
    }})  # fmt: skip
    written = edit.write(text)

    assert edit.write(written) == written
    assert jsonc.parse(edit.clean(written) or "").value == jsonc.parse(text).value


@pytest.mark.parametrize(
    "text",
    [
        "", 'model = "x"\n', 'model = "x"', "# mine\n\n[a]\nb = 1\n\n# about c\n[c]\nd = 2\n",
        "[mcp_servers.other]\ncommand = 'x'\r\n", "[a]\r\nb = 1\r\n", "\n\n",
    ],
)  # fmt: skip
def test_a_table_goes_in_at_the_end_and_comes_out_again(text: str) -> None:
    edit = TomlEdit(
        path="x", table=("mcp_servers", "experience"), values={"command": "c", "args": ["experience", "mcp"]}
    )
    written = edit.write(text)

    assert tomllib.loads(written)["mcp_servers"]["experience"]["args"] == ["experience", "mcp"]
    assert edit.write(written) == written
    assert tomllib.loads(edit.clean(written) or "") == tomllib.loads(text)
    assert (edit.clean(written) or "").strip() == text.strip()


def test_a_table_in_the_middle_goes_with_the_tables_below_it_and_comments_of_others_stay() -> None:
    ours = "[mcp_servers.experience]\ncommand = 'x'\n\n[mcp_servers.experience.env]\nA = '1'\n"
    text = f"[a]\nb = 1\n\n{ours}\n# about c\n[c]\nd = 2\n"

    assert tables.drop(text, ("mcp_servers", "experience")) == "[a]\nb = 1\n\n# about c\n[c]\nd = 2\n"
    with pytest.raises(InvalidInput, match="cannot be edited safely"):
        tables.drop("mcp_servers = {experience = {command = 'x'}}\n", ("mcp_servers", "experience"))
