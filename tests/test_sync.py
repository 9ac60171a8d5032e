"""Syncing: files become chunks, and only what changed is read and indexed again."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import experience
import memory_sync
from experience import InvalidInput, Memory
from memory_sync.plan import plan
from memory_sync.roots import Root
from tests.files import found, sections, stored, write
from tests.secret_samples import samples, survivors

OPENED = """
import sys
class Audit:
    opened = []
def hook(event, args):
    if event == "open" and str(args[0]).endswith(".md"):
        Audit.opened.append(args[0])
sys.addaudithook(hook)
import experience, memory_sync
with experience.open(sys.argv[1]) as memory:
    memory_sync.sync(memory)
    print(len(Audit.opened))
    for change in sys.argv[2:]:
        with open(change, "a", encoding="utf-8") as file:
            file.write("changed\\n")
    Audit.opened.clear()
    memory_sync.sync(memory)
    print(*Audit.opened)
"""


def rows(memory: Memory, sql: str) -> list[tuple[object, ...]]:
    return memory.store.query(sql)


def test_a_folder_becomes_chunks_with_true_lines(shared: Memory) -> None:
    """C112, C116, C117, C118, C119: the table is filled; every chunk is its lines, under a relative path, hashed."""
    write(shared.root, {"docs/guide.md": sections(30), "a.md": "one\ntwo\n", "notes.txt": "three\n", "b.mdx": "four"})
    report = memory_sync.sync(shared)

    chunks = rows(shared, "select path, start_line, end_line, text, hash from chunks")
    assert (report.added, report.changed, report.removed, report.unchanged) == (4, 0, 0, 0)
    assert report.chunks_indexed == len(chunks) > 10
    for path, start, end, text, hash in chunks:
        assert not os.path.isabs(str(path))
        lines = (Path(shared.root) / str(path)).read_text(encoding="utf-8").split("\n")
        assert "\n".join(lines[int(str(start)) - 1 : int(str(end))]) == text
        assert sha256(str(text).encode()).hexdigest() == hash
    assert stored(shared) == ["a.md", "b.mdx", "docs/guide.md", "notes.txt"]


def test_no_absolute_path_reaches_the_store(memory: Memory, tmp_path: Path) -> None:
    """C116: also for a root outside the project, and in its write-ahead log."""
    write(tmp_path / "elsewhere", {"deep/a.md": "walrus"})
    memory_sync.sync(memory, [tmp_path / "elsewhere"])
    [chunk] = memory_sync.search(memory, "walrus").chunks

    assert (chunk.root, chunk.path, chunk.at) == ("../elsewhere", "deep/a.md", "../elsewhere/deep/a.md:1-1")
    directory = Path(memory.root) / ".experience"
    assert all(str(tmp_path).encode() not in file.read_bytes() for file in directory.iterdir() if file.is_file())


def test_a_second_sync_finds_nothing_to_do(shared: Memory) -> None:
    write(shared.root, {"a.md": sections(5), "b.md": "two"})
    memory_sync.sync(shared)
    events = shared.events.count()
    report = memory_sync.sync(shared)

    assert (report.added, report.changed, report.removed, report.unchanged) == (0, 0, 0, 2)
    assert (report.chunks_indexed, report.chunks_kept, report.did) == (0, 0, False)
    assert shared.events.count() == events


def test_unchanged_files_are_not_opened_again(tmp_path: Path) -> None:
    """C120: only the file that changed is read."""
    write(tmp_path, {f"{number}.md": f"file {number}" for number in range(20)})
    done = subprocess.run(
        [sys.executable, "-c", OPENED, tmp_path, tmp_path / "7.md"], capture_output=True, text=True, check=True
    )

    assert done.stdout.split("\n")[:2] == ["20", str(tmp_path / "7.md")]


def test_an_edited_line_indexes_few_chunks_and_keeps_the_rest(shared: Memory) -> None:
    """C119: one line of a file of 100 chunks; the kept chunks keep their rows, their lines follow."""
    text = sections(150)
    write(shared.root, {"a.md": text})
    memory_sync.sync(shared)
    before = dict(rows(shared, "select id, key from chunks"))
    write(shared.root, {"a.md": text.replace("line 5 of part 70 says", "line 5 of part 70, edited,\nsays")})
    report = memory_sync.sync(shared)
    after = dict(rows(shared, "select id, key from chunks"))

    assert len(before) >= 100
    assert (report.changed, report.added) == (1, 0)
    assert report.chunks_indexed <= 3
    assert report.chunks_kept >= len(before) - 3
    assert sum(before.get(id) == key for id, key in after.items()) == report.chunks_kept
    lines = (Path(shared.root) / "a.md").read_text().split("\n")
    for start, end, said in rows(shared, "select start_line, end_line, text from chunks"):
        assert "\n".join(lines[int(str(start)) - 1 : int(str(end))]) == said


def test_the_index_says_the_same_as_one_made_anew(shared: Memory) -> None:
    """After edits, moves and removals the derived index equals a fresh one, term by term."""
    write(shared.root, {"a.md": sections(20), "b.md": sections(9, word="other"), "c.md": "gone soon"})
    memory_sync.sync(shared)
    write(shared.root, {"a.md": sections(20).replace("part 7 ", "part seven "), "d.md": "new words"})
    os.remove(Path(shared.root) / "c.md")
    memory_sync.sync(shared)
    words = "select term, doc from chunks_vocabulary order by term"
    corpus = "select rows, terms from corpora where name = 'chunks'"
    counted = "select count(*), sum(length) from chunks"
    was = rows(shared, words)
    shared.store.execute("insert into chunks_fts (chunks_fts) values ('rebuild')")

    assert rows(shared, words) == was
    assert rows(shared, corpus) == rows(shared, counted)


def test_an_index_that_was_damaged_is_made_anew_from_the_files(shared: Memory) -> None:
    """Derived state: whatever was done to it, one call makes it again, and chunks keep their ids."""
    write(shared.root, {"a.md": sections(9), "b.md": "walrus"})
    memory_sync.sync(shared)
    before = set(rows(shared, "select id, start_line, end_line, text, terms, length from chunks"))
    shared.store.execute("update chunks set terms = 'nonsense', text = 'nonsense', length = 1")
    shared.store.execute("insert into chunks_fts (chunks_fts) values ('delete-all')")
    report = memory_sync.reindex(shared)

    assert (report.changed, report.unchanged) == (2, 0)
    assert set(rows(shared, "select id, start_line, end_line, text, terms, length from chunks")) == before
    assert found(shared, "walrus") == ["b.md"]
    assert rows(shared, "select rows, terms from corpora where name = 'chunks'") == rows(
        shared, "select count(*), sum(length) from chunks"
    )


def test_a_touched_file_is_read_but_not_indexed(memory: Memory) -> None:
    write(memory.root, {"a.md": "words"})
    memory_sync.sync(memory)
    os.utime(Path(memory.root) / "a.md", (1, 1))
    report = memory_sync.sync(memory)

    assert (report.changed, report.unchanged, report.chunks_indexed) == (0, 1, 0)
    assert memory_sync.sync(memory).unchanged == 1


def test_a_removed_file_is_forgotten_and_a_moved_one_found_at_its_new_place(shared: Memory) -> None:
    """C120: add, edit, delete."""
    write(shared.root, {"a.md": "walrus", "old/b.md": "penguin", "old/c.md": "heron"})
    memory_sync.sync(shared)
    os.remove(Path(shared.root) / "a.md")
    os.rename(Path(shared.root) / "old", Path(shared.root) / "fresh")
    report = memory_sync.sync(shared)

    assert (report.added, report.removed) == (2, 3)
    assert stored(shared) == ["fresh/b.md", "fresh/c.md"]
    assert (found(shared, "walrus"), found(shared, "penguin")) == ([], ["fresh/b.md"])


def test_every_file_leaves_an_event_without_its_words(memory: Memory) -> None:
    write(memory.root, {"docs/a.md": "walrus"})
    memory_sync.sync(memory)
    os.remove(Path(memory.root) / "docs" / "a.md")
    memory_sync.sync(memory)

    events = memory.events.list(type="file")
    assert [(event.type, event.subject) for event in events] == [
        ("file.synced", "docs/a.md"), ("file.removed", "docs/a.md")
    ]  # fmt: skip
    assert "walrus" not in str([event.data for event in events])
    assert memory.verify().whole


def test_only_wanted_files_are_read(memory: Memory) -> None:
    """C120: globs and excludes as the settings have them by default."""
    write(memory.root, {
        "a.md": "1", "b.py": "2", "node_modules/c.md": "3", "x/dist/d.md": "4", ".git/e.md": "5", ".github/f.md": "6",
        ".experience/g.md": "7", ".experience/notes/h.md": "8",
    })  # fmt: skip
    memory_sync.sync(memory)

    assert stored(memory) == [".experience/notes/h.md", ".github/f.md", "a.md"]


def test_the_settings_say_which_files_and_how_they_are_cut(tmp_path: Path) -> None:
    """C115, C124: roots, globs, excludes, chunk sizes; changed sizes cut unchanged files anew."""
    write(tmp_path, {"docs/a.rst": sections(10), "docs/draft-b.rst": "x", "c.md": "y"})
    write(
        tmp_path, {".experience/settings.json": '{"roots": ["docs"], "globs": ["**/*.rst"], "excludes": ["draft-*"]}'}
    )
    with experience.open(tmp_path) as memory:
        memory_sync.sync(memory)
        whole = rows(memory, "select max(length(text)) from chunks")[0][0]
        assert stored(memory) == ["docs/a.rst"]
    with experience.open(tmp_path) as memory:
        memory.settings.write("chunk_tokens", "100")
        memory.settings.write("chunk_overlap", "20")
    with experience.open(tmp_path) as memory:
        report = memory_sync.sync(memory)
        assert (report.changed, report.unchanged) == (1, 0)
        assert rows(memory, "select max(length(text)) from chunks")[0][0] <= 400 < whole


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"root": ["docs"]}', "'root' is unknown"),
        ('{"roots": "docs"}', "roots must be a list"),
        ('{"globs": ["../*.md"]}', "leaves the project"),
        ('{"chunk_tokens": 3}', "chunk_tokens must be a whole number from 20"),
        ('{"file_min_score": 2}', "file_min_score must be a number from 0 to 1"),
    ],
)
def test_a_mistake_in_the_settings_of_files_is_named(tmp_path: Path, written: str, said: str) -> None:
    """C124: unknown keys are refused."""
    write(tmp_path, {".experience/settings.json": written})

    with pytest.raises(InvalidInput, match=said.replace("'", ".")):
        experience.open(tmp_path)


def test_an_overlap_of_more_than_half_a_chunk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPERIENCE_CHUNK_OVERLAP", "300")
    with experience.open(tmp_path) as memory, pytest.raises(InvalidInput, match="chunk_overlap 300 is more than half"):
        memory_sync.sync(memory)


def test_gitignore_is_obeyed_as_git_does(memory: Memory) -> None:
    """Nested files, negation, anchors, directories; what git would track of this tree is what is read."""
    write(memory.root, {
        ".gitignore": "build/\n*.tmp.md\n!keep.tmp.md\n/top.md\nlogs/**\n# a comment\n\\#odd.md\nspace\\ d.md\n",
        "a.md": "", "build/b.md": "", "x/build/c.md": "", "d.tmp.md": "", "keep.tmp.md": "", "top.md": "",
        "x/top.md": "", "logs/deep/e.md": "", "#odd.md": "", "space d.md": "", "x/.gitignore": "!d.tmp.md\nsecret.md\n",
        "x/d.tmp.md": "", "x/secret.md": "", "x/y/secret.md": "", "build.md": "",
    })  # fmt: skip
    git = ["git", "-C", memory.root, "-c", "core.excludesFile="]
    subprocess.run([*git, "init", "-q"], check=True)
    done = subprocess.run(
        [*git, "ls-files", "-z", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    )
    memory_sync.sync(memory)

    tracked = sorted(name for name in done.stdout.split("\0") if name.endswith(".md"))
    assert stored(memory) == tracked == ["a.md", "build.md", "keep.tmp.md", "x/d.tmp.md", "x/top.md"]


def test_notes_are_read_even_where_git_leaves_them_out(memory: Memory) -> None:
    write(memory.root, {".gitignore": ".experience/\n", ".experience/notes/a.md": "walrus"})

    assert found(memory, "walrus") == [".experience/notes/a.md"]


def test_named_roots_are_remembered_and_others_left_alone(memory: Memory, tmp_path: Path) -> None:
    """A sync of one root touches no file of another; a sync without roots covers all that were named."""
    write(memory.root, {"docs/a.md": "1", "guides/b.md": "2", "other/c.md": "3"})
    write(tmp_path / "vault", {"d.md": "4"})
    memory_sync.sync(memory, "docs")
    memory_sync.sync(memory, [Path(memory.root) / "guides", tmp_path / "vault"])
    os.remove(Path(memory.root) / "docs" / "a.md")
    assert memory_sync.sync(memory, ["guides"]).removed == 0
    report = memory_sync.sync(memory)

    assert report.roots == ("../vault", ".experience/notes", "docs", "guides")
    assert (report.removed, stored(memory)) == (1, ["d.md", "guides/b.md"])


def test_a_root_inside_another_is_read_once(memory: Memory) -> None:
    write(memory.root, {"docs/deep/a.md": "1"})
    memory_sync.sync(memory)
    memory_sync.sync(memory, ["docs/deep", "docs"])

    assert stored(memory) == ["docs/deep/a.md"]
    assert memory_sync.sync(memory).roots == (".", ".experience/notes")


@pytest.mark.parametrize(("roots", "said"), [(["nowhere"], "does not exist"), ([], "roots is empty"), ([3], "with 3")])
def test_a_root_that_cannot_be_is_refused(memory: Memory, roots: list[str], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        memory_sync.sync(memory, roots)


def test_progress_is_told_up_to_the_last_file(memory: Memory) -> None:
    write(memory.root, {f"{number}.md": "x" for number in range(100)})
    told: list[tuple[int, int, str]] = []
    memory_sync.sync(memory, progress=lambda done, total, path: told.append((done, total, path)))

    assert told[-1][:2] == (100, 100)
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)


def test_secrets_never_reach_the_store_and_lines_stay_true(memory: Memory) -> None:
    """Every kind of secret, inside a long file; the lines around it are where they are on disk."""
    filler = [f"Plain words about the weather on day {number}." for number in range(30)]
    planted = {f"{number}.md": sample for number, sample in enumerate(samples()) if sample.place in ("bare", "lines")}
    write(memory.root, {name: "\n".join([*filler, "", one.text, "", *filler]) for name, one in planted.items()})
    memory_sync.sync(memory)

    for path, text, terms in rows(memory, "select path, text, terms from chunks"):
        assert survivors(planted[str(path)].parts, f"{text}\n{terms}") == [], planted[str(path)].kind
    for path, start, end, text in rows(memory, "select path, start_line, end_line, text from chunks"):
        lines = (Path(memory.root) / str(path)).read_text().split("\n")[int(str(start)) - 1 : int(str(end))]
        own = str(text).split("\n")
        assert len(own) == len(lines)
        assert all(one == other for one, other in zip(own, lines, strict=True) if one.startswith("Plain words"))


def test_many_files_are_synced_as_few_are(tmp_path: Path) -> None:
    """Past some hundred files a second process makes them ready; the store holds the very same."""
    files = {f"d{number % 7}/{number}.md": sections(2, word=f"word{number}") for number in range(700)}
    write(tmp_path / "one", files)
    write(tmp_path / "two", files)
    columns = "select path, start_line, end_line, text, hash, terms, length from chunks order by path, start_line"
    with experience.open(tmp_path / "one") as one, experience.open(tmp_path / "two") as two:
        assert memory_sync.sync(one).added == 700
        for number in range(7):
            memory_sync.sync(two, [f"d{number}"])

        assert rows(one, columns) == rows(two, columns)


def test_many_files_are_synced_where_no_second_process_is_to_be_had(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be started, and one that dies at once."""
    for turn, python in enumerate(("/nowhere/python", "/bin/false")):
        monkeypatch.setattr(sys, "executable", python)
        write(memory.root, {f"{turn}/{number}.md": f"walrus{number}" for number in range(600)})
        assert memory_sync.sync(memory).added == 600


def test_a_plan_is_made_without_touching_anything() -> None:
    """Sizes and times decide; what is gone is forgotten only within the roots that were looked at."""
    known = {("", name): (1, 10, None) for name in ("same.md", "new/size.md", "time.md", "gone/a.md", "grown.md")}
    known["", "out.md"] = (1, 10, "binary")
    seen = {("", "same.md"): (1, 10), ("", "new/size.md"): (2, 10), ("", "time.md"): (1, 11), ("", "fresh.md"): (1, 1),
            ("", "out.md"): (1, 10), ("", "grown.md"): (500, 11)}  # fmt: skip
    made = plan(known, seen, within=None, most=100)

    assert made.read == (("", "fresh.md"), ("", "new/size.md"), ("", "time.md"))
    assert made.removed == (("", "gone/a.md"), ("", "grown.md"))
    assert (made.too_large, made.unchanged, made.left_out) == ((("", "grown.md"),), 1, ((("", "out.md"), "binary"),))
    here = plan(known, seen, within=[Root(label="", base="/", prefix="new")], most=100)
    assert here.removed == ()
