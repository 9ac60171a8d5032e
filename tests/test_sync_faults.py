"""Bad files and bad moments: each is told, none stops the others, and nothing outside the roots is ever read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import experience
import memory_sync
from experience import Memory
from memory_sync.prepare import Recipe, prepare
from memory_sync.words import Words
from tests.files import found, sections, stored, write

UNREADABLE = """
import os, sys
import experience, memory_sync
root = sys.argv[1]
with experience.open(root) as memory:
    with open(f"{root}/first.md", "w") as file:
        file.write("all that a sync needs is loaded now")
    memory_sync.sync(memory)
    os.mkdir(f"{root}/shut")
    for name in ("a.md", "locked.md", "shut/b.md"):
        with open(f"{root}/{name}", "w") as file:
            file.write("walrus")
    os.chmod(f"{root}/locked.md", 0)
    os.chmod(f"{root}/shut", 0)
    if os.geteuid() == 0:  # root may read everything
        os.seteuid(65534)
    report = memory_sync.sync(memory)
    print(report.added, *[f"{one.path}: {one.reason}" for one in report.skipped], sep="|")
    os.seteuid(os.getuid())
    os.chmod(f"{root}/shut", 0o755)
"""
SYNC = """
import sys, experience, memory_sync
with experience.open(sys.argv[1]) as memory:
    print("open", flush=True)
    print(memory_sync.sync(memory).added)
"""


def skipped(report: memory_sync.SyncReport) -> dict[str, str]:
    return {one.path: one.reason for one in report.skipped}


def test_what_is_no_text_is_left_out_with_its_reason(memory: Memory) -> None:
    """Binary, UTF-16 and Latin-1 files; the good one beside them is read; a second sync opens none again but tells."""
    root = Path(memory.root)
    (root / "picture.md").write_bytes(b"\x89PNG\x00\x01")
    (root / "wide.md").write_bytes("walrus".encode("utf-16"))
    (root / "latin.md").write_bytes("walrus sur la côte".encode("latin-1"))
    write(root, {"good.md": "walrus"})
    for _ in range(2):
        told = skipped(memory_sync.sync(memory))

        assert told["picture.md"] == told["wide.md"] == "it is binary"
        assert told["latin.md"].startswith("it is not UTF-8 (byte 0xf4 at 15); save it")
        assert found(memory, "walrus") == ["good.md"]


def test_a_file_that_became_binary_is_forgotten_and_comes_back(memory: Memory) -> None:
    root = Path(memory.root)
    write(root, {"a.md": "walrus"})
    memory_sync.sync(memory)
    (root / "a.md").write_bytes(b"walrus\x00")
    assert found(memory, "walrus") == []
    (root / "a.md").write_bytes(b"walrus again")
    assert found(memory, "walrus") == ["a.md"]


def test_a_huge_file_is_left_out_by_its_size_without_being_read(memory: Memory) -> None:
    """200 MB, sparse."""
    with open(Path(memory.root) / "huge.md", "wb") as file:
        file.truncate(200_000_000)
    write(memory.root, {"a.md": "walrus"})
    report = memory_sync.sync(memory)

    assert skipped(report) == {"huge.md": "it has 200.0 MB; files up to 10.0 MB are read (setting file_max_mb)"}
    assert (report.added, stored(memory)) == (1, ["a.md"])


def test_a_file_that_grew_too_large_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPERIENCE_FILE_MAX_MB", "0.001")
    write(tmp_path, {"a.md": "walrus"})
    with experience.open(tmp_path) as memory:
        assert found(memory, "walrus") == ["a.md"]
        write(tmp_path, {"a.md": "walrus " * 200})
        assert found(memory, "walrus") == []


def test_ends_of_lines_and_marks_of_order_do_not_move_lines(memory: Memory) -> None:
    """BOM, CRLF, CR: the third line is the third line."""
    root = Path(memory.root)
    (root / "bom.md").write_bytes(b"\xef\xbb\xbf# Title\n\nwalrus\n")
    (root / "crlf.md").write_bytes(b"# Title\r\n\r\nwalrus\r\n")
    (root / "cr.md").write_bytes(b"# Title\r\rwalrus\r")
    memory_sync.sync(memory)

    chunks = memory_sync.search(memory, "walrus").chunks
    assert {chunk.path: (chunk.start_line, chunk.end_line, chunk.text) for chunk in chunks} == dict.fromkeys(
        ("bom.md", "crlf.md", "cr.md"), (1, 3, "# Title\n\nwalrus")
    )


def test_empty_files_are_known_and_have_no_chunks(memory: Memory) -> None:
    write(memory.root, {"empty.md": "", "blank.md": "\n\n \n"})
    report = memory_sync.sync(memory)

    assert (report.added, report.chunks_indexed, report.skipped) == (2, 0, ())


def test_a_file_that_may_not_be_read_is_told_and_the_rest_is_synced() -> None:
    with tempfile.TemporaryDirectory() as directory:  # one whose parents everybody may pass
        os.chmod(directory, 0o755)
        done = subprocess.run([sys.executable, "-c", UNREADABLE, directory], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == (
        "1|locked.md: it cannot be read (Permission denied); check its permissions"
        "|shut/: it cannot be listed (Permission denied)"
    )


def test_links_out_of_the_root_are_refused_and_loops_end(memory: Memory, tmp_path: Path) -> None:
    """A link to a file, to a directory, to a parent, to itself, into the root, to nowhere."""
    root = Path(memory.root)
    write(tmp_path / "outside", {"secret.md": "walrus"})
    write(root, {"docs/a.md": "penguin"})
    (root / "file.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "outside").symlink_to(tmp_path / "outside")
    (root / "docs" / "up").symlink_to(root)
    (root / "self.md").symlink_to(root / "self.md")
    (root / "again.md").symlink_to(root / "docs" / "a.md")
    (root / "nowhere.md").symlink_to(root / "missing.md")
    report = memory_sync.sync(memory)

    assert stored(memory) == ["docs/a.md"]
    assert skipped(report) == dict.fromkeys(("file.md", "outside"), "it is a link that leads out of the root")
    assert found(memory, "walrus") == []


def test_a_file_that_became_a_link_after_the_scan_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"secret.md": "walrus"})
    (tmp_path / "a.md").symlink_to(tmp_path / "secret.md")
    recipe = Recipe(tokens=400, overlap=80, analyzer="1", most=1000)
    ready = prepare(("", "a.md"), str(tmp_path / "a.md"), None, recipe, Words())

    assert (ready.found, ready.cuts) == (None, None)
    assert ready.problem is not None


@pytest.mark.parametrize(
    "name", ["with space.md", "línea ünd 日本.md", "🦭.md", "new\nline.md", "tab\t'\"\\.md", "-rf.md"]
)
def test_odd_names_are_found_as_they_are(memory: Memory, name: str) -> None:
    write(memory.root, {f"dir {name[:-3]}/{name}": "walrus"})

    assert found(memory, "walrus") == [f"dir {name[:-3]}/{name}"]
    assert memory_sync.sync(memory).unchanged == 1


def test_a_name_that_is_no_text_is_told(memory: Memory) -> None:
    (Path(os.fsdecode(os.fsencode(memory.root) + b"/caf\xe9.md"))).write_text("walrus")
    report = memory_sync.sync(memory)

    assert skipped(report) == {"caf?.md": "its name is not valid text; rename it"}


def test_pipes_are_no_files(memory: Memory) -> None:
    os.mkfifo(Path(memory.root) / "pipe.md")

    assert memory_sync.sync(memory).added == 0


def test_files_that_vanish_while_they_are_read_are_no_trouble(memory: Memory) -> None:
    """The first file that is done takes all others away."""
    write(memory.root, {f"{number:03}.md": f"walrus {number}" for number in range(300)})
    memory_sync.sync(memory)
    write(memory.root, {f"{number:03}.md": f"penguin {number}" for number in range(300)})

    def vanish(done: int, total: int, path: str) -> None:
        for file in Path(memory.root).glob("*.md"):
            file.unlink()

    report = memory_sync.sync(memory, progress=vanish)
    again = memory_sync.sync(memory)

    assert report.changed + report.removed == 300
    assert report.removed + again.removed == 300
    assert stored(memory) == []


def test_a_root_that_is_gone_is_told_and_its_files_forgotten(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path / "vault", {"a.md": "walrus"})
    memory_sync.sync(memory, [tmp_path / "vault"])
    (tmp_path / "vault" / "a.md").unlink()
    (tmp_path / "vault").rmdir()
    report = memory_sync.sync(memory)

    assert (report.removed, skipped(report)) == (1, {"../vault": "the root is not there"})


def test_a_thousand_changes_at_once_are_all_found(memory: Memory) -> None:
    write(memory.root, {f"{number}.md": "before" for number in range(1000)})
    memory_sync.sync(memory)
    write(memory.root, {f"{number}.md": f"after{number}" for number in range(0, 2000, 2)})
    report = memory_sync.sync(memory)

    assert (report.added, report.changed, report.unchanged) == (500, 500, 500)
    assert found(memory, "after1998") == ["1998.md"]


def test_a_sync_that_is_killed_leaves_whole_files_and_the_next_one_finishes(tmp_path: Path) -> None:
    """kill -9 in the middle: every file in the store has all of its chunks, its event, and its index."""
    write(tmp_path, {f"{number}.md": sections(6, word=f"word{number}") for number in range(2500)})
    child = subprocess.Popen([sys.executable, "-c", SYNC, tmp_path], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    with experience.open(tmp_path) as memory:
        while not (rows := memory.store.query("select count(*) from files")) or not rows[0][0]:
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        half = len(stored(memory))
        chunks = memory.store.query("select count(*) from chunks group by file")
        assert len(chunks) == half == len(memory.events.list(type="file.synced"))
        assert len({count for (count,) in chunks}) <= 2
        assert half < 2500
        assert memory_sync.sync(memory).added == 2500 - half
        memory.store.execute("insert into chunks_fts (chunks_fts) values ('integrity-check')")
        assert memory.verify().whole


def test_two_processes_that_sync_at_once_make_one_index(tmp_path: Path) -> None:
    write(tmp_path, {f"{number}.md": sections(4, word=f"word{number}") for number in range(200)})
    experience.open(tmp_path).close()
    children = [
        subprocess.Popen([sys.executable, "-c", SYNC, tmp_path], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    added = [int(child.communicate()[0].split()[1]) for child in children]
    with experience.open(tmp_path) as memory:
        files = memory.store.query("select count(*), count(distinct path) from files")
        counts = memory.store.query("select rows, terms from corpora where name = 'chunks'")

        assert all(child.returncode == 0 for child in children)
        assert (files, max(added) > 0) == ([(200, 200)], True)
        assert counts == memory.store.query("select count(*), sum(length) from chunks")
        memory.store.execute("insert into chunks_fts (chunks_fts) values ('integrity-check')")
        assert memory_sync.sync(memory).unchanged == 200


def test_a_store_that_is_a_server_holds_files_as_well(shared: Memory) -> None:
    write(shared.root, {"a.md": "walrus", "b.md": "penguin"})

    assert found(shared, "penguin") == ["b.md"]
