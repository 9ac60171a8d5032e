"""The verbs of the exchange: what was learned elsewhere comes in, what was learned here goes out; plain chat loops."""

from __future__ import annotations

import os

from experience import checks
from experience.errors import InvalidInput
from experience.models import REACHES
from experience.verbs.base import Verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from experience.desks.shelf import Shelf
    from experience.exchange.arrival import Imported
    from experience.exchange.writers.rules import Exported

    Message: TypeAlias = Any  # an object with a role and a content: a dictionary, or what a client library made
    Place: TypeAlias = str | os.PathLike[str]

FORMATS = ("jsonl", "agents-md", "claude-rules", "cursor-rules")


class ExchangeVerbs(Verbs):
    """Wrap, import, export."""

    def wrap(
        self, messages: Sequence[Message], session: str | None = None, path: Place | None = None, budget: int = 800
    ) -> list[Message]:
        """The conversation with what is remembered about its last user message, which is observed once.

        In OpenAI's shape and Anthropic's; nothing given is changed.
        """
        from experience.exchange.chat import wrapped

        name = checks.text("session", session, most=500) if session else ""
        at_hand = None if path is None else self._relative(path)
        return wrapped(self._desks, messages, name, at_hand, budget)

    def import_from(
        self, path: Place, kind: str | None = None, *, trust: str | None = None, reach: str = "project",
        tell: Callable[[str, float], None] | None = None,
    ) -> Imported:  # fmt: skip
        """Bring in a file or a directory of transcripts, instructions or exports; what is known already stays as it is.

        The user's own words are trusted, all else waits in quarantine; *trust* says otherwise for the whole file.
        """
        from experience.desks.wiring import Desks
        from experience.exchange.arrival import Arrival, TimeOfTale

        clock, shelf = TimeOfTale(self._clock), self._shelf_of(reach)
        desks = Desks(self._stores, self.settings, clock, "import")
        if reach == "user" and kind not in (None, "jsonl"):
            raise InvalidInput("the user's own store takes only its own exports; leave --user or --from out")
        arrival = Arrival(shelf, desks.memories, clock, "import", trust, self.root)
        whole = os.fspath(path)
        return arrival.bring(whole, "jsonl" if reach == "user" else kind, tell or (lambda name, share: None))

    def export_lines(self, *, reach: str = "project") -> Iterator[str]:
        """Everything that cannot be made anew, as lines of JSON; a fresh store that imports it gives the same."""
        from experience.exchange.writers.jsonl import lines

        return lines(self._shelf_of(reach))

    def export_to(
        self, path: Place | None = None, format: str = "jsonl", *, reach: str = "project", remove: bool = False
    ) -> Exported:
        """Write an export into a file, or rules to where a host reads them; *remove* takes the rules out again."""
        from experience.exchange.place import put
        from experience.exchange.writers import rules

        checks.one_of("format", format, FORMATS)
        if format != "jsonl":
            return rules.write(self.shelf, format, self._target(path, format), remove=remove)
        if path is None or remove:
            raise InvalidInput("a jsonl export needs a path to write to; only rules can be removed again")
        rows = put(os.fspath(path), self.export_lines(reach=reach)) - 2  # without its first line and its last
        return rules.Exported(format=format, files=(os.fspath(path),), removed=(), count=rows, left_out=0)

    def _target(self, path: Place | None, format: str) -> str:
        """The file of AGENTS.md, or the directory whose rules are meant; the project's own where none is named."""
        given = self.root if path is None else os.path.abspath(os.fspath(path))
        return os.path.join(given, "AGENTS.md") if format == "agents-md" and os.path.isdir(given) else given

    def _shelf_of(self, reach: str) -> Shelf:
        if checks.one_of("reach", reach, REACHES) == "project":
            return self.shelf
        own = self._stores.user(True)
        assert own is not None  # noqa: S101  # asked to make it
        return own
