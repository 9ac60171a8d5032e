"""Files: bringing them into memory, searching them, and the sessions that remember which ones were shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.api.route import does, looks
from experience.neighbours import neighbour
from experience.verbs.arguments import LIMIT, QUERY, choice, share, takes, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from experience import Memory

OBJECT = {"type": "object"}
OBJECTS = {"type": "array", "items": OBJECT}
NAME = text("The note's name, such as decisions.", 200)
WORDS = text("Markdown.", 1_000_000)
SESSION = takes("session", session=text("The id of a session: msess_…", 200))
RESPONSE = text("A name of your own for the answer it is for; sessions/audit shows what was shown for it.", 200)


def _asks(verb: str) -> Callable[[Memory, dict[str, Any]], object]:
    """A function of the neighbour that keeps the files."""
    return lambda memory, given: getattr(neighbour("memory_sync"), verb)(memory, **given)


ROUTES = (
    does("sync", "Bring the files of the project's roots into memory", takes(), OBJECT, _asks("sync")),
    does("search", "Find lines of files, best first; files that changed are synced before", takes(
        "query", query=QUERY, session=text("Search in this session, and write down what was shown.", 200),
        response_id=RESPONSE, path=text("A glob of the paths to search.", 1000),
        limit={"type": "integer", "minimum": 1, "maximum": 1000, "description": "How many at most."},
        min_score=share("Leave out what matches less well."),
    ), OBJECT, _asks("search")),
    does("sessions/create", "Begin a session; the files it may see are written down with their hashes", takes(
        name=text("What it is about.", 500)), OBJECT, _asks("create_memory_session")),
    looks("sessions/list", "List sessions, the newest first", takes(
        status=choice(("active", "archived"), "In which state."), limit={**LIMIT, "default": 20},
    ), OBJECTS, _asks("list_memory_sessions")),
    does("sessions/archive", "End a session; it is kept, and searches no more", SESSION, OBJECT,
         lambda memory, given: neighbour("memory_sync").archive_session(given["session"], memory)),
    looks("sessions/replay", "What a session was shown, word for word, and what changed since", SESSION, OBJECT,
          lambda memory, given: neighbour("memory_sync").replay_session(given["session"], memory)),
    looks("sessions/audit", "The files and lines that were shown for an answer",
          takes("response_id", response_id=RESPONSE), OBJECTS,
          lambda memory, given: neighbour("memory_sync").audit(given["response_id"], memory)),
    does("note/append", "Add to the end of a note", takes("name", "text", name=NAME, text=WORDS), OBJECT,
         lambda memory, given: memory.notes.append(**given)),
    does("note/write", "Make a text the whole of a note; an edit in between is kept beside", takes(
        "name", "text", name=NAME, text=WORDS, expect=text("The hash of the note as you read it.", 200),
    ), OBJECT, lambda memory, given: memory.notes.write(**given)),
    looks("note/read", "The text of a note", takes("name", name=NAME), OBJECT,
          lambda memory, given: {"name": given["name"], "text": memory.notes.read(given["name"])}),
    looks("note/list", "Every note", takes(), OBJECTS, lambda memory, given: memory.notes.list()),
)  # fmt: skip
