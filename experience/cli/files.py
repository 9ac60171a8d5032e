"""The commands of files: keeping Markdown in memory, finding lines in it, notes, and who was shown which lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from experience.cli import show
from experience.cli.group import Call, command, experience, limit
from experience.cli.place import read_stdin
from experience.neighbours import neighbour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@command("sync")
@click.argument("roots", nargs=-1, metavar="[DIR]…")
def sync(call: Call, roots: tuple[str, ...]) -> None:
    """Bring the Markdown of these directories into memory."""
    with call.opened(make=True) as memory:
        report = _files().sync(memory, list(roots) or None, progress=_bar(quiet=call.as_json))
    call.answer(report, lambda: _synced(report))


@command("search")
@click.argument("query")
@click.option("--path", metavar="GLOB", help="Only files that the glob speaks of.")
@click.option("--session", metavar="ID", help="In a memory session: its files alone, and what is shown is logged.")
@click.option("--response", metavar="ID", help="Log what is shown under the response it is for.")
@limit(6, "The best so many.")
def search(call: Call, query: str, path: str | None, session: str | None, response: str | None, limit: int) -> None:
    """Find lines in files, printed as path:start-end."""
    with call.opened() as memory:
        found = _files().search(memory, query, limit, session=session, response_id=response, path=path)
    call.answer(found, lambda: _found(found))


@command("watch")
def watch(call: Call) -> None:
    """Keep files in memory as they change, until Ctrl-C."""
    import signal
    import threading

    ended = threading.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: ended.set())
    with call.opened(make=True) as memory, _files().watch(memory):
        state = _files().state(memory)
        show.say(f"{state.files:,} files, {state.chunks:,} chunks in memory; changes are read as they come")
        ended.wait()


@experience.group("note")
def note() -> None:
    """Notes in Markdown that people and agents both edit."""


@command("append", group=note)
@click.argument("name")
@click.argument("text", default="-", required=False)
def append(call: Call, name: str, text: str) -> None:
    """Add TEXT (or stdin) to the end of a note."""
    with call.opened(make=True) as memory:
        done = memory.notes.append(name, _words(text))
    call.answer(done, lambda: show.out(done.path))


@command("write", group=note)
@click.argument("name")
@click.argument("text", default="-", required=False)
def write(call: Call, name: str, text: str) -> None:
    """Make TEXT (or stdin) the whole of a note."""
    with call.opened(make=True) as memory:
        done = memory.notes.write(name, _words(text))
    call.answer(done, lambda: _written(done))


@command("read", group=note)
@click.argument("name")
def read(call: Call, name: str) -> None:
    """Print a note."""
    with call.opened() as memory:
        text = memory.notes.read(name)
    call.answer({"name": name, "text": text}, lambda: show.out(text.rstrip("\n")))


@command("list", group=note)
def list_(call: Call) -> None:
    """List the notes."""
    with call.opened() as memory:
        found = memory.notes.list()
    call.answer(found, lambda: _notes(found))


@experience.group("sessions")
def sessions() -> None:
    """Memory sessions: which files a conversation was given."""


@command("create", group=sessions)
@click.argument("name", default="", required=False)
@click.option("--root", "roots", multiple=True, metavar="DIR", help="May be given several times.")
def create(call: Call, name: str, roots: tuple[str, ...]) -> None:
    """Begin a session over the files as they are now."""
    with call.opened(make=True) as memory:
        made = _files().create_memory_session(memory, name, list(roots) or None)
    call.answer(made, lambda: show.out(made.id))


@command("list", group=sessions)
@click.option("--status", type=click.Choice(("active", "archived")), help="Only those.")
@limit(50, "The newest so many.")
def all_(call: Call, status: str | None, limit: int) -> None:
    """List the sessions, the newest first."""
    with call.opened() as memory:
        found = _files().list_memory_sessions(memory, status, limit)
    call.answer(found, lambda: _sessions(found))


@command("archive", group=sessions)
@click.argument("id", metavar="ID")
def archive(call: Call, id: str) -> None:
    """Close a session; it can still be replayed."""
    with call.opened() as memory:
        done = _files().archive_session(id, memory)
    call.answer(done, lambda: show.out(f"{done.id} {done.status}"))


@command("replay", group=sessions)
@click.argument("id", metavar="ID")
def replay(call: Call, id: str) -> None:
    """Show the same chunks again, and what changed since."""
    with call.opened() as memory:
        found = _files().replay_session(id, memory)
    call.answer(found, lambda: _replayed(found))


@command("audit", group=sessions)
@click.argument("response", metavar="RESPONSE")
def audit(call: Call, response: str) -> None:
    """Show which files and lines influenced a response."""
    with call.opened() as memory:
        found = _files().audit(response, memory)
    call.answer(found, lambda: _influences(found))


def _files() -> Any:
    return neighbour("memory_sync")


def _words(text: str) -> str:
    return read_stdin() if text == "-" else text


def _bar(*, quiet: bool) -> Callable[[int, int, str], None]:
    """How far a long sync is, on a terminal."""
    if quiet or not sys.stderr.isatty():
        return lambda done, of, path: None

    def draw(done: int, of: int, path: str) -> None:
        sys.stderr.write(f"\r{done:,} of {of:,} files" + ("\n" if done >= of else ""))
        sys.stderr.flush()

    return draw


def _synced(report: Any) -> None:
    show.out(
        f"{report.added:,} added, {report.changed:,} changed, {report.removed:,} removed, "
        f"{report.unchanged:,} unchanged; {report.chunks_indexed:,} chunks indexed in {report.duration_s:.1f} s"
    )
    for one in report.skipped:
        show.say(f"left out {one.path}: {one.reason}")


def _found(found: Any) -> None:
    for chunk in found.chunks:
        show.out(f"{chunk.at}  {chunk.score:.3f}  {show.one_line(chunk.text)}")
    if not found.chunks:
        show.say("nothing like it stands in the files; `experience sync DIR` brings more into memory")
    if found.auto_synced:
        show.say("files had changed and were synced first")


def _written(done: Any) -> None:
    show.out(done.path)
    if done.conflict:
        show.say(f"somebody else edited it meanwhile; their version is kept in {done.conflict}")


def _notes(found: Iterable[Any]) -> None:
    show.lines(
        (f"{one.name:30} {one.size:>8,} bytes  {one.path}" for one in found),
        'there is no note yet; `experience note append decisions "We chose Postgres"` makes one',
    )


def _sessions(found: Iterable[Any]) -> None:
    show.lines(
        (f"{one.id}  {one.created_at:%Y-%m-%d %H:%M}  {one.status:8}  {len(one.files):>5,} files  {one.name}"
         for one in found),
        "there is no memory session yet; `experience sessions create NAME` begins one",
    )  # fmt: skip


def _replayed(found: Any) -> None:
    for chunk in found.chunks:
        show.out(f"{chunk.path}:{chunk.start_line}-{chunk.end_line}  {chunk.state:8}  {show.one_line(chunk.text)}")
    for what in ("changed", "removed", "added"):
        for path in getattr(found, what):
            show.say(f"{what} since: {path}")
    if found.same:
        show.say("every file is as it was")


def _influences(found: Iterable[Any]) -> None:
    show.lines(
        (f"{one.path}:{one.start_line}-{one.end_line}  {one.score:.3f}  {show.one_line(one.query)}" for one in found),
        "nothing was shown for this response",
    )
