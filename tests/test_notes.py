"""Notes: plain Markdown that people and agents both edit, and nobody's words are lost."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import experience
from experience import InvalidInput, Memory, NotFound, StillClock, StoreUnavailable
from experience.layers.notes import digest
from tests.files import found

APPEND = """
import sys, experience
with experience.open(sys.argv[1]) as memory:
    for number in range(20):
        memory.notes.append("log", f"- {sys.argv[2]} {number}\\n")
"""


TRACE = """
import os, sys, experience
with experience.open(sys.argv[1]) as memory:
    memory.notes.write("ideas", "old")
    memory.notes.read("ideas")
    def hook(event, args):
        if event == "open" and ".experience/notes" in str(args[0]):
            kind = "write" if "w" in str(args[1]) else "read"
            if kind == "write" or not str(args[0]).endswith(".md"):
                print(kind, os.path.basename(args[0]))
        elif event == "os.rename" and ".experience/notes" in str(args[0]):
            print("rename", *map(os.path.basename, args[:2]))
    sys.addaudithook(hook)
    memory.notes.append("ideas", "new")
"""


@pytest.fixture
def place(memory: Memory) -> Path:
    """Where the notes are."""
    return Path(memory.root) / ".experience" / "notes"


def test_a_note_is_a_markdown_file_with_its_name(memory: Memory, place: Path) -> None:
    """C084."""
    note = memory.notes.write("architecture-decisions", "# Decisions\n\nOne store.\n")

    assert (place / "architecture-decisions.md").read_bytes() == b"# Decisions\n\nOne store.\n"
    assert (note.name, note.path) == ("architecture-decisions", ".experience/notes/architecture-decisions.md")
    assert memory.notes.read("architecture-decisions") == memory.notes.read("architecture-decisions.md")
    assert [one.name for one in memory.notes.list()] == ["architecture-decisions"]


def test_what_is_appended_is_read_in_order(memory: Memory) -> None:
    """C088: append twice; read returns both, each on lines of its own."""
    memory.notes.append("log", "first")
    memory.notes.append("log", "second\n")
    memory.notes.append("log", "third")

    assert memory.notes.read("log") == "first\nsecond\nthird"


def test_an_edit_by_hand_is_read_and_found(memory: Memory, place: Path) -> None:
    """C085: by the next read and by the next search."""
    memory.notes.write("ideas", "walrus")
    assert found(memory, "walrus") == [".experience/notes/ideas.md"]
    (place / "ideas.md").write_text("penguin, by hand")

    assert memory.notes.read("ideas") == "penguin, by hand"
    assert (found(memory, "penguin"), found(memory, "walrus")) == ([".experience/notes/ideas.md"], [])
    (place / "theirs.md").write_text("heron")
    assert [note.name for note in memory.notes.list()] == ["ideas", "theirs"]
    assert found(memory, "heron") == [".experience/notes/theirs.md"]


def test_notes_are_versioned_with_the_project(memory: Memory) -> None:
    """C086: git shows the note, and not the database."""
    memory.notes.write("ideas", "walrus")
    git = ["git", "-C", memory.root, "-c", "core.excludesFile="]
    subprocess.run([*git, "init", "-q"], check=True)
    shown = subprocess.run([*git, "status", "--porcelain", "-uall"], capture_output=True, text=True, check=True).stdout

    assert ".experience/notes/ideas.md" in shown
    assert ".db" not in shown


def test_a_long_note_is_kept_byte_for_byte_and_searched(memory: Memory) -> None:
    """C087: 1 MB."""
    text = "".join(f"{number:06} the tides of an ordinary day, high and low water ♒\r\n" for number in range(18_000))
    memory.notes.append("long", text)

    assert len(text.encode()) > 1_000_000
    assert memory.notes.read("long") == text
    assert found(memory, "017999 tide", limit=1) == [".experience/notes/long.md"]


def test_a_note_is_written_beside_its_place_and_moved_there(memory: Memory, place: Path) -> None:
    """C029, C030: a temporary file beside the note, renamed over it; the note itself is never opened to write."""
    done = subprocess.run([sys.executable, "-c", TRACE, memory.root], capture_output=True, text=True, check=True)
    write, rename, directory = done.stdout.splitlines()

    assert write.startswith("write ideas.md.")
    assert write.endswith(".tmp")
    assert rename == f"rename {write.split()[1]} ideas.md"
    assert directory == "read notes"  # its new name is put on disk as well
    assert os.listdir(place) == ["ideas.md"]


def test_a_rename_that_fails_leaves_the_note_as_it_was(memory: Memory, place: Path) -> None:
    """C031: the system refuses the rename; the old bytes stand, the error is told, no event says otherwise."""
    memory.notes.write("ideas", "old")
    events = memory.events.count()
    (place / "ideas.md").unlink()
    (place / "ideas.md").mkdir()
    (place / "ideas.md" / "old").write_text("old bytes")

    with pytest.raises(StoreUnavailable, match=r"ideas\.md cannot be"):
        memory.notes.write("ideas", "new")
    assert (place / "ideas.md" / "old").read_text() == "old bytes"
    assert os.listdir(place) == ["ideas.md"]
    assert memory.events.count() == events


def test_an_edit_made_since_it_was_read_is_kept_beside(memory: Memory, place: Path, clock: StillClock) -> None:
    memory.notes.write("plan", "ours")
    memory.notes.read("plan")
    (place / "plan.md").write_text("theirs, by hand")
    note = memory.notes.write("plan", "ours, again")

    kept = f"plan.conflict-{clock():%Y%m%dT%H%M%S}.md"
    assert note.conflict == f".experience/notes/{kept}"
    assert (place / kept).read_text() == "theirs, by hand"
    assert memory.notes.read("plan") == "ours, again"
    assert memory.events.list(type="file.note")[-1].data["conflict"] == note.conflict
    (place / "plan.md").write_text("theirs, once more")
    assert memory.notes.write("plan", "ours, at last").conflict == note.conflict.replace(".md", "-2.md")


def test_an_edit_that_was_read_is_no_conflict(memory: Memory, place: Path) -> None:
    memory.notes.write("plan", "ours")
    (place / "plan.md").write_text("theirs")
    assert memory.notes.read("plan") == "theirs"

    assert memory.notes.write("plan", "both").conflict is None
    assert os.listdir(place) == ["plan.md"]


def test_a_hash_says_which_version_is_meant(memory: Memory, place: Path) -> None:
    """Whoever read a note elsewhere gives the hash of what they read."""
    first = memory.notes.write("plan", "one")
    memory.notes.write("plan", "two")

    assert memory.notes.write("plan", "three", expect=digest("two")).conflict is None
    met = memory.notes.write("plan", "four", expect=first.hash)
    assert (Path(memory.root) / str(met.conflict)).read_text() == "three"


def test_what_another_process_wrote_is_known_to_be_ours(tmp_path: Path) -> None:
    """A fresh process replaces what agents wrote without a conflict, and what people wrote not without one."""
    with experience.open(tmp_path) as one:
        one.notes.write("plan", "one")
    with experience.open(tmp_path) as two:
        assert two.notes.write("plan", "two").conflict is None
    (tmp_path / ".experience" / "notes" / "plan.md").write_text("by hand")
    with experience.open(tmp_path) as three:
        assert three.notes.write("plan", "three").conflict is not None


def test_writing_the_same_words_is_no_conflict(memory: Memory, place: Path) -> None:
    place.mkdir(parents=True)
    (place / "plan.md").write_text("same")

    assert memory.notes.write("plan", "same").conflict is None


def test_appending_keeps_what_people_wrote(memory: Memory, place: Path) -> None:
    memory.notes.append("log", "one\n")
    with open(place / "log.md", "a") as file:
        file.write("by hand\n")
    memory.notes.append("log", "two\n")

    assert memory.notes.read("log") == "one\nby hand\ntwo\n"


def test_processes_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    experience.open(tmp_path).close()
    children = [subprocess.Popen([sys.executable, "-c", APPEND, tmp_path, name]) for name in "abc"]
    assert [child.wait() for child in children] == [0, 0, 0]

    with experience.open(tmp_path) as memory:
        lines = memory.notes.read("log").splitlines()
    assert sorted(lines) == sorted(f"- {name} {number}" for name in "abc" for number in range(20))


def test_threads_that_append_at_once_lose_nothing(memory: Memory) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: memory.notes.append("log", f"{number}\n"), range(40)))

    assert sorted(map(int, memory.notes.read("log").split())) == list(range(40))


def test_secrets_never_reach_a_note(memory: Memory, place: Path) -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"
    memory.notes.append("log", f"the token is {token}")
    memory.notes.write("plan", f"use {token}")

    assert all(token not in path.read_text() for path in place.iterdir())
    assert memory.events.list(type="file.note")[0].data["secrets"]


def test_events_tell_of_a_note_but_not_its_words(memory: Memory) -> None:
    memory.notes.append("log", "walrus")
    [event] = memory.events.list(type="file.note")

    assert (event.subject, event.data) == (
        ".experience/notes/log.md", {"hash": digest("walrus"), "bytes": 6}
    )  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["", ".md", "..", "../up", "a/b", "a\\b", "/etc/passwd", ".hidden", "a\0b", "a\nb", "x" * 121, "c:d", "tail ",
     "tail.", " head", "a*b", "con?", 7, None],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(memory: Memory, place: Path, name: str) -> None:
    """No traversal, no separators, nothing hidden: of any verb."""
    verbs = (memory.notes.read, lambda name: memory.notes.write(name, "x"), lambda name: memory.notes.append(name, "x"))
    for verb in verbs:
        with pytest.raises(InvalidInput, match="name"):
            verb(name)
    assert not place.exists()


@pytest.mark.parametrize("name", ["architecture-decisions", "Ideen für morgen", "日本", "a.b.c", "2026-11-18", "🦭"])
def test_ordinary_names_are_taken(memory: Memory, name: str) -> None:
    memory.notes.write(name, "walrus")

    assert memory.notes.read(name) == "walrus"
    assert [note.name for note in memory.notes.list()] == [name]
    assert found(memory, "walrus") == [f".experience/notes/{name}.md"]


def test_a_note_that_is_a_link_out_of_the_notes_is_refused(memory: Memory, place: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("walrus")
    place.mkdir(parents=True)
    (place / "plan.md").symlink_to(tmp_path / "secret.txt")

    for verb in (lambda: memory.notes.read("plan"), lambda: memory.notes.append("plan", "x")):
        with pytest.raises(InvalidInput, match="leads out"):
            verb()
    assert (tmp_path / "secret.txt").read_text() == "walrus"
    assert memory.notes.list() == []


@pytest.mark.parametrize("text", ["", "  \n", "a\0b", 5, "\ud800"])
def test_text_that_is_none_is_refused(memory: Memory, place: Path, text: str) -> None:
    for verb in (memory.notes.write, memory.notes.append):
        with pytest.raises(InvalidInput, match="text"):
            verb("plan", text)
    assert not place.exists()


def test_a_note_that_is_not_there_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound, match="no note with the id 'plan'"):
        memory.notes.read("plan")
    assert list(memory.notes.list()) == []


def test_a_note_that_is_no_text_is_told(memory: Memory, place: Path) -> None:
    place.mkdir(parents=True)
    (place / "plan.md").write_bytes(b"caf\xe9")

    with pytest.raises(InvalidInput, match="is not UTF-8; save it"):
        memory.notes.read("plan")


def test_notes_of_a_project_on_a_server_are_files_beside_it(shared: Memory) -> None:
    shared.notes.append("log", "walrus")

    assert shared.notes.read("log") == "walrus"
    assert found(shared, "walrus") == [".experience/notes/log.md"]
