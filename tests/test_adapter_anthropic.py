"""Anthropic's memory tool over the notes: its very words, and nothing outside of the notes."""

from __future__ import annotations

import os
import stat
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import InvalidInput, Memory
from experience.adapters.anthropic_memory import DEFINITION, MemoryFiles, tool
from tests.conftest import need

SECRET = "ghp_" + "a8Zk3Qw9Xy" * 3 + "b7Tq2L"
MISSING = "The path /memories/b.md does not exist. Please provide a valid path."


@pytest.fixture
def files(memory: Memory) -> MemoryFiles:
    made = MemoryFiles(memory)
    made.call({"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\nthree\nfour\nfive\n"})
    return made


def place(memory: Memory, name: str = "") -> Path:
    return Path(memory.root) / ".experience" / "notes" / name


def refused(files: MemoryFiles, **command: Any) -> str:
    with pytest.raises(experience.ExperienceError) as caught:
        files.call(command)
    return str(caught.value)


def test_a_directory_is_listed_two_levels_deep(memory: Memory, files: MemoryFiles) -> None:
    files.call({"command": "create", "path": "/memories/deep/er/est.md", "file_text": "x" * 1536})
    place(memory, ".hidden").write_text("x", encoding="utf-8")
    place(memory, "link.md").symlink_to(place(memory, "a.md"))

    head, root, *rest = files.call({"command": "view", "path": "/memories"}).split("\n")

    assert head == "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:"
    assert root.endswith("\t/memories")
    assert [line.partition("\t")[2] for line in rest] == ["/memories/a.md", "/memories/deep/", "/memories/deep/er/"]
    assert rest[0] == "24B\t/memories/a.md"
    assert "1.5K\t/memories/deep/er/est.md" in files.call({"command": "view", "path": "/memories/deep"})


def test_an_empty_memory_is_an_empty_directory(memory: Memory) -> None:
    assert MemoryFiles(memory).call({"command": "view", "path": "/memories"}).endswith("\t/memories")


def test_a_file_is_shown_with_its_numbers(files: MemoryFiles) -> None:
    shown = files.call({"command": "view", "path": "/memories/a.md"})

    assert shown.startswith("Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo\n")
    some = files.call({"command": "view", "path": "/memories/a.md", "view_range": [2, 3]})
    assert some.split("\n")[1:] == ["     2\ttwo", "     3\tthree"]
    rest = files.call({"command": "view", "path": "/memories/a.md", "view_range": [5, -1]})
    assert rest.split("\n")[1] == "     5\tfive"


def test_each_command_says_what_it_did(memory: Memory, files: MemoryFiles) -> None:
    done = [
        files.call({"command": "create", "path": "/memories/b/c.md", "file_text": "x"}),
        files.call({"command": "str_replace", "path": "/memories/a.md", "old_str": "three", "new_str": "3"}),
        files.call({"command": "insert", "path": "/memories/a.md", "insert_line": 0, "insert_text": "zero\n"}),
        files.call({"command": "rename", "old_path": "/memories/b/c.md", "new_path": "/memories/d/e.md"}),
        files.call({"command": "delete", "path": "/memories/d"}),
    ]

    assert done == [
        "File created successfully at: /memories/b/c.md",
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     1\tone\n     2\ttwo\n     3\t3\n     4\tfour\n     5\tfive",
        "The file /memories/a.md has been edited.",
        "Successfully renamed /memories/b/c.md to /memories/d/e.md",
        "Successfully deleted /memories/d",
    ]
    assert place(memory, "a.md").read_text(encoding="utf-8") == "zero\none\ntwo\n3\nfour\nfive\n"
    assert [one.data["did"] for one in memory.events.list(type="file.note")] == [
        "created", "created", "edited", "edited", "renamed", "deleted",
    ]  # fmt: skip


def test_each_command_says_what_is_wrong(files: MemoryFiles) -> None:
    b, a = "/memories/b.md", "/memories/a.md"
    files.call({"command": "insert", "path": a, "insert_line": 5, "insert_text": "one"})

    assert refused(files, command="view", path=b) == MISSING
    assert refused(files, command="str_replace", path=b, old_str="x", new_str="y") == MISSING
    assert refused(files, command="insert", path=b, insert_line=0, insert_text="x") == MISSING
    assert refused(files, command="create", path=a, file_text="x") == "File /memories/a.md already exists"
    assert refused(files, command="str_replace", path=a, old_str="six", new_str="6") == (
        "No replacement was performed, old_str `six` did not appear verbatim in /memories/a.md."
    )
    assert refused(files, command="str_replace", path=a, old_str="one", new_str="1") == (
        "No replacement was performed. Multiple occurrences of old_str `one` in lines: 1, 6. Please ensure it is unique"
    )
    assert refused(files, command="insert", path=a, insert_line=7, insert_text="x") == (
        "Invalid `insert_line` parameter: 7. It should be within the range [0, 6]."
    )
    assert refused(files, command="delete", path="/memories") == "Cannot delete the /memories directory itself"
    assert refused(files, command="delete", path=b) == "The path /memories/b.md does not exist"
    assert refused(files, command="rename", old_path=b, new_path=a) == "The path /memories/b.md does not exist"
    assert refused(files, command="rename", old_path=a, new_path=a) == "The destination /memories/a.md already exists"
    assert "not a file" in refused(files, command="str_replace", path="/memories", old_str="x", new_str="y")


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../../secret", "/memories/a/../../../x", "/etc/passwd", "memories/a.md", "/memoriesx/a.md", "",
        "/memories/..", "/memories/a\\..\\b", "/memories/a\0b", "/memories/./a.md", "/memories/a\nb",
    ],
)  # fmt: skip
def test_no_path_leads_out(path: str, files: MemoryFiles) -> None:
    for command in (
        {"command": "view", "path": path}, {"command": "create", "path": path, "file_text": "x"},
        {"command": "delete", "path": path}, {"command": "rename", "old_path": path, "new_path": "/memories/n.md"},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": path},
        {"command": "str_replace", "path": path, "old_str": "one", "new_str": "x"},
        {"command": "insert", "path": path, "insert_line": 0, "insert_text": "x"},
    ):  # fmt: skip
        words = refused(files, **command)
        assert "would escape" in words or "must start with /memories" in words


def test_no_link_leads_out(memory: Memory, files: MemoryFiles, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("theirs", encoding="utf-8")
    place(memory, "dir").symlink_to(outside)
    place(memory, "file.md").symlink_to(outside / "x.md")
    place(memory, "new.md").symlink_to(outside / "new.md")

    for path in ("/memories/dir/x.md", "/memories/file.md", "/memories/dir", "/memories/dir/y.md", "/memories/new.md"):
        for command in (
            {"command": "view", "path": path}, {"command": "create", "path": path, "file_text": "x"},
            {"command": "delete", "path": path}, {"command": "str_replace", "path": path, "old_str": "theirs"},
            {"command": "rename", "old_path": "/memories/a.md", "new_path": path},
        ):  # fmt: skip
            assert "would escape" in refused(files, **command)
    assert [(one.name, one.read_text(encoding="utf-8")) for one in outside.iterdir()] == [("x.md", "theirs")]


def test_notes_that_are_themselves_a_link_are_refused(memory: Memory, tmp_path: Path) -> None:
    """A project from elsewhere may carry one."""
    (tmp_path / "outside").mkdir()
    place(memory).symlink_to(tmp_path / "outside")

    assert "would escape" in refused(MemoryFiles(memory), command="create", path="/memories/a.md", file_text="x")


def test_only_their_owner_reads_them(memory: Memory, files: MemoryFiles) -> None:
    files.call({"command": "create", "path": "/memories/deep/er/a.md", "file_text": "x"})

    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in place(memory).rglob("*")}
    assert modes == {"a.md": 0o600, "deep": 0o700, "er": 0o700}


def test_secrets_never_reach_the_notes(memory: Memory, files: MemoryFiles) -> None:
    path = "/memories/a.md"
    files.call({"command": "create", "path": "/memories/s.md", "file_text": f"key {SECRET}\n"})
    files.call({"command": "insert", "path": path, "insert_line": 1, "insert_text": f"key {SECRET}"})
    shown = files.call({"command": "str_replace", "path": path, "old_str": "two", "new_str": f"key {SECRET}"})

    assert SECRET not in shown
    assert all(SECRET.encode() not in one.read_bytes() for one in Path(memory.root).rglob("*") if one.is_file())


def test_a_write_that_fails_leaves_the_note_as_it_was(memory: Memory, files: MemoryFiles) -> None:
    """C031"""
    before = place(memory, "a.md").read_bytes()

    words = refused(files, command="insert", path="/memories/a.md", insert_line=0, insert_text="x" * 10_000_001)

    assert "at most" in words
    assert place(memory, "a.md").read_bytes() == before
    assert [one.name for one in place(memory).iterdir()] == ["a.md"]


def add(root: str, number: int) -> None:
    with experience.open(root) as memory:
        for at in range(10):
            MemoryFiles(memory).call(
                {"command": "insert", "path": "/memories/a.md", "insert_line": 0, "insert_text": f"{number} {at}"}
            )


def test_writers_at_once_lose_nothing(memory: Memory, files: MemoryFiles) -> None:
    """C034: four processes."""
    context = get_context("spawn")
    workers = [context.Process(target=add, args=(memory.root, number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [worker.exitcode for worker in workers] == [0] * 4
    assert len(place(memory, "a.md").read_text(encoding="utf-8").splitlines()) == 45


@pytest.mark.parametrize(
    "command",
    [
        {}, {"command": "burn"}, {"command": "view"}, {"command": "view", "path": 5},
        {"command": "create", "path": "/memories/x"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": True, "insert_text": "x"},
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "one", "new_str": 5},
    ],
)  # fmt: skip
def test_a_command_that_does_not_fit_is_told_so(command: dict[str, Any], files: MemoryFiles) -> None:
    with pytest.raises(InvalidInput, match=r"Unknown command|parameter"):
        files.call(command)


def test_what_is_no_text_is_not_shown(memory: Memory, files: MemoryFiles) -> None:
    place(memory, "x.bin").write_bytes(b"\xff\xfe")

    assert "cannot be read as text" in refused(files, command="view", path="/memories/x.bin")
    os.mkfifo(place(memory, "pipe"))
    assert "pipe" not in files.call({"command": "view", "path": "/memories"})


def test_it_is_a_tool_to_the_sdk(memory: Memory) -> None:
    """The SDK's own class builds the commands from what a model writes, and hands on the words of an error."""
    need("anthropic", find_spec("anthropic") is not None)
    tools = import_module("anthropic.lib.tools")
    made = tool(memory, cache_control={"type": "ephemeral"})

    assert isinstance(made, tools.BetaAbstractMemoryTool)
    assert made.to_dict() == {**DEFINITION, "cache_control": {"type": "ephemeral"}}
    said = made.call({"command": "create", "path": "/memories/a.md", "file_text": "one"})
    assert said == "File created successfully at: /memories/a.md"
    assert made.call({"command": "view", "path": "/memories/a.md", "view_range": [1, 1]}).endswith("     1\tone")
    with pytest.raises(tools.ToolError, match="already exists"):
        made.call({"command": "create", "path": "/memories/a.md", "file_text": "one"})


def test_it_answers_as_the_sdks_own_tool_does(memory: Memory, tmp_path: Path) -> None:
    """The same commands to the SDK's files and to ours: the same words, but for the sizes of directories."""
    need("anthropic", find_spec("anthropic") is not None)
    tools = import_module("anthropic.lib.tools")
    own = import_module("anthropic.lib.tools._beta_builtin_memory_tool").BetaLocalFilesystemMemoryTool(
        str(tmp_path / "o")
    )
    ours = tool(memory)
    commands: list[dict[str, Any]] = [
        {"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\ntwo\n"},
        {"command": "create", "path": "/memories/d/b.md", "file_text": ""},
        {"command": "create", "path": "/memories/a.md", "file_text": "again"},
        {"command": "view", "path": "/memories/a.md"},
        {"command": "view", "path": "/memories/a.md", "view_range": [2, -1]},
        {"command": "view", "path": "/memories/none"},
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "two", "new_str": "2"},
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "none", "new_str": "2"},
        {"command": "str_replace", "path": "/memories/a.md", "old_str": "one\n", "new_str": "1\n1.5\n"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": 9, "insert_text": "x"},
        {"command": "insert", "path": "/memories/a.md", "insert_line": 4, "insert_text": "end\n"},
        {"command": "insert", "path": "/memories/d/b.md", "insert_line": 0, "insert_text": "first"},
        {"command": "view", "path": "/memories/a.md"},
        {"command": "view", "path": "/memories/d/b.md"},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/d/b.md"},
        {"command": "rename", "old_path": "/memories/none", "new_path": "/memories/x"},
        {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/e/c.md"},
        {"command": "view", "path": "/memories"},
        {"command": "delete", "path": "/memories/e"},
        {"command": "delete", "path": "/memories/e"},
        {"command": "delete", "path": "/memories"},
    ]

    def answer(to: Any, command: dict[str, Any]) -> str:
        try:
            said: str = to.call(command)
        except tools.ToolError as error:
            said = f"error: {error}"
        return "\n".join(
            line.partition("\t")[2] if line.endswith(("/", "/memories")) else line for line in said.split("\n")
        )

    assert [answer(ours, one) for one in commands] == [answer(own, one) for one in commands]
